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
