#include "common/course/new_chapter/new_chapter.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using namespace warpwise::course;
using warpwise::testing::ContainsSubstring;
using warpwise::testing::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// A course of two chapters.
class Course {
 public:
  Course() {
    folder_.write(
        "CMakeLists.txt",
        "project(x)\nadd_subdirectory(common)\nadd_subdirectory(ch01_one)\nadd_subdirectory(ch07_seven)\n"
        "# the end\n");
    folder_.write("ch01_one/kernels.hpp", "");
    folder_.write("ch07_seven/kernels.hpp", "");
  }
  const fs::path& root() const { return folder_.path(); }
  std::string text(const std::string& file) const {
    std::ifstream in(root() / file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a chapter gets the next number, or the one that its name has") {
  const Course course;
  const NewChapter next = name_chapter("stencil", course.root());
  CHECK(next.name == "ch08_stencil");
  CHECK(next.number == "8");
  CHECK(next.kernel == "stencil_kernel");
  CHECK(name_chapter("ch12_heat_2d", course.root()).name == "ch12_heat_2d");
}

TEST_CASE("what is no name, or is taken, is refused in a sentence") {
  const Course course;
  for (const char* word : {"", "Stencil", "9lives", "a-b", "../x", "a b", "ch12_", "_x"})
    CHECK_THROWS_WITH(name_chapter(word, course.root()), ContainsSubstring("is no name for a chapter"));
  CHECK_THROWS_WITH(name_chapter("seven", course.root()), ContainsSubstring("there is a chapter ch07_seven"));
  CHECK_THROWS_WITH(name_chapter("ch01_two", course.root()),
                    ContainsSubstring("there is a chapter ch01_one"));
}

TEST_CASE("a chapter has all files, its names in them, and its line in the list") {
  const Course course;
  make_chapter(name_chapter("stencil", course.root()), course.root());
  for (const char* file : {"README.md", "kernels.hpp", "exercise.cu", "solution.cu", "checks.cpp", "hints.md",
                           "CMakeLists.txt", "attempts/stencil_kernel.md", "accepted.md"}) {
    INFO(file);
    CHECK(fs::exists(course.root() / "ch08_stencil" / file));
    CHECK(course.text(std::string("ch08_stencil/") + file).find('@') == std::string::npos);
  }
  CHECK_FALSE(fs::exists(course.root() / "ch08_stencil/.clang-format"));
  CHECK_THAT(course.text("ch08_stencil/checks.cpp"),
             ContainsSubstring("#include \"ch08_stencil/kernels.hpp\""));
  CHECK_THAT(course.text("CMakeLists.txt"),
             ContainsSubstring("add_subdirectory(ch07_seven)\nadd_subdirectory(ch08_stencil)\n# the end\n"));
}

TEST_CASE("a course whose list cannot be edited stays as it is") {
  const Course course;
  std::ofstream(course.root() / "CMakeLists.txt") << "project(x)\n";
  CHECK_THROWS_WITH(make_chapter({"ch08_stencil", "8", "stencil_kernel"}, course.root()),
                    ContainsSubstring("lists no chapter"));
  CHECK_FALSE(fs::exists(course.root() / "ch08_stencil"));
  CHECK_THROWS_WITH(make_chapter({"ch01_one", "1", "one_kernel"}, course.root()),
                    ContainsSubstring("ch01_one exists already"));
}
