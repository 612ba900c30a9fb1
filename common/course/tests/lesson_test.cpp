#include "common/course/lesson.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::course;
using warpwise::testing::ContainsSubstring;
using warpwise::text::Source;

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
  const std::string lesson = "```\n$ build/ch09/program\na 1\nb 2\n```\n";
  check_output(lesson, "build/ch09/program", {.output = "a 1\nb 2\n"});
  CHECK_THROWS_WITH(check_output(lesson, "build/ch09/program", {.output = "a 1\nb 3\n"}),
                    ContainsSubstring("does not show what build/ch09/program prints"));
  CHECK_THROWS_WITH(check_output(lesson, "build/ch09/program", {.status = 1, .output = "a 1\nb 2\n"}),
                    ContainsSubstring("ended with 1"));
  CHECK_THROWS_WITH(check_output(lesson, "build/ch09/other", {.output = "a 1\nb 2\n"}),
                    ContainsSubstring("does not show"));
  CHECK_THROWS_WITH(check_output(lesson, "build/ch09/program", {.output = ""}), ContainsSubstring("printed"));
}

namespace {

std::string file_with(const std::string& body, const std::string& more = "") {
  return "#include \"kernels.hpp\"\n" + more +
         "\n/// Adds.\nextern \"C\" __global__ void add(float* out) {\n" + body + "}\n";
}

const std::string solution = file_with("  out[0] = 1;\n");
const std::string skeleton = file_with("  // TODO (1 line)\n");
std::string nothing() { return {}; }

std::string compare(const std::string& exercise, const std::function<std::string()>& committed) {
  return compare_frames(Source(exercise), Source(solution), committed);
}

}  // namespace

TEST_CASE("a frame is a file without the bodies of its functions") {
  CHECK(frame_of(Source(solution)) == file_with("").replace(file_with("").find("{\n"), 3, "{}"));
  CHECK(frame_of(Source(solution)) == frame_of(Source(skeleton)));
}

TEST_CASE("exercise and solution differ inside of bodies alone") {
  CHECK_THAT(compare(skeleton, nothing), ContainsSubstring("1 bodies, the same frame"));
  CHECK_THROWS_WITH(compare("int i;\n", nothing), ContainsSubstring("no function: nothing was checked"));
}

TEST_CASE("a frame that has drifted is reported with the line") {
  const std::string drifted = file_with("  // TODO (1 line)\n", "#include \"more.hpp\"\n");
  CHECK_THROWS_WITH(compare(drifted, nothing),
                    ContainsSubstring("the exercise has\n  #include \"more.hpp\""));
  const std::string renamed =
      "#include \"kernels.hpp\"\n\n/// Adds up.\nextern \"C\" __global__ void add(float* out) {\n  // "
      "TODO\n}\n";
  CHECK_THROWS_WITH(compare(renamed, nothing), ContainsSubstring("/// Adds up."));
  CHECK_THROWS_WITH(compare(drifted, [&] { return drifted; }), ContainsSubstring("more.hpp"));
}

TEST_CASE("what somebody has begun to write is not judged") {
  const std::string helper = "__device__ void helper() {}\n";
  CHECK_THAT(compare(file_with("  out[0] = 1 + 0;\n", helper), nothing),
             ContainsSubstring("it has code for add"));
  // Begun outside of the bodies: git's version is judged.
  CHECK_THAT(compare(file_with("  // TODO (1 line)\n", helper), [] { return skeleton; }),
             ContainsSubstring("git's version"));
}

namespace {

const std::string comment = "<!-- picture: show ch03 reduce_max --solution --svg banks -->\n";

}  // namespace

TEST_CASE("a picture is a comment with its command, and below it the image") {
  const auto pictures =
      pictures_in("# A lesson\n\n" + comment + "![Lane 5 meets lane 21](pictures/banks.svg)\n\nWords.\n");
  REQUIRE(pictures.size() == 1);
  CHECK(pictures[0].line == 3);
  CHECK(pictures[0].command == "show ch03 reduce_max --solution --svg banks");
  CHECK(pictures[0].file == "pictures/banks.svg");
  CHECK(pictures_in("```\n" + comment + "```\n").empty());
  CHECK(pictures_in("<!-- picture: exec docs/program.cu --svg lanes -->\n![a](pictures/a.svg)\n").size() ==
        1);
  CHECK(pictures_in("no picture, and ![another image](elsewhere.png)\n").empty());
}

TEST_CASE("a comment and its image need each other") {
  CHECK_THROWS_WITH(pictures_in(comment + "\n![a](pictures/a.svg)\n"),
                    ContainsSubstring("line 1: no ![words]"));
  CHECK_THROWS_WITH(pictures_in(comment), ContainsSubstring("line 1: no ![words]"));
  CHECK_THROWS_WITH(pictures_in("\n![a](pictures/a.svg)\n"),
                    ContainsSubstring("line 2: pictures/a.svg has no `<!-- picture: show ... -->` above it"));
  CHECK_THROWS_WITH(pictures_in(comment + "![](pictures/a.svg)\n"),
                    ContainsSubstring("line 2: the picture has no words"));
}

TEST_CASE("a picture shows what no student changes") {
  const auto refused = [](const std::string& command, const std::string& why) {
    CHECK_THROWS_WITH(pictures_in("<!-- picture: " + command + " -->\n![a](pictures/a.svg)\n"),
                      ContainsSubstring(why));
  };
  refused("show ch03 --svg banks", "the exercise is the student's");
  refused("show ch03 --solution", "is drawn by `show CHAPTER KERNEL");
  refused("run ch03 --solution --svg banks", "is drawn by `show CHAPTER KERNEL");
  refused("show ch03 --solution --svg banks --output x.svg", "not --output");
  refused("exec docs/program.cu --show", "or `exec FILE --svg VIEW`");
}

TEST_CASE("a picture names the command that draws it") {
  CHECK(command_in("<svg><metadata>./warpwise show ch01 --at 'a &lt; b &amp;&amp; c'</metadata></svg>") ==
        "show ch01 --at 'a < b && c'");
  CHECK(command_in("<svg></svg>").empty());
}
