#include "common/simulator/ptx/parser.hpp"

#include <functional>

#include "common/testing/catch.hpp"
#include "reading.hpp"

using namespace warpwise::simulator::ptx;
using namespace warpwise::simulator::ptx::testing;

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
