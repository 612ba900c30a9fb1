#include "common/course/lesson.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::course;
using warpwise::testing::ContainsSubstring;

namespace {

const std::string source =
    "void f() {\n  // [outer]\n  int a;\n  // [inner]\n    int b;\n  // [/inner]\n\n  int c;\n  // "
    "[/outer]\n}\n";

std::string lesson_with(const std::string& code, const std::string& anchor = "outer") {
  return "# A lesson\n\n<!-- code: solution.cu#" + anchor + " -->\n```cpp\n" + code + "\n```\n";
}

std::size_t check(const std::string& lesson) {
  return check_lesson(lesson, [](const std::string& file) {
    CHECK(file == "solution.cu");
    return source;
  });
}

}  // namespace

TEST_CASE("anchored code is moved to the left margin, without other anchors") {
  CHECK(anchored(source, "outer") == "int a;\n  int b;\n\nint c;");
  CHECK(anchored(source, "inner") == "  int b;");
  CHECK_THROWS_WITH(anchored(source, "none"), ContainsSubstring("no lines `// [none]` and `// [/none]`"));
}

TEST_CASE("a function needs no anchors: it is shown by its name") {
  CHECK(anchored("// what it does\nint g() { return 1; }\n\nvoid h() {\n  g();\n}\n", "h") ==
        "void h() {\n  g();\n}");
  CHECK_THROWS_WITH(anchored(source, "g"), ContainsSubstring("no function of that name"));
}

TEST_CASE("a lesson shows the code of the sources") {
  CHECK(check(lesson_with("int a;\n  int b;\n\nint c;")) == 1);
  CHECK_THROWS_WITH(check(lesson_with("int a;\n  int b;\n\nint d;")),
                    ContainsSubstring("line 4: solution.cu#outer is shown as") &&
                        ContainsSubstring("--- but the file says\nint a;"));
  CHECK_THROWS_WITH(check(lesson_with("int a;", "none")), ContainsSubstring("no lines `// [none]`"));
  CHECK_THROWS_WITH(check("```cpp\nint a;\n```\n"), ContainsSubstring("line 1: a cpp block without"));
  CHECK_THROWS_WITH(check("# words only\n"), ContainsSubstring("shows no code"));
}

TEST_CASE("a lesson shows the output of a program, to the character") {
  const std::string lesson = "```\n$ build/ch09/museum\na 1\nb 2\n```\n";
  check_output(lesson, "build/ch09/museum", {"a 1\nb 2\n", 0});
  CHECK_THROWS_WITH(check_output(lesson, "build/ch09/museum", {"a 1\nb 3\n", 0}),
                    ContainsSubstring("does not show what build/ch09/museum prints"));
  CHECK_THROWS_WITH(check_output(lesson, "build/ch09/museum", {"a 1\nb 2\n", 1}),
                    ContainsSubstring("ended with 1"));
  CHECK_THROWS_WITH(check_output(lesson, "build/ch09/other", {"a 1\nb 2\n", 0}),
                    ContainsSubstring("does not show"));
  CHECK_THROWS_WITH(check_output(lesson, "build/ch09/museum", {"", 0}), ContainsSubstring("printed"));
}

TEST_CASE("what a program prints, and how it ends") {
  CHECK(output_of("echo one; echo two").text == "one\ntwo\n");
  CHECK(output_of("exit 3").status == 3);
  CHECK(output_of("there_is_no_such_program 2>/dev/null").status == 127);
}
