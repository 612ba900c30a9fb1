#include <sstream>

#include "../run.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise;
using namespace warpwise::cli;
using warpwise::testing::ContainsSubstring;

namespace {

Written written(std::size_t lines, std::uint64_t instructions) {
  Written result;
  report::Chapter& chapter = result.report.chapters.emplace_back();
  chapter.name = "ch01_naive";
  chapter.kernels = {{.name = "reduce"}, {.name = "given", .is_exercise = false}};
  report::Launch& launch = result.report.launches.emplace_back();
  launch.chapter = chapter.name;
  launch.elements = 65536;
  launch.report.kernel = "reduce";
  launch.report.grid = {256, 1, 1};
  launch.report.counters.warp_instructions = instructions;
  launch.report.counters.block_barriers = 9 * 256;
  result.lines = {{"reduce", lines}};
  return result;
}

}  // namespace

TEST_CASE("where a chapter is done stands what each kernel costs beside the solution") {
  const Written own = written(9, 131072), solution = written(11, 65536);
  const std::string text = chapter_finished_text("ch01_naive", own, &solution);
  CHECK_THAT(text, ContainsSubstring("Every kernel of ch01_naive is right."));
  CHECK_THAT(text, ContainsSubstring("After a /: the solution"));
  CHECK_THAT(chapter_finished_text("ch01_naive", own, &own),
             ContainsSubstring("The solution has the same figures."));
  CHECK_THAT(text, ContainsSubstring("\n  reduce  9 / 11  65 536  2.00 / 1.00         9           0\n"));
  CHECK_THAT(
      chapter_finished_text("ch01_naive", own, &solution, {{"reduce", "tree", "block_barriers / blocks"}}),
      ContainsSubstring("2.00 / 1.00         ?           0\n"));
  CHECK_THAT(text, !ContainsSubstring("given"));
  CHECK_THAT(text, ContainsSubstring("./warpwise show ch01 reduce --beside solution\n"));
}

TEST_CASE("a handout without solutions shows what was written alone") {
  const std::string text = chapter_finished_text("ch01_naive", written(9, 131072), nullptr);
  CHECK_THAT(text, ContainsSubstring("\n  reduce      9  65 536        2.00 "));
  CHECK_THAT(text, !ContainsSubstring("solution"));
}

TEST_CASE("lines of a kernel are those with code, with the functions that it names") {
  const auto lines = lines_of_kernels(text::Source(
      "__device__ int half(int x) {\n  // why\n  return x / 2;\n}\n\n"
      "__global__ void a(int* p) {\n\n  *p = half(4);  // here\n}\n__global__ void b(int* p) { *p = 1; }\n"));
  CHECK(lines == std::map<std::string, std::size_t>{{"a", 6}, {"b", 1}});
}

TEST_CASE("where all is done, the lines fit the screen") {
  const std::string text = course_finished_text(66);
  CHECK_THAT(text, ContainsSubstring("all 66."));
  std::size_t width = 0;
  for (const char c : text) {
    width = c == '\n' ? 0 : width + 1;
    CHECK(width <= 80);
  }
}

namespace {

std::string printed(const std::string& block, bool is_coloured = false) {
  std::ostringstream out;
  const std::string page =
      "# `sum`\n\n## Wrong attempts\n\n### wrong\n\n- rejected by: result: out[0]\n- why: because\n\n" +
      block;
  print_attempt(out, text::implementations_on_page(page, "kernels/sum.md").front(), "build/x.cu",
                print::Paint(is_coloured));
  return out.str();
}

}  // namespace

TEST_CASE("an attempt is shown by what differs") {
  const std::string difference = "```diff\n a\n-b\n@@\n-c\n+d\n\n+e\n```\n";
  CHECK(printed(difference) ==
        "build/x.cu differs from the solution in this:\n\n   a\n  -b\n    ...\n  -c\n  +d\n\n  +e\n\n");
  CHECK(printed("```cuda\nvoid sum() {}\n```\n") ==
        "build/x.cu has this in place of the solution's:\n\n  void sum() {}\n\n");
  CHECK_THAT(printed(difference, true),
             ContainsSubstring("\033[31m-b\033[0m\n") && ContainsSubstring("\033[32m+d\033[0m\n"));
}
