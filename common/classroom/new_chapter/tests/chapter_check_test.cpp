#include "common/classroom/new_chapter/chapter_check.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

#include "common/classroom/new_chapter/new_chapter.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using namespace warpwise::classroom;
using warpwise::testing::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence + '\n';
  return text;
}

/// A chapter with one kernel and everything; each test takes something away.
class Chapter {
 public:
  Chapter() {
    folder_.write("CMakeLists.txt", "add_subdirectory(ch01_one)\n");
    write("CMakeLists.txt", "warpwise_add_chapter()\n");
    write("README.md", "# One\n\n<!-- code: solution.cu#copy -->\n");
    write("kernels.hpp", "WARPWISE_KERNEL(copy, (float* out));\n");
    write("exercise.cu", "extern \"C\" __global__ void copy(float* out) {\n  // TODO copy (1 line)\n}\n");
    write("solution.cu", "extern \"C\" __global__ void copy(float* out) {\n  out[0] = 1;\n}\n");
    write("checks.cpp",
          "WARPWISE_CHECK(copy, result) {}\nWARPWISE_CHECK(copy, technique) {}\nWARPWISE_CHECK(copy, safety, "
          "\"more\") {}\n");
    write("hints.md", "# Hints\n\n## copy\n\n1. One.\n2. Two.\n3. Three.\n");
    const std::string block = "- why: it is\n\n```diff\n-  out[0] = 1;\n+  out[0] = 2;\n```\n";
    write("attempts/copy.md", "# A\n\n## slip\n\n- rejected by: result: n = 1: out[0]\n" + block);
    write("accepted.md", "# A\n\n## copy\n\n### other\n\n" + block);
  }
  void write(const std::string& file, const std::string& text) const {
    folder_.write("ch01_one/" + file, text);
  }
  void remove(const std::string& file) const { fs::remove(folder_.path() / "ch01_one" / file); }
  std::string lacks() const { return joined(what_it_lacks(folder_.path() / "ch01_one")); }
  const fs::path& root() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a whole chapter lacks nothing") { CHECK(Chapter().lacks().empty()); }

TEST_CASE("each thing that is taken away is missed") {
  struct Loss {
    const char *file, *text, *sentence;
  };
  const Loss losses[] = {
      {"README.md", "# One\n",
       "README.md shows no code: <!-- code: solution.cu#ANCHOR --> above a block of it.\n"},
      {"kernels.hpp", "\n", "kernels.hpp does not declare copy with WARPWISE_KERNEL.\n"},
      {"exercise.cu", "extern \"C\" __global__ void copy(float* out) {}\n",
       "exercise.cu has no skeleton of copy: a kernel with a TODO in it.\n"},
      {"solution.cu", "extern \"C\" __global__ void copy(float* out) {\n  // TODO copy\n}\n",
       "The solution of copy has a TODO.\n"},
      {"checks.cpp", "WARPWISE_CHECK(copy, result) {}\nWARPWISE_CHECK(copy, safety) {}\n",
       "No check says WARPWISE_CHECK(copy, technique).\n"},
      {"hints.md", "## copy\n\n1. One.\n", "hints.md has 1 hint for copy, not 3 or more.\n"},
  };
  for (const Loss& loss : losses) {
    const Chapter chapter;
    chapter.write(loss.file, loss.text);
    CHECK(chapter.lacks() == loss.sentence);
  }
  const Chapter chapter;
  chapter.remove("attempts/copy.md");
  chapter.remove("accepted.md");
  CHECK(chapter.lacks() ==
        "attempts/ has no wrong way to write copy, which a check must reject.\n"
        "accepted.md has no other right way to write copy.\n");
}

TEST_CASE("files that are not there, and a chapter that nobody lists, are missed") {
  const Chapter chapter;
  chapter.remove("CMakeLists.txt");
  std::ofstream(chapter.root() / "CMakeLists.txt") << "\n";
  CHECK(chapter.lacks() ==
        "There is no CMakeLists.txt.\n"
        "The CMakeLists.txt beside the folder has no line add_subdirectory(ch01_one).\n");
}

TEST_CASE("kernels of a family need what the others need once") {
  const Chapter chapter;
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
  CHECK_FALSE(chapter.lacks().empty());
  chapter.write("more_checks.cpp", "constexpr KernelName family[] = {copy,\n  copy_64};\n");
  CHECK(chapter.lacks().empty());
}

TEST_CASE("checks may stand in a table") {
  const Chapter chapter;
  chapter.write("checks.cpp",
                "const RegisterExhibits exhibits({\n    {.kernel = copy, .checks = copies(copy)},\n});\n");
  CHECK(chapter.lacks().empty());
  chapter.write("checks.cpp",
                "const RegisterExhibits exhibits({\n    {.kernel = copy},\n    {.kernel = other, .checks = "
                "copies(other)},\n});\n");
  CHECK_FALSE(chapter.lacks().empty());
}

TEST_CASE("what new-chapter makes lacks only what the template leaves open") {
  const Chapter course;
  make_chapter({"ch02_two", "2", "two_kernel"}, course.root());
  const auto lacking = what_it_lacks(course.root() / "ch02_two");
  CHECK(lacking.size() > 10);
  for (const std::string& sentence : lacking) {
    INFO(sentence);
    CHECK(sentence.find(" is still the template's: ") != std::string::npos);
  }
}

TEST_CASE("the chapters of this course lack nothing") {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(WARPWISE_ROOT_DIR)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("ch0") || !fs::exists(entry.path() / "kernels.hpp")) continue;
    INFO(name);
    // A student may have written an exercise: then it is no skeleton any more.
    std::string lacks;
    for (const std::string& sentence : what_it_lacks(entry.path()))
      if (!sentence.starts_with("exercise.cu ")) lacks += sentence + '\n';
    CHECK(lacks == "");
    ++count;
  }
  CHECK(count >= 7);
}
