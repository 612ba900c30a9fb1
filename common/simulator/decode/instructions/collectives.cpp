#include "operations.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>

#include "integer_math.hpp"
#include "real_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {

namespace {

/// The value of an enumeration by its place among the names of all.
template <class Mode>
std::optional<Mode> mode_named(std::string_view text, std::initializer_list<std::string_view> names) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return std::nullopt;
  return static_cast<Mode>(found - names.begin());
}

}  // namespace

std::optional<ShuffleMode> shuffle_mode_from(std::string_view text) {
  return mode_named<ShuffleMode>(text, {"up", "down", "bfly", "idx"});
}

std::optional<VoteMode> vote_mode_from(std::string_view text) {
  return mode_named<VoteMode>(text, {"all", "any", "uni", "ballot"});
}

namespace {

/// `find(own, b, least, most, segmask)` gives j and whether it is in range; names and order as in the
/// manual's pseudo-code; j may be negative.
template <class Find>
ShuffleResult sources_of(const Lanes<std::uint32_t>& b, const Lanes<std::uint32_t>& c, LaneMask executing,
                         Find find) {
  ShuffleResult result;
  Lanes<std::uint8_t> in_range;
  for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
    const auto own = static_cast<int>(lane);
    const auto bval = static_cast<int>(b[lane] & 31);
    const auto cval = static_cast<int>(c[lane] & 31);
    const auto segmask = static_cast<int>(c[lane] >> 8 & 31);
    const int least = own & segmask;
    const int most = least | (cval & ~segmask);
    const auto [j, is_good] = find(own, bval, least, most, segmask);
    const bool is_in_range = is_good & ((executing >> lane & 1) != 0);
    result.source[lane] = static_cast<std::uint8_t>(is_in_range ? j : own);
    in_range[lane] = is_in_range;
  }
  result.in_range = mask_of(in_range);
  return result;
}

struct Candidate {
  int j;
  bool is_in_range;
};

}  // namespace

ShuffleResult shuffle_sources(ShuffleMode mode, const Lanes<std::uint32_t>& b, const Lanes<std::uint32_t>& c,
                              LaneMask executing) {
  switch (mode) {
    case ShuffleMode::up:
      return sources_of(b, c, executing, [](int own, int bval, int, int most, int) {
        return Candidate{own - bval, own - bval >= most};
      });
    case ShuffleMode::down:
      return sources_of(b, c, executing, [](int own, int bval, int, int most, int) {
        return Candidate{own + bval, own + bval <= most};
      });
    case ShuffleMode::bfly:
      return sources_of(b, c, executing, [](int own, int bval, int, int most, int) {
        return Candidate{own ^ bval, (own ^ bval) <= most};
      });
    case ShuffleMode::idx:
      break;
  }
  return sources_of(b, c, executing, [](int, int bval, int least, int most, int segmask) {
    const int j = least | (bval & ~segmask);
    return Candidate{j, j <= most};
  });
}

namespace {

using ptx::Type;

template <auto f, class T = std::uint32_t>
std::uint32_t fold(const Lanes<std::uint32_t>& value, LaneMask members) {
  auto result = std::bit_cast<T>(value[lowest_lane(members)]);
  for (LaneMask rest = members & (members - 1); rest != 0; rest &= rest - 1) {
    result = f(result, std::bit_cast<T>(value[lowest_lane(rest)]));
  }
  return std::bit_cast<std::uint32_t>(result);
}

/// A single member's value is still an operation's result: `least_or_most` with itself makes NaN canonical.
template <bool is_max, bool abs, bool nan>
std::uint32_t fold_float(const Lanes<std::uint32_t>& value, LaneMask members) {
  const auto read = [&](std::uint32_t lane) {
    return std::bit_cast<float>(abs ? value[lane] & 0x7fffffffu : value[lane]);
  };
  float result = read(lowest_lane(members));
  for (LaneMask rest = members; rest != 0; rest &= rest - 1) {
    result = least_or_most<float, is_max, nan>(result, read(lowest_lane(rest)));
  }
  return std::bit_cast<std::uint32_t>(result);
}
template <bool is_max>
ReduxFunction find_float(bool abs, bool nan) {
  if (abs) return nan ? fold_float<is_max, true, true> : fold_float<is_max, true, false>;
  return nan ? fold_float<is_max, false, true> : fold_float<is_max, false, false>;
}

}  // namespace

ReduxFunction find_redux(std::string_view op, ptx::Type type, bool abs, bool nan) {
  if (type == Type::f32 && op == "min") return find_float<false>(abs, nan);
  if (type == Type::f32 && op == "max") return find_float<true>(abs, nan);
  if (abs || nan) return nullptr;
  if (type == Type::u32 || type == Type::s32) {
    const bool is_signed = type == Type::s32;
    using S = std::int32_t;
    using U = std::uint32_t;
    if (op == "add") return fold<add<U>>;
    if (op == "min") return is_signed ? fold<min<S>, S> : fold<min<U>>;
    if (op == "max") return is_signed ? fold<max<S>, S> : fold<max<U>>;
  }
  if (type == Type::b32) {
    if (op == "and") return fold<bit_and<std::uint32_t>>;
    if (op == "or") return fold<bit_or<std::uint32_t>>;
    if (op == "xor") return fold<bit_xor<std::uint32_t>>;
  }
  return nullptr;
}

}  // namespace warpwise::simulator::decode::instructions
