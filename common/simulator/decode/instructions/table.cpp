// The table of lane-wise instructions. Sections are those of the PTX ISA manual, release 9.0 (8.x numbers
// some of 9.7.4 and later one lower, for want of the mixed-precision section 9.7.5).
#include <algorithm>

#include "families.hpp"

namespace warpwise::simulator::decode::instructions {
namespace {

struct TableRow {
  std::string_view opcode;
  std::string_view section;
  Finder find;
};

constexpr TableRow table[] = {
    {"add", "9.7.1.1, 9.7.2.1, 9.7.3.3, 9.7.4.1", find_add},
    {"sub", "9.7.1.2, 9.7.2.3, 9.7.3.4, 9.7.4.2", find_sub},
    {"mul", "9.7.1.3, 9.7.3.5, 9.7.4.3", find_mul},
    {"mad", "9.7.1.4, 9.7.2.5, 9.7.3.7", find_mad},
    {"mul24", "9.7.1.5", find_mul24},
    {"mad24", "9.7.1.6", find_mad24},
    {"sad", "9.7.1.7", find_sad},
    {"div", "9.7.1.8, 9.7.3.8", find_div},
    {"rem", "9.7.1.9", find_rem},
    {"abs", "9.7.1.10, 9.7.3.9, 9.7.4.6", find_abs},
    {"neg", "9.7.1.11, 9.7.3.10, 9.7.4.5", find_neg},
    {"min", "9.7.1.12, 9.7.3.11, 9.7.4.7", find_min},
    {"max", "9.7.1.13, 9.7.3.12, 9.7.4.8", find_max},
    {"popc", "9.7.1.14", find_popc},
    {"clz", "9.7.1.15", find_clz},
    {"bfind", "9.7.1.16", find_bfind},
    {"fns", "9.7.1.17", find_fns},
    {"brev", "9.7.1.18", find_brev},
    {"bfe", "9.7.1.19", find_bfe},
    {"bfi", "9.7.1.20", find_bfi},
    {"szext", "9.7.1.21", find_szext},
    {"bmsk", "9.7.1.22", find_bmsk},
    {"dp4a", "9.7.1.23", find_dp4a},
    {"dp2a", "9.7.1.24", find_dp2a},
    {"addc", "9.7.2.2", find_addc},
    {"subc", "9.7.2.4", find_subc},
    {"madc", "9.7.2.6", find_madc},
    {"testp", "9.7.3.1", find_testp},
    {"copysign", "9.7.3.2", find_copysign},
    {"fma", "9.7.3.6, 9.7.4.4", find_fma},
    {"rcp", "9.7.3.13, 9.7.3.14", find_rcp},
    {"sqrt", "9.7.3.15", find_sqrt},
    {"rsqrt", "9.7.3.16, 9.7.3.17", find_rsqrt},
    {"sin", "9.7.3.18", find_sin},
    {"cos", "9.7.3.19", find_cos},
    {"lg2", "9.7.3.20", find_lg2},
    {"ex2", "9.7.3.21, 9.7.4.10", find_ex2},
    {"tanh", "9.7.3.22, 9.7.4.9", find_tanh},
    {"set", "9.7.6.1, 9.7.7.1", find_set},
    {"setp", "9.7.6.2, 9.7.7.2", find_setp},
    {"selp", "9.7.6.3", find_selp},
    {"slct", "9.7.6.4", find_slct},
    {"and", "9.7.8.1", find_and},
    {"or", "9.7.8.2", find_or},
    {"xor", "9.7.8.3", find_xor},
    {"not", "9.7.8.4", find_not},
    {"cnot", "9.7.8.5", find_cnot},
    {"lop3", "9.7.8.6", find_lop3},
    {"shf", "9.7.8.7", find_shf},
    {"shl", "9.7.8.8", find_shl},
    {"shr", "9.7.8.9", find_shr},
    {"mov", "9.7.9.3, 9.7.9.4", find_mov},
    {"prmt", "9.7.9.7", find_prmt},
    {"isspacep", "9.7.9.19", find_isspacep},
    {"cvta", "9.7.9.20", find_cvta},
    {"cvt", "9.7.9.21", find_cvt},
    {"vabsdiff4", "9.7.17.2", find_vabsdiff4},
};

}  // namespace

std::optional<LaneOperation> find_lane_operation(const ptx::Instruction& instruction,
                                                 const ptx::Function& function) {
  const auto* row = std::find_if(std::begin(table), std::end(table), [&](const auto& candidate) {
    return candidate.opcode == instruction.opcode;
  });
  if (row == std::end(table)) return std::nullopt;
  Form form(instruction, function);
  const LaneOperation operation = row->find(form);
  form.check(operation);
  return operation;
}

}  // namespace warpwise::simulator::decode::instructions
