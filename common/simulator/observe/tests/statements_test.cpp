#include "../statements.hpp"

#include <sstream>

#include "common/testing/catch.hpp"

using namespace warpwise::simulator::observe;

namespace {

Statements statements_of(
    const std::string& text,
    const std::function<bool(std::uint32_t)>& has_code = [](auto) { return false; }) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return Statements(lines, has_code);
}

}  // namespace

TEST_CASE("statements: behind one is a place, in the middle of one is none") {
  const Statements in = statements_of(
      "void f(int* s) {\n"    // 1
      "  int t = 0;  // }\n"  // 2
      "  if (t > 0)\n"        // 3
      "    s[t] =\n"          // 4
      "        s[t + 1];\n"   // 5
      "  for (t = 0; t < 9; ++t) {\n"
      "    s[t] += 1;\n"  // 7
      "    if (s[t] == '}') continue;\n"
      "    s[0] += \"{\"[0];\n"  // 9
      "  }\n"
      "  return;\n"  // 11
      "}\n");
  const int function = in.function_of(1), loop = in.block_of(7);
  REQUIRE(function >= 0);
  REQUIRE(in.blocks()[static_cast<std::size_t>(loop)].is_loop);
  CHECK(in.behind(4, function).line == 5);
  CHECK(in.in_front_of(4, function).line == 2);
  CHECK(in.in_front_of(7, loop).line == 6);
  CHECK(in.behind(7, function).line == 10);
  CHECK(in.end_of(loop).line == 9);
  CHECK(in.end_of(function).line == 10);  // not behind the return
  CHECK(in.round_of(7, 9) == loop);
  CHECK(in.round_of(5, 9) == function);
  CHECK(in.start_of(5) == 3);
  CHECK(in.condition_of(5) == 3);
  CHECK(in.condition_of(7) == 0);
  CHECK(in.may_jump_out(8, loop));
  CHECK_FALSE(in.may_jump_out(7, loop));
  CHECK_FALSE(in.may_jump_out(8, function));  // it leads to the next round
}

TEST_CASE("statements: the body of a loop without braces is a block that lacks them") {
  const Statements in = statements_of(
      "void f(int* s) {\n  for (int d = 1; d < 9; d *= 2)\n    s[d] += s[0];\n  s[1] = 2;\n}\n");
  const int loop = in.round_of(3, 3);
  REQUIRE(in.blocks()[static_cast<std::size_t>(loop)].lacks_braces);
  CHECK(in.block_of(3) == loop);
  CHECK(in.end_of(loop).line == 3);
  CHECK(in.behind(3, in.function_of(1)).line == 3);
  CHECK(in.round_of(3, 4) == in.function_of(1));
}

TEST_CASE("statements: of an #if the branch that has code counts") {
  const std::string text =
      "void f(int* s) {\n#ifdef RIGHT\n  if (*s) { s[1] = 2;\n#else\n  s[1] = 2;\n#endif\n  s[2] = 3;\n}\n";
  CHECK(statements_of(text, [](std::uint32_t line) { return line == 5; }).end_of(0).line == 7);
  const Statements open = statements_of(text, [](std::uint32_t line) { return line == 3; });
  CHECK(open.block_of(7) != open.function_of(7));
}
