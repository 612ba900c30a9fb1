#include <bit>

#include "common/simulator/ptx.hpp"
#include "common/testing/catch.hpp"
#include "reading.hpp"

using namespace warpwise::simulator::ptx;
using namespace warpwise::simulator::ptx::testing;
using warpwise::testing::ContainsSubstring;

namespace {

const std::string registers =
    ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .f32 %f<8>; .shared .b32 s[8];\n";

/// `text` read and written again.
std::string again(const std::string& text) {
  const Module module = read(kernel(registers + text));
  return disassemble(module, module.functions.at(0), module.functions.at(0).code.at(0));
}

Operand operand(const std::string& text) {
  return read_body(registers + "op.b32 " + text + ";").code.at(0).operands.at(0);
}

}  // namespace

TEST_CASE("instructions are read and written again alike") {
  const auto text = GENERATE(
      as<std::string>{}, "ret;", "bar.sync 0;", "@%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8];",
      "@!%p1 add.s32 %r1, %r2, -5;", "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;",
      "shfl.sync.down.b32 %r1|_, %r2, 16, 31, -1;", "mov.b64 {%r1, _}, %rd1;", "mov.u32 %r1, %tid.x;",
      "mov.u32 %r1, %lanemask_lt;", "st.shared::cta.b32 [s+4], %r1;", "ld.param.u64 %rd1, [in];",
      "ld.global.b32 %r1, [%rd1-16];", "mov.u32 %r1, s+8;", "ld.global.b32 %r1, [64];",
      "add.f32 %f1, %f2, 0d3FF0000000000000;", "neg.s32 %r1, -%r2;", "fence.proxy.async::generic.acquire;",
      "cp.async.bulk.tensor.2d.global [%rd1, {%r2, %r3}], [%r4];");
  CHECK(again(text) == text);
}

TEST_CASE("modifiers answer for their types") {
  const Instruction instruction = read_body(registers + "cvt.rn.f32.s32 %f1, %r1;").code.at(0);
  CHECK(instruction.type() == Type::s32);
  CHECK(instruction.type(1) == Type::f32);
  CHECK(instruction.type(2) == Type::none);
  CHECK(instruction.has("rn"));
  CHECK_FALSE(instruction.has("f16"));
  CHECK(instruction.spelled() == "cvt.rn.f32.s32");
}

TEST_CASE("operands of each kind") {
  CHECK(operand("0x10").bits == 16);
  CHECK(operand("(1+2)*4").bits == 12);
  CHECK(operand("-1").bits == ~std::uint64_t{0});
  CHECK(operand("0f3F800000").is_float);
  CHECK(std::bit_cast<double>(operand("-1.5").bits) == -1.5);
  CHECK(operand("WARP_SZ").bits == 32);
  CHECK(operand("%ctaid.z").symbol == "ctaid.z");
  CHECK(operand("_").kind == Operand::Kind::sink);
  CHECK(operand("!%p1").is_negated);
  CHECK(operand("s+12").offset == 12);
  CHECK(operand("n").kind == Operand::Kind::param);
  CHECK(operand("[n+2]").base == Operand::Kind::param);
  CHECK(operand("[s]").base == Operand::Kind::variable);
  CHECK(operand("[%rd1+-8]").offset == -8);
  CHECK(operand("[8+8]").bits == 16);
  CHECK(operand("{%r1, 2, _}").elements.size() == 3);
  CHECK(operand("%r1|%p1").is_pair);
}

TEST_CASE("inner scopes hide outer registers") {
  const Function function = read_body(
      ".reg .b32 %r<3>; .reg .pred p;\nmov.u32 %r1, 0; { .reg .f32 %r1; mov.f32 %r1, %r2; } mov.u32 %r1, 1;");
  const RegisterId outer = function.code[0].operands[0].reg;
  const RegisterId inner = function.code[1].operands[0].reg;
  CHECK(function.registers[outer].type == Type::b32);
  CHECK(function.registers[inner].type == Type::f32);
  CHECK(function.code[2].operands[0].reg == outer);
  CHECK(function.registers[function.code[1].operands[1].reg].name == "%r2");
}

TEST_CASE("ranges of registers whose names end in digits") {
  const Function function =
      read_body(".reg .b32 %r1<3>, %x; .reg .b64 %r2<2>;\nmov.b32 %r12, %x; mov.b64 %r21, 0;");
  CHECK(function.registers[function.code[0].operands[0].reg].name == "%r12");
  CHECK(function.registers[function.code[1].operands[0].reg].type == Type::b64);
}

