#pragma once
/// \file The functions that instructions run, as the decoder and the machine ask for them: of one lane (found
/// by the table of instructions), of atomics, of lanes that meet.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

/// The width of a register of `type`.
Width width_of(ptx::Type type);

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

/// Rows: 0 .. elements-1 data, 4 start of the place, 5 its stride, 6 the displacement, modifier_row the
/// number of elements. nullptr where there is no such form.
LaneFunction find_parameter_load(std::uint32_t element_bytes, bool is_signed, Width width);
LaneFunction find_parameter_store(std::uint32_t element_bytes, Width width);
/// A kernel's parameters are rows already: copies rows[4 + e] to rows[e].
LaneFunction find_parameter_copy(Width width, std::uint32_t elements);

// ---- What `atom` and `red` do to one place of memory, as a pure function of old value
// and operands. Making it indivisible is the memory's business. Source: PTX ISA 9.0, sections 9.7.13.5
// (atom), 9.7.13.6 (red).

/// The new value. Values of fewer than 64 bits lie in the low bits; the rest of the arguments is ignored and
/// the rest of the result is 0. For `cas` the result is `operand` where old == `compare`, else old, where
/// PTX writes `atom.cas d, [a], compare, operand`: its b is `compare` and its c is `operand` here. Other
/// operations ignore `compare`.
using AtomicFunction = std::uint64_t (*)(std::uint64_t old, std::uint64_t operand, std::uint64_t compare);

/// `op`: add min max and or xor inc dec exch cas; `type` as in the text. nullptr where there is no such form.
/// f16 and bf16 never flush (PTX demands .noftz), f16x2 and bf16x2 work on both halves (the hardware makes
/// each half indivisible, not the pair). f32 add keeps subnormals, as the hardware does in shared memory; see
/// atomic_add_f32_flushed for global memory.
AtomicFunction find_atomic(std::string_view op, ptx::Type type);

/// As find_atomic("add", Type::f32), but subnormal inputs and results become zeros of the same sign: what
/// `atom.add.f32` and `red.add.f32` do in global memory (PTX ISA 9.7.13.5, "Semantics").
AtomicFunction atomic_add_f32_flushed();

// ---- What lanes that meet at a `*.sync` instruction exchange: pure functions on gathered
// values. Nobody waits here: `executing` (or `members`) are the lanes that have arrived and execute together.
// Source: PTX ISA 9.0, sections 9.7.9.6 (shfl), 9.7.13.9 to 9.7.13.14 (vote, match, activemask, redux,
// elect).

enum class ShuffleMode : std::uint8_t { up, down, bfly, idx };

struct ShuffleResult {
  /// Lane that lane i reads from (i itself where its predicate is false). Whether that lane takes part is
  /// for the caller to check: reading from a lane that does not is undefined.
  Lanes<std::uint8_t> source;
  /// The predicate of `shfl.sync d|p`: the source lane was in range. Only lanes of `executing`.
  LaneMask in_range = 0;
};

/// `b` is the operand "source lane or delta", `c` packs clamp value (bits 0-4) and segment mask (bits 8-12).
/// Only lanes of `executing` are computed; the others read themselves.
ShuffleResult shuffle_sources(ShuffleMode mode, const Lanes<std::uint32_t>& b, const Lanes<std::uint32_t>& c,
                              LaneMask executing);

enum class VoteMode : std::uint8_t { all, any, uni, ballot };

/// The value that every lane of `members` gets: for `ballot` the mask itself, else 1 or 0.
/// `predicate` is the source predicate, with its `!` already applied; bits outside `members` are ignored.
constexpr std::uint32_t vote(VoteMode mode, LaneMask predicate, LaneMask members) {
  const LaneMask yes = predicate & members;
  switch (mode) {
    case VoteMode::all:
      return yes == members;
    case VoteMode::any:
      return yes != 0;
    case VoteMode::uni:
      return yes == members || yes == 0;
    case VoteMode::ballot:
      break;
  }
  return yes;
}

/// `match.any.sync`: result[i] = lanes of `members` whose value equals lane i's; only lanes of `members` are
/// written. T is std::uint32_t (b32) or std::uint64_t (b64).
template <class T>
void match_any(const Lanes<T>& value, LaneMask members, Lanes<std::uint32_t>& result) {
  for (LaneMask rest = members; rest != 0;) {
    const T wanted = value[lowest_lane(rest)];
    LaneMask same = 0;
    for (std::uint32_t i = 0; i < warp_size; ++i) same |= LaneMask{value[i] == wanted} << i;
    same &= rest;
    for (LaneMask m = same; m != 0; m &= m - 1) result[lowest_lane(m)] = same;
    rest &= ~same;
  }
}

/// `match.all.sync d|p`: the mask `members` where all values are equal, else 0; p is "not 0".
template <class T>
LaneMask match_all(const Lanes<T>& value, LaneMask members) {
  if (members == 0) return 0;
  const T wanted = value[lowest_lane(members)];
  LaneMask same = 0;
  for (std::uint32_t i = 0; i < warp_size; ++i) same |= LaneMask{value[i] == wanted} << i;
  return (same & members) == members ? members : 0;
}

/// `redux.sync`: the one value that every lane of `members` gets (at least one lane must be a member).
using ReduxFunction = std::uint32_t (*)(const Lanes<std::uint32_t>& value, LaneMask members);

/// Modifiers as in the text: op `add min max and or xor`; type u32, s32 (add, min, max), b32 (and, or, xor)
/// or f32 (min, max, with `.abs` and `.NaN`). nullptr where there is no such form.
ReduxFunction find_redux(std::string_view op, ptx::Type type, bool abs = false, bool nan = false);

/// `elect.sync d|p`: the leader, here the lowest lane. The manual leaves the choice open and says that it is
/// the same for the same mask. d = leader; p is true in that lane alone.
inline std::uint32_t elect(LaneMask members) { return lowest_lane(members); }

}  // namespace warpwise::simulator::decode::instructions
