#pragma once
/// \file What lanes that meet at a `*.sync` instruction exchange: pure functions on gathered values.
/// Nobody waits here: `executing` (or `members`) are the lanes that have arrived and execute together.
/// Source: PTX ISA 9.0, sections 9.7.9.6 (shfl), 9.7.13.9 to 9.7.13.14 (vote, match, activemask, redux,
/// elect).

#include <cstdint>
#include <optional>
#include <string_view>

#include "../../ptx.hpp"
#include "lane_operation.hpp"

namespace warpwise::simulator::decode::instructions {

enum class ShuffleMode : std::uint8_t { up, down, bfly, idx };
/// "up" -> ShuffleMode::up; nothing where `text` is no mode.
std::optional<ShuffleMode> shuffle_mode_from(std::string_view text);

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
std::optional<VoteMode> vote_mode_from(std::string_view text);

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
