#include "instruction_rows.hpp"

#include <iterator>
#include <unordered_map>

#include "../ptx.hpp"

namespace warpwise::simulator::ptx {

namespace {

#define WARPWISE_LANE(opcode, section, result, finder)                                                       \
  {opcode,        section, InstructionClass::arithmetic, MemoryAccess::none, Then::next, Destination::first, \
   Result::result},
#define WARPWISE_OTHER(opcode, section, what, access, then, destination, decoder) \
  {opcode,                                                                        \
   section,                                                                       \
   InstructionClass::what,                                                        \
   MemoryAccess::access,                                                          \
   Then::then,                                                                    \
   Destination::destination,                                                      \
   Result::computed},
constexpr InstructionRow rows[] = {WARPWISE_INSTRUCTIONS(WARPWISE_LANE, WARPWISE_OTHER)};
#undef WARPWISE_LANE
#undef WARPWISE_OTHER

constexpr InstructionRow unknown;

}  // namespace

const InstructionRow& row_of(std::string_view name) {
  static const auto known = [] {
    std::unordered_map<std::string_view, const InstructionRow*> by_name;
    for (const InstructionRow& row : rows) by_name.emplace(row.opcode, &row);
    return by_name;
  }();
  const auto at = known.find(name);
  return at == known.end() ? unknown : *at->second;
}

std::size_t index_of(const InstructionRow& row) {
  return &row == &unknown ? std::size(rows) : static_cast<std::size_t>(&row - rows);
}

}  // namespace warpwise::simulator::ptx