TEST_CASE("labels are places in the code, forward and backward, and belong to their scope") {
  const Function function = read_body(
      ".reg .pred p;\nA: @p bra B;\nbra.uni A;\nB:\n"
      "{ @p bra A; A: membar.gl; }\n{ @p bra A; membar.gl; A: }\nbra B;");
  CHECK(function.code[0].operands[0].target == 2);
  CHECK(function.code[1].operands[0].target == 0);
  CHECK(function.code[2].operands[0].target == 3);
  CHECK(function.code[4].operands[0].target == 6);
  CHECK(function.code[6].operands[0].target == 2);
}

TEST_CASE("lists of branch targets are resolved") {
  const Function function =
      read_body(".reg .b32 i;\nts: .branchtargets A, B, A;\nbrx.idx i, ts;\nA: membar.gl;\nB: ret;");
  REQUIRE(function.target_lists.size() == 1);
  CHECK(function.target_lists[0].name == "ts");
  CHECK(function.target_lists[0].targets == std::vector<std::uint32_t>{1, 2, 1});
  CHECK(function.code[0].operands[1].symbol == "ts");
}

TEST_CASE("no body runs off its end") {
  CHECK(read_body("").code.back().opcode == "ret");
  CHECK(read_body("ret;").code.size() == 1);
  CHECK(read_body(".reg .pred p;\n@p ret;").code.size() == 2);
  const Function function = read_body("bra END;\nEND:");
  REQUIRE(function.code.size() == 2);
  CHECK(function.code[0].operands[0].target == 1);
}

TEST_CASE("errors name the line and what was expected") {
  struct Case {
    const char* body;
    std::uint32_t line;
    const char* message;
  };
  const auto each = GENERATE(Catch::Generators::values<Case>({
      {"\nmov.u32 %r1, 0;", 6, "expected a declared register, found '%r1'"},
      {".reg .b32 %r<2>;\nmov.u32 %r2, 0;", 6, "expected a declared register, found '%r2'"},
      {".reg .b32 %r<2>;\nmov.u32 %r01, 0;", 6, "'%r01'"},
      {".reg .b32 x;\n.reg .b32 x;", 6, "'x' is declared a second time"},
      {".reg .b32 %r1;\n.reg .b32 %r<9>;", 5, "'%r1' is declared a second time"},
      {".reg .b32 %r<20>;\n.reg .b32 %r1<2>;", 6, "'%r10' is declared a second time"},
      {".reg .b32 x<1200000>;\n.reg .b32 y<1200000>;", 6, "2^21 registers"},
      {"bra NOWHERE;", 5, "expected a label of this function, found 'NOWHERE'"},
      {"bra 4;", 5, "expected a label after bra"},
      {"{ A: }\nbra A;", 6, "'A', which is not defined"},
      {"A: A:", 5, "second time"},
      {"ts: .branchtargets A;", 5, "'A', which is not defined"},
      {".reg .b32 x;\n@x ret;", 6, "expected a predicate register after '@'"},
      {".reg .b32 x;\nmov.u32 x, y;", 6, "found 'y', which is not declared"},
      {".reg .b32 x;\n\nmov.u32 x 1;", 7, "expected ';' after an instruction, found '1'"},
      {".reg .b32 x;\nmov.u32 x,;", 6, "expected an operand"},
      {".reg .b32 x;\nld.b32 x, [k];", 6, "expected data in this address"},
      {".reg .b32 x;\nld.b32 x, [x;", 6, "expected ']'"},
      {".reg .b32 x;\nmov.b64 x, {x, {x, x}};", 6, "in this list"},
      {".reg .b32 x;\nmov.b64 x|1, x;", 6, "after '|'"},
      {".reg .b32 x;\nmov.u32 x, %tid.q;", 6, ".x, .y, .z or .w"},
      {".reg .v4 .f32 x;", 5, "vectors are not supported"},
      {".reg .what x;", 5, "expected a type after .reg"},
      {".what;", 5, "found '.what'"},
      {"}", 6, "expected a directive of a module"},
      {".loc 9 1 1\nret;", 5, "expected a .file directive with number 9"},
      {".loc 1 1 1, odd 1", 5, "expected function_name or inlined_at"},
      {"#", 5, "found the character '#'"},
  }));
  CAPTURE(each.body);
  const Error error = error_of(kernel(each.body));
  CHECK(error.line() == each.line);
  CHECK_THAT(error.what(), ContainsSubstring(each.message));
  CHECK_THAT(error.what(), ContainsSubstring("test.ptx:" + std::to_string(each.line) + ": "));
}

TEST_CASE("deep nesting ends in an error") {
  CHECK_THAT(error_of(kernel(std::string(100000, '{'))).what(), ContainsSubstring("nested"));
  const auto opening = GENERATE(as<std::string>{}, "(", "- ", "~", "1 + (", "1 ? ", "!");
  std::string expression;
  for (int i = 0; i < 100000; ++i) expression += opening;
  CHECK_THAT(error_of(".global .u32 x = " + expression).what(), ContainsSubstring("nested"));
}
