#pragma once
/// \file The door between the decoder and the table of instructions that work lane by lane.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "../../launch.hpp"
#include "../../ptx.hpp"

namespace warpwise::simulator::decode::instructions {

// Rows: how a warp's registers lie in memory.

/// One value a lane, side by side, so that the compiler vectorises a loop over lanes.
template <class T>
using Lanes = T[warp_size];

/// How one register of a warp is stored in a frame.
/// Every type of at most 32 bits has 32-bit cells: lane i's value in the low bits of cell i, the rest
/// unspecified.
enum class Width : std::uint8_t {
  pred,  ///< one LaneMask for the whole warp
  b32,   ///< std::uint32_t[32]
  b64,   ///< std::uint64_t[32]
  b128,  ///< two std::uint64_t[32], low halves first
};

/// Byte offset of a row (or of a predicate's mask) in a warp's frame. Registers, immediates and special
/// registers are all rows of the frame, so that an instruction never asks what kind its operand is.
using Row = std::uint32_t;

template <class T>
T* row_of(std::byte* frame, Row row) {
  return reinterpret_cast<T*>(frame + row);
}

/// Computes `rows[destinations...] = f(rows[sources...])` for every lane of `active`, and leaves other lanes
/// as they are.
using LaneFunction = void (*)(std::byte* frame, const Row* rows, LaneMask active);

inline constexpr std::size_t max_rows = 8;

/// What the decoder needs to lay out the operands of one lane-wise instruction.
/// `widths[i]` belongs to the i-th operand after flattening vectors and pairs in the order of the text.
struct LaneOperation {
  LaneFunction run = nullptr;
  std::uint8_t operands = 0;
  std::array<Width, max_rows> widths{};
  /// Type that an immediate in this place is converted to before it becomes a row (none for places that hold
  /// registers only).
  /// A floating-point immediate in a place of a bit type (b16, b32, b64) means the bits of that value as f16,
  /// f32, f64.
  std::array<ptx::Type, max_rows> immediate_types{};
  /// add.cc, addc, sub.cc, subc, mad.cc, madc: the condition code register CC.CF (PTX ISA 9.7.2) is one more
  /// predicate row, rows[operands], that stands in no text: the decoder gives each frame one such LaneMask
  /// and appends its row after those of the operands.
  bool uses_carry = false;
  /// A number that the decoder hands on in rows[modifier_row]: which of its many forms an instruction has,
  /// where a function for each of them would take long to compile and run no faster (the 14 ways of setp to
  /// combine).
  std::optional<Row> modifier;
};
inline constexpr std::size_t modifier_row = max_rows - 1;

/// Finds the lane function for an arithmetic, logic, comparison, conversion or move instruction.
/// `function` gives the types of the registers, which may be wider than the instruction asks (PTX ISA 9.4.1).
/// `!` in front of a predicate source (`setp.lt.and.s32 p, a, b, !q`) is part of the function found: the row
/// is that of the plain predicate. `_` needs a row of its width that nobody reads.
/// Returns nothing where the opcode is not lane-wise (the decoder then tries its own instructions), and
/// throws ptx::Error's message text as std::invalid_argument where the opcode is known and its form is not.
std::optional<LaneOperation> find_lane_operation(const ptx::Instruction& instruction,
                                                 const ptx::Function& function);

// ld.param and st.param inside functions: lane-wise, because a parameter lies in the frame.

/// Rows: 0 .. elements-1 data, 4 start of the place, 5 its stride, 6 the displacement.
/// nullptr where there is no such form.
LaneFunction find_parameter_load(std::uint32_t element_bytes, bool is_signed, Width width,
                                 std::uint32_t elements);
LaneFunction find_parameter_store(std::uint32_t element_bytes, Width width, std::uint32_t elements);
/// A kernel's parameters are rows already: copies rows[4 + e] to rows[e].
LaneFunction find_parameter_copy(Width width, std::uint32_t elements);

}  // namespace warpwise::simulator::decode::instructions
