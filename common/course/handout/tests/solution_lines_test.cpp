// What counts as a line of a solution, and where it is found.
#include "../../../testing/catch.hpp"

#include "../solution_lines.hpp"

namespace {

using warpwise::course::code_of;
using warpwise::course::SolutionLines;

SolutionLines lines() {
  SolutionLines lines;
  lines.add_given("  // TODO: in `__shared__ float slots[32];`, each warp its own\nreturn identity_of(n);\n");
  lines.add_solution("ch09/solution.cu",
                     "  // [tree]\n"
                     "  __shared__ float slots[32];\n"
                     "  for (unsigned d = 1;   d < 32; d *= 2) {  // double it\n"
                     "    sum += x;\n"
                     "    if (a < b || c) total += other_lane(total, d);\n"
                     "    __syncthreads();\n"
                     "  }\n"
                     "  // the last lane has it\n"
                     "  // [/tree]\n"
                     "  return identity_of(n);\n");
  return lines;
}

}  // namespace

TEST_CASE("the code of a line is without its comment and its spaces") {
  CHECK(code_of("   a +=   b;  // why") == "a += b;");
  CHECK(code_of("  // alone") == "// alone");
  CHECK(code_of("  // [anchor]").empty());
  CHECK(code_of("  // [/anchor]").empty());
  CHECK(code_of("").empty());
}

TEST_CASE("short lines, given lines and idioms are trivial") {
  CHECK(lines().size() == 3);  // the loop, the condition, the comment
  CHECK_FALSE(lines().are_shown_in("sum += x;\n"));
  CHECK_FALSE(lines().are_shown_in("__shared__ float slots[32];\n"));
  CHECK_FALSE(lines().are_shown_in("return identity_of(n);\n"));
  CHECK_FALSE(lines().are_shown_in("__syncthreads();\n"));
}

TEST_CASE("a line is found within another one, however it is spaced") {
  const auto leak =
      lines().find_in("nothing\n\tthe loop is `for (unsigned d = 1; d < 32; d *= 2) {`, then\n");
  REQUIRE(leak);
  CHECK(leak->line == 2);
  CHECK(leak->code == "for (unsigned d = 1; d < 32; d *= 2) {");
  CHECK(leak->source == "ch09/solution.cu");
  CHECK_FALSE(lines().are_shown_in("for (unsigned d = 1; d < 16; d *= 2) {\n"));
}

TEST_CASE("a line is found as SVG, HTML and tables write it") {
  CHECK(lines().are_shown_in("<text>for (unsigned d = 1; d &lt; 32; d *= 2) {</text>"));
  CHECK(lines().are_shown_in("| `if (a < b \\|\\| c) total += other_lane(total, d);` | why |"));
  CHECK(lines().are_shown_in("  // the last lane has it"));
}
