/// \file Whole files: what nvcc 13.0 made of the .cu files in data/ (-ptx -lineinfo), the grammar by hand,
/// and the corpus that the fuzzer left.

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "common/simulator/ptx.hpp"
#include "common/testing/catch.hpp"
#include "fuzz_corpus.hpp"
#include "reading.hpp"

using namespace warpwise::simulator::ptx;
using namespace warpwise::simulator::ptx::testing;

namespace {

Module data(const std::string& name) { return read_module_file(WARPWISE_SOURCE_DIR "/tests/data/" + name); }

std::set<std::uint32_t> lines_of(const Module& module, std::string_view opcode, std::string_view modifier) {
  std::set<std::uint32_t> lines;
  for (const Function& function : module.functions)
    for (const Instruction& each : function.code)
      if (each.opcode == opcode && each.has(modifier)) lines.insert(source_of(module, each.location).line);
  return lines;
}

const Variable* variable(const Module& module, std::string_view part) {
  for (const Variable& each : module.variables)
    if (each.name.find(part) != std::string::npos) return &each;
  return nullptr;
}

}  // namespace

TEST_CASE("a block reduction of nvcc") {
  const Module module = data("block_reduction.compute_75.ptx");
  const Function* kernel = module.find_function("reduce_static");
  REQUIRE(kernel != nullptr);
  CHECK(kernel->formals == 3);
  CHECK(kernel->max_threads == 256u);
  const Variable* partial = variable(module, "partial");
  REQUIRE(partial != nullptr);
  CHECK(partial->function == "reduce_static");
  CHECK(partial->bytes == 1024);
  CHECK(variable(module, "dynamic")->is_extern);
  CHECK(lines_of(module, "bar", "sync") == std::set<std::uint32_t>{7, 11, 18});
}

TEST_CASE("calls, tables and printf of nvcc") {
  const Module module = data("calls.compute_75.ptx");
  CHECK(module.find_function("vprintf")->is_declaration);
  CHECK(module.find_function("_Z5twicef")->returns.size() == 1);
  CHECK(module.find_function("_Z6rotate5Tablei")->parameters.at(0).bytes == 80);
  const Variable* operations = variable(module, "operations");
  REQUIRE(operations->relocations.size() == 2);
  CHECK(operations->relocations[1].symbol == "_Z6squaref");
  CHECK(operations->relocations[1].offset == 8);
  CHECK(variable(module, "pointer_to_counter")->relocations.at(0).is_generic);
  CHECK(variable(module, "weights")->space == Space::constant);
  const Function* kernel = module.find_function("call_them");
  const auto is_indirect = [](const Instruction& each) {
    return each.opcode == "call" && each.operands.size() == 4 && each.operands[1].kind == Operand::Kind::reg;
  };
  CHECK(std::count_if(kernel->code.begin(), kernel->code.end(), is_indirect) == 1);
  REQUIRE(kernel->target_lists.size() == 1);
  CHECK(kernel->target_lists[0].name == "prototype_1");
}

TEST_CASE("inline PTX with scopes and labels of its own") {
  const Module module = data("warp.compute_75.ptx");
  CHECK(lines_of(module, "match", "any") == std::set<std::uint32_t>{17});
  CHECK(lines_of(module, "shfl", "up") == std::set<std::uint32_t>{10});
  const Function* kernel = module.find_function("scan_warp");
  const auto is_scoped = [](const Register& each) { return each.name == "t"; };
  CHECK(std::count_if(kernel->registers.begin(), kernel->registers.end(), is_scoped) == 2);
}

TEST_CASE("lines inlined out of CUB are the student's") {
  const Module module = data("cub_block.compute_90.ptx");
  CHECK(lines_of(module, "bar", "sync") == std::set<std::uint32_t>{6});
}

TEST_CASE("the grammar by hand") {
  const Module module = data("grammar.ptx");
  CHECK(module.functions.size() == 5);
  const Function* kernel = module.find_function("kernel");
  CHECK(kernel->max_threads == 256u);
  CHECK(kernel->target_lists.size() == 3);
  CHECK(kernel->target_lists[0].targets == std::vector<std::uint32_t>{19, 20, 25});
  CHECK(disassemble(module, *kernel, kernel->code[3]) == "setp.lt.and.s32 %p1|q, %r1, %r2, !%p2;");
}

TEST_CASE("every text of the corpus gives a module or an error") {
  const auto texts = read_fuzz_corpus(WARPWISE_SOURCE_DIR "/tests/corpus.txt");
  CHECK(texts.size() >= 147);
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
  std::ifstream file(WARPWISE_SOURCE_DIR "/tests/data/grammar.ptx", std::ios::binary);
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
