#pragma once
/// \file How the bits of an instruction's results depend on those of its operands: what is undefined in the
/// result where something is undefined in an operand.

#include <array>
#include <cstdint>

#include "instructions/lane_operation.hpp"

namespace warpwise::simulator::decode {

enum class FlowRule : std::uint8_t {
  nothing,          ///< the results do not depend on the operands, or there are none
  whole,            ///< an undefined bit in an operand makes each result undefined: most of arithmetic
  upwards,          ///< ... makes the bits at its place and above undefined: sums and products of integers
  moved,            ///< bits are moved: the instruction itself says where to, `controls` apart
  logic,            ///< bit by bit, by the `table` of lop3: 0 and anything is 0
  chosen,           ///< selp: the operand that is chosen
  compared,         ///< setp.eq, setp.ne: one bit that differs decides
  parameter_load,   ///< from the area of a function's parameter
  parameter_store,  ///< to it
};

/// Of one lane-wise instruction. Operands are numbered as its rows, results first.
struct ValueFlow {
  FlowRule rule = FlowRule::nothing;
  std::uint8_t results = 0;
  std::uint8_t operands = 0;   ///< with the results
  std::uint8_t controls = 0;   ///< bit i: operand i says where bits are moved to
  std::uint8_t table = 0;      ///< of `logic`
  bool is_copy = false;        ///< mov, selp: nothing is computed
  bool has_carry = false;      ///< the row behind the operands is the carry, read and written
  std::uint64_t compared = 0;  ///< bits of a cell that `compared` looks at
  std::array<Width, max_rows> widths{};
};

/// `operation` is what find_lane_operation() gave for `text`.
ValueFlow flow_of(const ptx::Instruction& text, const LaneOperation& operation);

}  // namespace warpwise::simulator::decode
