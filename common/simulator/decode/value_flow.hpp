#pragma once
/// \file How the bits of an instruction's results depend on those of its operands, read off its row
/// (ptx::Result).
///
/// ValueFlow is what the machine needs, to tell what is undefined in a result where something is undefined in
/// an operand. The questions below it are those of whoever follows values through the text of a function.

#include <array>
#include <cstdint>
#include <vector>

#include "instructions/operations.hpp"

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
  std::array<instructions::Width, instructions::max_rows> widths{};
};

/// `operation` is what find_lane_operation() gave for `text`.
ValueFlow flow_of(const ptx::Instruction& text, const instructions::LaneOperation& operation);

/// Hands on the bits of its one source.
bool is_move(const ptx::Instruction& text);
/// Takes whole bytes out of a value, or puts them to another place, from where a join picks them up.
bool places_bytes(const ptx::Instruction& text);
/// Puts bytes of several values together, whatever these are.
bool joins_bytes(const ptx::Instruction& text);
/// Likewise where one of its operands has been placed: an `or`.
bool joins_placed_bytes(const ptx::Instruction& text);
/// `bfi.b64 d, a, b, 32, 32`: a becomes the upper half of b. nvcc 13.5 puts a value of 64 bits together this
/// way.
bool joins_two_words(const ptx::Instruction& text);
/// The operands of which the result has bits where they stand; of a field that is put in, the word around it.
std::vector<const ptx::Operand*> words_around(const ptx::Instruction& text);

}  // namespace warpwise::simulator::decode
