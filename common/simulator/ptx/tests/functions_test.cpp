/// \file Modules and the headers of their functions; and bodies: instructions, scopes, labels.

#include <bit>

#include "common/testing/catch.hpp"
#include "reading.hpp"

using namespace warpwise::simulator::ptx;
using namespace warpwise::simulator::ptx::testing;
using warpwise::testing::ContainsSubstring;

TEST_CASE("the header names version and target") {
  const Module module = read_module(".version 9.1\n.target sm_90a, debug\n", "m");
  CHECK(module.version_major == 9);
  CHECK(module.version_minor == 1);
  CHECK(module.target == "sm_90a");
}

TEST_CASE("a text may end in NUL, as the driver wants it") {
  CHECK(read_module(std::string_view(".version 9.1\n.target sm_90\n\0", 28), "m").target == "sm_90");
}

TEST_CASE("parameters of a kernel are laid out by their alignment") {
  const Function kernel =
      read(
          ".entry k(.param .u32 n, .param .u64 .ptr .global .align 4 p, .param .align 16 .b8 s[20]) { ret; }")
          .functions.at(0);
  CHECK(kernel.is_kernel);
  CHECK(kernel.formals == 3);
  CHECK(kernel.parameters[1].offset == 8);
  CHECK(kernel.parameters[1].bytes == 8);
  CHECK(kernel.parameters[2].offset == 16);
  CHECK(kernel.parameters[2].bytes == 20);
  CHECK(kernel.parameters[2].align == 16);
}

TEST_CASE("values that a function returns can be stored to") {
  const Function function =
      read(".func (.param .b64 r) f(.param .b32 a) { .reg .b64 x; st.param.b64 [r+0], x; ret; }")
          .functions.at(0);
  REQUIRE(function.returns.size() == 1);
  CHECK(function.formals == 1);
  const Operand& place = function.code[0].operands[0];
  CHECK(place.base == Operand::Kind::param);
  CHECK(place.param == 1);  // the first after the formals
  CHECK(function.parameters[1].name == "r");
  CHECK(function.parameters[1].offset == 8);
}

TEST_CASE("parameters may be registers") {
  const Function function = read(".func (.reg .f32 y) f(.reg .f32 x) { add.f32 y, x, x; }").functions.at(0);
  CHECK(function.parameters[0].is_register);
  CHECK(function.registers[function.parameters[0].reg].name == "x");
  CHECK(function.code[0].operands[0].reg == function.returns[0].reg);
}

TEST_CASE("attributes give the number of threads") {
  const Function kernel =
      read(".entry k() .maxntid 128, 2, 1 .minnctapersm 2 .maxnreg 32 .pragma \"x\"; { ret; }")
          .functions.at(0);
  CHECK(kernel.max_threads == 256u);
  CHECK_FALSE(kernel.required_threads);
  CHECK(read(".entry k() .reqntid 64 { ret; }").functions.at(0).required_threads == 64u);
  CHECK(kernel.cluster_blocks == 1);
  CHECK(read(".entry k() .explicitcluster .reqnctapercluster 4, 2 { ret; }").functions.at(0).cluster_blocks ==
        8);
}

TEST_CASE("a declaration is replaced by its definition") {
  const Module module =
      read(".func f(.param .b32 a);\n.extern .func g();\n.func f(.param .b32 a) { call g; ret; }");
  REQUIRE(module.functions.size() == 2);
  CHECK_FALSE(module.find_function("f")->is_declaration);
  CHECK(module.find_function("f")->code.size() == 2);
  CHECK(module.find_function("g")->is_declaration);
}

TEST_CASE("calls keep their lists as vectors") {
  const Function kernel = read(
                              ".func (.param .b32 r) f(.param .b64 a, .param .b32 b);\n"
                              ".entry k() { .reg .b32 x; .reg .b64 p;\n"
                              "{ .param .b32 o; .param .b64 i; call.uni (o), f, (i, 7); }\n"
                              "proto: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 _);\n"
                              "{ .param .b32 o; .param .b64 i; call (o), p, (i, x), proto; } }")
                              .functions.at(1);
  const std::vector<Operand>& direct = kernel.code[0].operands;
  REQUIRE(direct.size() == 3);
  CHECK(direct[0].elements.at(0).kind == Operand::Kind::param);
  CHECK(direct[1].kind == Operand::Kind::function);
  CHECK(direct[1].symbol == "f");
  CHECK(direct[2].elements.at(1).bits == 7);
  const std::vector<Operand>& indirect = kernel.code[1].operands;
  REQUIRE(indirect.size() == 4);
  CHECK(indirect[1].kind == Operand::Kind::reg);
  CHECK(indirect[3].kind == Operand::Kind::text);
  CHECK(indirect[3].symbol == "proto");
  CHECK(kernel.parameters.size() == 4);
  CHECK(kernel.parameters[2].offset >= kernel.parameters[1].offset + 8);
}

TEST_CASE("an alias stands for its function") {
  const Module module = read(".func f() { ret; }\n.func g();\n.alias g, f;\n.entry k() { call g; ret; }");
  CHECK(module.find_function("k")->code[0].operands[0].symbol == "f");
}

TEST_CASE("sections of debuggers are skipped") {
  CHECK(read(".section .debug_str { a: .b8 1, 2 { } \"}\" }\n.entry k() { ret; }").functions.size() == 1);
}

TEST_CASE("functions that cannot be are errors") {
  struct Case {
    const char* text;
    const char* message;
  };
  const auto each = GENERATE(Catch::Generators::values<Case>({
      {".entry k() { ret; }\n.entry k() { ret; }", "second time"},
      {".func f(.param .b32 a);\n.func f() { ret; }", "other parameters"},
      {".global .u32 f;\n.func f() { ret; }", "name of a variable already"},
      {".func f();\n.global .u32 f;", "name of a function already"},
      {".entry k(.param .b32 a, .param .b32 a) { ret; }", "second time"},
      {".entry k(.reg .b32 a) { ret; }", "expected .param"},
      {".entry k(.param .b8 a[2000000]) { ret; }", "1 MiB"},
      {".entry k() .unheard { ret; }", "directive of a function"},
      {".entry k() .maxntid 65536, 65536, 65536 { ret; }", "2^32"},
      {".entry k() { call nobody; }", "nothing declares"},
      {".entry k() { ret;", "has no end"},
      {".alias a, b;", "declared function"},
      {".address_size 32", "32 bits"},
      {".bogus", "expected a directive of a module, such as .entry, .func or .global, found '.bogus'"},
  }));
  CAPTURE(each.text);
  CHECK_THAT(error_of(each.text).what(), ContainsSubstring(each.message));
}

TEST_CASE("a module begins with version and target") {
  const auto text = GENERATE(as<std::string>{}, "", ".target sm_75", ".version 8",
                             ".version 1e1 .target sm_75", ".version 8.0", ".version 8.0 .target 75");
  CAPTURE(text);
  CHECK_THROWS_AS(read_module(text, "m"), Error);
}

TEST_CASE("a file that cannot be read is an error at line 0") {
  try {
    read_module_file("/nowhere/at/all.ptx");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.line() == 0);
    CHECK(error.file() == "/nowhere/at/all.ptx");
  }
}

// ---- Bodies

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
