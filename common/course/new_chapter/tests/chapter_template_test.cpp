#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "common/course/new_chapter/chapter_template.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using namespace warpwise::course;
namespace report = warpwise::report;
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
  std::string text(const std::string& file) const { return warpwise::text::read_text(root() / file); }

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
    CHECK_THROWS_WITH(name_chapter(word, course.root()), ContainsSubstring("is not a name for a chapter"));
  CHECK_THROWS_WITH(name_chapter("seven", course.root()), ContainsSubstring("there is a chapter ch07_seven"));
  CHECK_THROWS_WITH(name_chapter("ch01_two", course.root()),
                    ContainsSubstring("there is a chapter ch01_one"));
}

TEST_CASE("a chapter has all files, its names in them, and its line in the list") {
  const Course course;
  make_chapter(name_chapter("stencil", course.root()), course.root());
  for (const char* file : {"README.md", "kernels.hpp", "exercise.cu", "solution.cu", "checks/checks.cpp",
                           "CMakeLists.txt", "hints.md", "kernels/stencil_kernel.md"}) {
    INFO(file);
    CHECK(fs::exists(course.root() / "ch08_stencil" / file));
    CHECK(course.text(std::string("ch08_stencil/") + file).find('@') == std::string::npos);
  }
  CHECK_FALSE(fs::exists(course.root() / "ch08_stencil/.clang-format"));
  CHECK_THAT(course.text("ch08_stencil/checks/checks.cpp"),
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

namespace {

std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence + '\n';
  return text;
}

/// A chapter with one kernel and everything; each test takes something away.
class MadeChapter {
 public:
  MadeChapter() {
    folder_.write("CMakeLists.txt", "add_subdirectory(ch01_one)\n");
    write("CMakeLists.txt", "warpwise_add_chapter()\n");
    write("README.md", "# One\n\n<!-- code: solution.cu#copy -->\n");
    write("kernels.hpp", "WARPWISE_KERNEL(copy, (float* out));\n");
    write("exercise.cu", "extern \"C\" __global__ void copy(float* out) {\n  // TODO copy (1 line)\n}\n");
    write("solution.cu", "extern \"C\" __global__ void copy(float* out) {\n  out[0] = 1;\n}\n");
    write("hints.md", "## `copy`\n" + hint(1) + hint(2) + hint(3));
    write("kernels/copy.md", "# `copy`\n" + attempts() + accepted());
    declared.chapters.emplace_back().kernels.push_back({.name = "copy"});
    for (const report::Aspect aspect : report::all_aspects)
      declared.verdicts.push_back({"copy", aspect, report::Outcome::not_checked, {}, "ch01_one"});
  }
  static std::string hint(unsigned number) {
    return "\n<details><summary>Hint " + std::to_string(number) + "</summary>\n\nSo.\n\n</details>\n";
  }
  static std::string attempts() {
    return "\n## Wrong attempts\n\n### slip\n\n- rejected by: result: n = 1: out[0]\n" + block();
  }
  static std::string accepted() { return "\n## Other correct solutions\n\n### other\n\n" + block(); }
  void write(const std::string& file, const std::string& text) const {
    folder_.write("ch01_one/" + file, text);
  }
  void remove(const std::string& file) const { fs::remove(folder_.path() / "ch01_one" / file); }
  std::string lacks() const { return joined(what_it_lacks({"ch01_one", root() / "ch01_one"}, &declared)); }
  const fs::path& root() const { return folder_.path(); }

  /// What its program says: the kernel, and a check of each aspect.
  report::Report declared;

 private:
  static std::string block() { return "- why: it is\n\n```diff\n-  out[0] = 1;\n+  out[0] = 2;\n```\n"; }

  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a whole chapter lacks nothing") { CHECK(MadeChapter().lacks().empty()); }

TEST_CASE("each thing that is taken away is missed") {
  struct Loss {
    std::string file, text, sentence;
  };
  const Loss losses[] = {
      {"README.md", "# One\n",
       "README.md shows no code: <!-- code: solution.cu#ANCHOR --> above a block of it.\n"},
      {"kernels.hpp", "\n", "kernels.hpp does not declare copy with WARPWISE_KERNEL.\n"},
      {"exercise.cu", "extern \"C\" __global__ void copy(float* out) {}\n",
       "exercise.cu has no skeleton of copy: a kernel with a TODO in it.\n"},
      {"solution.cu", "extern \"C\" __global__ void copy(float* out) {\n  // TODO copy\n}\n",
       "The solution of copy has a TODO.\n"},
      {"hints.md", "## `copy`\n" + MadeChapter::hint(1), "hints.md has 1 hint for copy, not 3 or more.\n"},
      {"kernels/copy.md", "# `copy`\n" + MadeChapter::accepted(),
       "No page in kernels/ has a wrong attempt at copy, which a check must reject.\n"},
      {"kernels/copy.md", "# `copy`\n" + MadeChapter::attempts(),
       "No page in kernels/ has another correct solution of copy.\n"},
  };
  for (const Loss& loss : losses) {
    const MadeChapter chapter;
    chapter.write(loss.file, loss.text);
    CHECK(chapter.lacks() == loss.sentence);
  }
  const MadeChapter chapter;
  chapter.remove("hints.md");
  chapter.remove("kernels/copy.md");
  CHECK(chapter.lacks() ==
        "hints.md has 0 hints for copy, not 3 or more.\n"
        "No page in kernels/ has a wrong attempt at copy, which a check must reject.\n"
        "No page in kernels/ has another correct solution of copy.\n");
  chapter.write("kernels/copy.md", "# `copy`\n## Wrong attempts\n### x\n");
  CHECK_THAT(chapter.lacks(), ContainsSubstring("copy.md:3: copy_x lacks its line '- rejected by: '"));
}

TEST_CASE("files that are not there, and a chapter that nobody lists, are missed") {
  const MadeChapter chapter;
  chapter.remove("CMakeLists.txt");
  std::ofstream(chapter.root() / "CMakeLists.txt") << "\n";
  CHECK(chapter.lacks() ==
        "There is no CMakeLists.txt.\n"
        "The CMakeLists.txt beside the folder has no line add_subdirectory(ch01_one).\n");
}

TEST_CASE("a check that the program does not have is missed, but not where there is no program") {
  MadeChapter chapter;
  chapter.declared.verdicts.erase(chapter.declared.verdicts.begin() + 1);
  CHECK(chapter.lacks() == "No test case has the tags [copy][technique].\n");
  CHECK(what_it_lacks({"ch01_one", chapter.root() / "ch01_one"}, nullptr).empty());
}

TEST_CASE("kernels of a family need what the others need once") {
  MadeChapter chapter;
  chapter.write(
      "solution.cu",
      "extern \"C\" __global__ void copy(float* out) {\n  out[0] = 1;\n}\n\nextern \"C\" __global__ "
      "void copy_64(float* out) {\n  out[0] = 1;\n}\n");
  chapter.write(
      "exercise.cu",
      "extern \"C\" __global__ void copy(float* out) {\n  // TODO copy\n}\n\nextern \"C\" __global__ "
      "void copy_64(float* out) {\n  // TODO copy\n}\n");
  chapter.write("kernels.hpp",
                "WARPWISE_KERNEL(copy, (float* out));\nWARPWISE_KERNEL(copy_64, (float* out));\n");
  CHECK_THAT(chapter.lacks(), ContainsSubstring("No test case has the tags [copy_64][safety].\n"
                                                "hints.md has 0 hints for copy_64, not 3 or more.\n"));
  chapter.declared.chapters.front().kernels.front().family = {"copy", "copy_64"};
  CHECK(chapter.lacks().empty());
}

TEST_CASE("what new-chapter makes lacks only what the template leaves open") {
  const MadeChapter course;
  make_chapter({"ch02_two", "2", "two_kernel"}, course.root());
  const auto lacking = what_it_lacks({"ch02_two", course.root() / "ch02_two"}, nullptr);
  CHECK(lacking.size() > 10);
  for (const std::string& sentence : lacking) {
    INFO(sentence);
    CHECK(sentence.find(" is still the template's: ") != std::string::npos);
  }
}
