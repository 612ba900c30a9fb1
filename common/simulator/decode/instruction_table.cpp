#include <algorithm>

#include "decoder.hpp"

namespace warpwise::simulator::decode {

namespace {

using D = FunctionDecoder;

constexpr InstructionRow instruction_rows[] = {
    // Data movement (9.7.9)
    {"mov", "9.7.9.3", &D::decode_move},
    {"ld", "9.7.9.8", &D::decode_load_store},
    {"ldu", "9.7.9.10", &D::decode_load_store},
    {"st", "9.7.9.11", &D::decode_load_store},
    {"mapa", "9.7.9.24", &D::decode_map_address},
    {"prefetch", "9.7.9.15", &D::decode_nothing},
    {"prefetchu", "9.7.9.15", &D::decode_nothing},
    {"cp", "9.7.9.25", &D::decode_async_copy},
    {"discard", "9.7.9.17", &D::decode_nothing},
    {"shfl", "9.7.9.6", &D::decode_shuffle},
    // Control flow (9.7.12)
    {"bra", "9.7.12.3", &D::decode_branch},
    {"brx", "9.7.12.4", &D::decode_branch_table},
    {"call", "9.7.12.5", &D::decode_call},
    {"ret", "9.7.12.6", &D::decode_return},
    {"exit", "9.7.12.7", &D::decode_exit},
    // Synchronisation and communication (9.7.13)
    {"bar", "9.7.13.1", &D::decode_block_barrier},
    {"barrier", "9.7.13.1", &D::decode_block_barrier},
    {"membar", "9.7.13.4", &D::decode_fence},
    {"fence", "9.7.13.4", &D::decode_fence},
    {"atom", "9.7.13.5", &D::decode_atomic},
    {"red", "9.7.13.7", &D::decode_atomic},
    {"vote", "9.7.13.9", &D::decode_vote},
    {"match", "9.7.13.10", &D::decode_match},
    {"activemask", "9.7.13.11", &D::decode_active_mask},
    {"redux", "9.7.13.12", &D::decode_redux},
    {"griddepcontrol", "9.7.13.13", &D::decode_nothing},
    {"elect", "9.7.13.14", &D::decode_elect},
    // Miscellaneous (9.7.19)
    {"brkpt", "9.7.19.1", &D::decode_nothing},
    {"nanosleep", "9.7.19.2", &D::decode_sleep},
    {"pmevent", "9.7.19.3", &D::decode_nothing},
    {"trap", "9.7.19.4", &D::decode_trap},
    {"setmaxnreg", "9.7.19.5", &D::decode_nothing},
    {"pragma", "11.5.1", &D::decode_nothing},
};

}  // namespace

const InstructionRow* find_instruction(std::string_view opcode) {
  const auto at = std::find_if(std::begin(instruction_rows), std::end(instruction_rows),
                               [&](const InstructionRow& row) { return row.opcode == opcode; });
  return at == std::end(instruction_rows) ? nullptr : at;
}

void allow_modifiers(const ptx::Instruction& text, std::initializer_list<std::string_view> known) {
  for (const std::string& modifier : text.modifiers) {
    if (ptx::type_from(modifier) || modifier.starts_with("L1::") || modifier.starts_with("L2::")) continue;
    if (std::find(known.begin(), known.end(), modifier) == known.end())
      throw std::invalid_argument("modifier ." + modifier + " is not supported");
  }
}

void expect_operands(const ptx::Instruction& text, std::size_t least, std::size_t most) {
  if (text.operands.size() < least || text.operands.size() > most)
    throw std::invalid_argument("wrong number of operands");
}

}  // namespace warpwise::simulator::decode
