#include "common/grade/submissions.hpp"

#include <sys/stat.h>

#include "common/grade/assignment.hpp"
#include "common/grade/untrusted.hpp"
#include "common/testing/catch.hpp"
#include "course_example.hpp"

using namespace warpwise::grade;
using warpwise::testing::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

const std::string adds = "extern \"C\" __global__ void add(float* a) { a[0] = 1; }\n";
const std::string scans = "extern \"C\" __global__ void scan(float* a) { a[0] = 1; }\n";

struct Class : CourseExample {
  fs::path path = folder.path() / "class";
  /// The files of the submission `name`.
  std::vector<HandedIn> files(const std::string& name, const std::vector<std::string>& wanted = {}) {
    return files_of({name, path / name}, course, wanted);
  }
};

}  // namespace

TEST_CASE("each folder and each .cu is a submission; others are left out") {
  Class the_class;
  write_file(the_class.path / "bob.cu", adds);
  write_file(the_class.path / "ada/x.cu", adds);
  write_file(the_class.path / "bob/x.cu", adds);
  write_file(the_class.path / "list.txt", "");
  write_file(the_class.path / ".git/x.cu", "");
  const Submissions found = submissions_in(the_class.path);
  REQUIRE(found.all.size() == 3);
  CHECK(found.all[0].name == "ada");
  CHECK(found.all[1].name == "bob");
  CHECK(found.all[2].name == "bob.cu");
  CHECK(found.left_out == std::vector<std::string>{"list.txt"});
}

TEST_CASE("what is no class is refused with a sentence") {
  Class the_class;
  CHECK_THROWS_WITH(submissions_in(the_class.path), ContainsSubstring("there is no folder"));
  fs::create_directories(the_class.path);
  CHECK_THROWS_WITH(submissions_in(the_class.path), ContainsSubstring("holds no submission"));
  write_file(the_class.path / "a.cu", adds);
  CHECK_THROWS_WITH(submissions_in(the_class.path / "a.cu"), ContainsSubstring("--one"));
  CHECK_THROWS_WITH(one_submission(the_class.path / "b"), ContainsSubstring("there is no submission"));
  CHECK(one_submission(the_class.path / "a.cu").name == "a");
  CHECK(one_submission(the_class.path / "").name == "class");
}

TEST_CASE("a chapter is recognised by the name of the file or the folder, or by its kernels") {
  Class the_class;
  write_file(the_class.path / "by_folder/deep/ch02_second/exercise.cu", "");
  write_file(the_class.path / "by_name/ch1-final.cu", "");
  write_file(the_class.path / "by_kernel/mine.cu", scans);
  write_file(the_class.path / "both/a.cu", scans);
  write_file(the_class.path / "both/b.cu", adds);
  CHECK(the_class.files("by_folder").at(0).chapter == "ch02_second");
  CHECK(the_class.files("by_name").at(0).chapter == "ch01_first");
  CHECK(the_class.files("by_kernel").at(0).chapter == "ch02_second");
  CHECK(the_class.files("by_kernel").at(0).source == scans);
  const auto both = the_class.files("both");
  REQUIRE(both.size() == 2);
  CHECK(both[0].file == "b.cu");
  CHECK(both[1].file == "a.cu");
}

TEST_CASE("of a whole clone the exercises are taken, and not the course's own files") {
  Class the_class;
  write_file(the_class.path / "ada/ch01_first/exercise.cu", adds);
  write_file(the_class.path / "ada/ch01_first/solution.cu", adds);
  write_file(the_class.path / "ada/ch01_first/attempts/ch01.cu", adds);
  write_file(the_class.path / "ada/common/tests/x.cu", scans);
  const auto files = the_class.files("ada");
  REQUIRE(files.size() == 1);
  CHECK(files[0].file == "ch01_first/exercise.cu");
}

TEST_CASE("a chapter that is asked for is graded, handed in or not") {
  Class the_class;
  write_file(the_class.path / "ada/anything.cu", "int nothing;");
  write_file(the_class.path / "two/a.cu", adds);
  write_file(the_class.path / "two/b.cu", adds);
  CHECK(the_class.files("ada", {"ch01_first"}).at(0).source == "int nothing;");
  CHECK_THAT(the_class.files("ada").at(0).problem, ContainsSubstring("does not say which chapter"));
  const auto both = the_class.files("two", {"ch01_first", "ch02_second"});
  CHECK_THAT(both.at(0).problem, ContainsSubstring("a.cu, b.cu; keep one"));
  CHECK_THAT(both.at(1).problem, ContainsSubstring("no file for ch02_second"));
  CHECK(both.at(1).is_missing);  // a chapter left out
  CHECK_FALSE(both.at(0).is_missing);
  fs::create_directories(the_class.path / "none");
  const auto none = the_class.files("none", {"ch01_first", "ch02_second"});
  CHECK_FALSE(none.at(0).is_missing);  // to be looked at
  CHECK_FALSE(none.at(1).is_missing);
}

TEST_CASE("what is no plain text is not read") {
  Class the_class;
  fs::create_directories(the_class.path);
  const auto problem = [&](const std::string& name) {
    return the_class.files(name, {"ch01_first"}).at(0).problem;
  };
  fs::create_symlink("/etc/passwd", the_class.path / "link.cu");
  REQUIRE(mkfifo((the_class.path / "pipe.cu").c_str(), 0600) == 0);
  write_file(the_class.path / "binary.cu", std::string("a\0b", 3));
  write_file(the_class.path / "utf16.cu", std::string("\xff\xfe/\0", 4));
  write_file(the_class.path / "long.cu", std::string(most_source_bytes + 1, ' '));
  write_file(the_class.path / "braces.cu", std::string(most_braces + 1, '{'));
  CHECK_THAT(problem("braces.cu"), ContainsSubstring("opens 1201 braces, at most 1200"));
  CHECK_THAT(problem("link.cu"), ContainsSubstring("is a symbolic link"));
  CHECK_THAT(problem("pipe.cu"), ContainsSubstring("is a pipe"));
  CHECK_THAT(problem("binary.cu"), ContainsSubstring("NUL"));
  CHECK_THAT(problem("utf16.cu"), ContainsSubstring("save it as UTF-8"));
  CHECK_THAT(problem("long.cu"), ContainsSubstring("at most 64 KiB"));
}

TEST_CASE("what a submission may include is found by what the course's files include") {
  const CourseExample example;
  std::vector<fs::path> names;
  for (const Header& header : example.course.assignments[0].headers()) names.push_back(header.name);
  CHECK(names == std::vector<fs::path>{"ch01_first/kernels.hpp", "common/kernel.hpp"});
  CHECK(example.course.assignments[0].headers().front().text.starts_with("#include \"common/kernel.hpp\""));
}

TEST_CASE("another check, another version") {
  const CourseExample example;
  const Assignment& assignment = example.course.assignments[0];
  const auto anew = [&] { return Assignment(assignment.chapter.read_anew()); };
  const std::string before = assignment.version();
  CHECK(anew().version() == before);
  write_file(example.root / "ch01_first/checks/checks.cpp", "more");
  CHECK(anew().version() != before);
}
