/// \file Whole modules: what the compiler makes of compiler_output.cu, the grammar by hand, the corpus that
/// the fuzzer left, and modules that somebody has damaged.

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

#include "common/simulator/ptx/parser.hpp"
#include "common/testing/catch.hpp"
#include "fuzz_corpus.hpp"
#include "reading.hpp"

using namespace warpwise::simulator::ptx;
using namespace warpwise::simulator::ptx::testing;

namespace {

const std::string grammar = WARPWISE_SOURCE_DIR "/tests/grammar.ptx";

const Module& compiled() {
  static const Module module = read_module_file(WARPWISE_BINARY_DIR "/tests/compiler_output.ptx");
  return module;
}

std::set<std::uint32_t> lines_of(std::string_view opcode, std::string_view modifier) {
  std::set<std::uint32_t> lines;
  for (const Function& function : compiled().functions)
    for (const Instruction& each : function.code)
      if (each.opcode == opcode && each.has(modifier))
        lines.insert(source_of(compiled(), each.location).line);
  return lines;
}

/// By the end of its name: that of a variable of a function begins with the function's.
const Variable* variable(std::string_view name) {
  for (const Variable& each : compiled().variables)
    if (each.name.ends_with(name)) return &each;
  return nullptr;
}

}  // namespace

TEST_CASE("a block reduction, compiled") {
  const Function* kernel = compiled().find_function("reduce_static");
  REQUIRE(kernel != nullptr);
  CHECK(kernel->formals == 3);
  CHECK(kernel->max_threads == 256u);
  const Variable* partial = variable("partial");
  REQUIRE(partial != nullptr);
  CHECK(partial->function == "reduce_static");
  CHECK(partial->bytes == 1024);
  CHECK(variable("dynamic")->is_extern);
}

TEST_CASE("calls, tables and printf, compiled") {
  CHECK(compiled().find_function("vprintf")->is_declaration);
  CHECK(compiled().find_function("_Z5twicef")->returns.size() == 1);
  CHECK(compiled().find_function("_Z6rotate5Tablei")->parameters.at(0).bytes == 80);
  const Variable* operations = variable("operations");
  REQUIRE(operations->relocations.size() == 2);
  CHECK(operations->relocations[1].symbol == "_Z6squaref");
  CHECK(operations->relocations[1].offset == 8);
  CHECK(variable("pointer_to_counter")->relocations.at(0).is_generic);
  CHECK(variable("weights")->space == Space::constant);
  const Function* kernel = compiled().find_function("call_them");
  const auto is_indirect = [](const Instruction& each) {
    return each.opcode == "call" && each.operands.size() == 4 && each.operands[1].kind == Operand::Kind::reg;
  };
  CHECK(std::count_if(kernel->code.begin(), kernel->code.end(), is_indirect) == 1);
  REQUIRE(kernel->target_lists.size() == 1);
  CHECK(kernel->target_lists[0].name.starts_with("prototype_"));
}

TEST_CASE("inline PTX with scopes and labels of its own") {
  CHECK(lines_of("match", "any") == std::set<std::uint32_t>{101});
  const std::set<std::uint32_t> shuffles = lines_of("shfl", "up");
  REQUIRE(shuffles.size() == 1);
  CHECK((*shuffles.begin() >= 90 && *shuffles.begin() <= 94));  // the asm statement
  const Function* kernel = compiled().find_function("scan_warp");
  const auto is_scoped = [](const Register& each) { return each.name == "t"; };
  CHECK(std::count_if(kernel->registers.begin(), kernel->registers.end(), is_scoped) == 2);
}

TEST_CASE("barriers are in the student's lines, those inlined out of CUB too") {
  CHECK(lines_of("bar", "sync") == std::set<std::uint32_t>{12, 16, 23, 82});
}

TEST_CASE("the grammar by hand") {
  const Module module = read_module_file(grammar);
  CHECK(module.functions.size() == 5);
  const Function* kernel = module.find_function("kernel");
  CHECK(kernel->max_threads == 256u);
  CHECK(kernel->target_lists.size() == 3);
  CHECK(kernel->target_lists[0].targets == std::vector<std::uint32_t>{19, 20, 25});
  CHECK(disassemble(module, *kernel, kernel->code[3]) == "setp.lt.and.s32 %p1|q, %r1, %r2, !%p2;");
}

TEST_CASE("every text of the corpus gives a module or an error") {
  const auto texts = read_fuzz_corpus(WARPWISE_SOURCE_DIR "/tests/corpus.txt");
  CHECK(texts.size() >= 146);
  for (const FuzzText& text : texts) {
    CAPTURE(text.name);
    try {
      const Module module = read_module(text.bytes, text.name);
      for (const Function& function : module.functions) disassemble(module, function);
    } catch (const Error& error) {
      CHECK_FALSE(std::string(error.what()).empty());
    }
  }
}

TEST_CASE("every beginning of a file gives a module or an error") {
  std::ifstream file(grammar, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  REQUIRE(text.size() > 1000);
  std::size_t errors = 0;
  for (std::size_t length = 0; length < text.size(); ++length) {
    try {
      read_module(std::string_view(text).substr(0, length), "part.ptx");
    } catch (const Error&) {
      ++errors;
    }
  }
  CHECK(errors > text.size() / 2);
}

// ---- validate()

namespace {

Module good() {
  return read(
      ".file 1 \"a.cu\"\n.global .u64 v[2] = {v, 0};\n.func f() { ret; }\n"
      ".entry k(.param .u32 n) { .reg .pred p; .reg .b32 r<2>; .loc 1 2 3\n"
      "@p bra END; ld.param.u32 r0, [n]; mov.b64 {r0, r1}, v; call f; END: ret; }");
}

Instruction& code(Module& module, std::size_t index) { return module.functions.at(1).code.at(index); }

}  // namespace

TEST_CASE("what the reader gives is valid") { CHECK_NOTHROW(validate(good())); }

TEST_CASE("each reference that leads nowhere is found") {
  using Break = std::function<void(Module&)>;
  const auto damage = GENERATE(Catch::Generators::values<Break>({
      [](Module& m) { code(m, 0).guard->reg = 99; },
      [](Module& m) { code(m, 0).guard->reg = 1; },
      [](Module& m) { code(m, 0).operands[0].target = 99; },
      [](Module& m) { code(m, 0).location = 1; },
      [](Module& m) { code(m, 1).operands[0].reg = 3; },
      [](Module& m) { code(m, 1).operands[1].param = 1; },
      [](Module& m) { code(m, 1).operands[1].base = Operand::Kind::sink; },
      [](Module& m) { code(m, 2).operands[0].elements[1].reg = 3; },
      [](Module& m) { code(m, 2).operands[0].is_pair = true, code(m, 2).operands[0].elements.pop_back(); },
      [](Module& m) { code(m, 2).operands[1].variable = 1; },
      [](Module& m) { code(m, 3).operands[0].symbol = "g"; },
      [](Module& m) { m.functions[1].code.clear(); },
      [](Module& m) { m.functions[1].is_declaration = true; },
      [](Module& m) { m.functions[1].formals = 2; },
      [](Module& m) {
        m.functions[1].target_lists.push_back({"t", {99}});
      },
      [](Module& m) { m.functions.push_back(m.functions[0]); },
      [](Module& m) { m.variables.push_back(m.variables[0]); },
      [](Module& m) { m.variables[0].initial.pop_back(); },
      [](Module& m) { m.variables[0].relocations[0].offset = 9; },
      [](Module& m) { m.locations[0].inlined_at = 0; },
  }));
  Module module = good();
  damage(module);
  CHECK_THROWS_AS(validate(module), Error);
}
