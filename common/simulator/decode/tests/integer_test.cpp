// Integer instructions against arithmetic in 128 bits, and known values.
#include <algorithm>
#include <limits>

#include "lane_test.hpp"

using namespace warpwise::simulator;
using namespace warpwise::simulator::decode::instructions;
using namespace warpwise::simulator::decode::instructions::lane_test;

namespace {

__extension__ using Int = __int128;

template <class T>
void check_all(const std::string& type) {
  constexpr int width = 8 * sizeof(T);
  Check<T, T, T>("add." + type, 2).against([](T a, T b) { return static_cast<T>(Int{a} + b); });
  Check<T, T, T>("sub." + type, 2).against([](T a, T b) { return static_cast<T>(Int{a} - b); });
  const auto product = [](T a, T b) {
    if constexpr (std::is_signed_v<T>) return Int{a} * b;
    __extension__ using UInt = unsigned __int128;
    return static_cast<Int>(UInt{static_cast<std::make_unsigned_t<T>>(a)} *
                            static_cast<std::make_unsigned_t<T>>(b));
  };
  const auto high = [=](T a, T b) {
    __extension__ using UInt = unsigned __int128;
    return static_cast<T>(static_cast<UInt>(product(a, b)) >> width);
  };
  Check<T, T, T>("mul.lo." + type, 2).against([=](T a, T b) { return static_cast<T>(product(a, b)); });
  Check<T, T, T>("mul.hi." + type, 2).against(high);
  Check<T, T, T, T>("mad.lo." + type, 3).against([=](T a, T b, T c) {
    return static_cast<T>(product(a, b) + c);
  });
  Check<T, T, T, T>("mad.hi." + type, 3).against([=](T a, T b, T c) {
    return static_cast<T>(Int{high(a, b)} + c);
  });
  Check<T, T, T>("min." + type, 2).against([](T a, T b) { return std::min(a, b); });
  Check<T, T, T>("max." + type, 2).against([](T a, T b) { return std::max(a, b); });
  Check<T, T, T, T>("sad." + type, 3).against([](T a, T b, T c) {
    return static_cast<T>(Int{c} + (a < b ? Int{b} - a : Int{a} - b));
  });
  Check<T, T, T>("div." + type, 2).against([](T a, T b) {
    return b == 0 ? static_cast<T>(-1) : static_cast<T>(Int{a} / b);
  });
  Check<T, T, T>("rem." + type, 2).against([](T a, T b) {
    return b == 0 ? static_cast<T>(-1) : static_cast<T>(Int{a} % b);
  });
  if constexpr (std::is_signed_v<T>) {
    Check<T, T>("neg." + type, 1).against([](T a) { return static_cast<T>(-Int{a}); });
    Check<T, T>("abs." + type, 1).against([](T a) { return static_cast<T>(a < 0 ? -Int{a} : Int{a}); });
  }
}

std::int32_t clamped(Int a) {
  return static_cast<std::int32_t>(
      std::clamp<Int>(a, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

}  // namespace

TEST_CASE("integer arithmetic is that of wider integers, cut off") {
  for_arithmetic_integers([]<class T>(const char* type) { check_all<T>(type); });
}

TEST_CASE("wide products keep all bits") {
  using U = std::uint32_t;
  using S = std::int32_t;
  Check<std::uint64_t, U, U>("mul.wide.u32", 2).against([](U a, U b) { return std::uint64_t{a} * b; });
  Check<std::int64_t, S, S>("mul.wide.s32", 2).against([](S a, S b) { return std::int64_t{a} * b; });
  Check<U, std::uint16_t, std::uint16_t>("mul.wide.u16", 2).against([](std::uint16_t a, std::uint16_t b) {
    return U{a} * b;
  });
  Check<S, std::int16_t, std::int16_t>("mul.wide.s16", 2).against([](std::int16_t a, std::int16_t b) {
    return S{a} * b;
  });
  Check<std::int64_t, S, S, std::int64_t>("mad.wide.s32", 3).against([](S a, S b, std::int64_t c) {
    return static_cast<std::int64_t>(Int{a} * b + c);
  });
}

TEST_CASE("saturating forms clamp to 32 bits") {
  using S = std::int32_t;
  Check<S, S, S>("add.sat.s32", 2).against([](S a, S b) { return clamped(Int{a} + b); });
  Check<S, S, S>("sub.sat.s32", 2).against([](S a, S b) { return clamped(Int{a} - b); });
  Check<S, S, S, S>("mad.hi.sat.s32", 3).against([](S a, S b, S c) {
    return clamped((Int{a} * b >> 32) + c);
  });
}

TEST_CASE("24-bit products") {
  using U = std::uint32_t;
  using S = std::int32_t;
  const auto low = [](S a) {
    return (a % (1 << 24) + (1 << 24)) % (1 << 24) - ((a >> 23 & 1) != 0 ? 1 << 24 : 0);
  };
  Check<S, S, S>("mul24.lo.s32", 2).against([=](S a, S b) { return static_cast<S>(Int{low(a)} * low(b)); });
  Check<S, S, S>("mul24.hi.s32", 2).against([=](S a, S b) {
    return static_cast<S>(Int{low(a)} * low(b) >> 16);
  });
  Check<U, U, U>("mul24.lo.u32", 2).against([](U a, U b) { return (a & 0xffffff) * (b & 0xffffff); });
  Check<U, U, U, U>("mad24.hi.u32", 3).against([](U a, U b, U c) {
    return static_cast<U>(std::uint64_t{a & 0xffffff} * (b & 0xffffff) >> 16) + c;
  });
}

TEST_CASE("dot products and packed arithmetic") {
  using U = std::uint32_t;
  const auto sbyte = [](U a, int k) { return static_cast<std::int8_t>(a >> (8 * k)); };
  const auto ubyte = [](U a, int k) { return static_cast<std::uint8_t>(a >> (8 * k)); };
  Check<U, U, U, U>("dp4a.s32.s32", 3).against([=](U a, U b, U c) {
    for (int k = 0; k < 4; ++k) c += static_cast<U>(sbyte(a, k) * sbyte(b, k));
    return c;
  });
  Check<U, U, U, U>("dp4a.u32.s32", 3).against([=](U a, U b, U c) {
    for (int k = 0; k < 4; ++k) c += static_cast<U>(ubyte(a, k) * sbyte(b, k));
    return c;
  });
  Check<U, U, U, U>("dp2a.hi.s32.u32", 3).against([=](U a, U b, U c) {
    for (int k = 0; k < 2; ++k)
      c += static_cast<U>(static_cast<std::int16_t>(a >> (16 * k)) * ubyte(b, 2 + k));
    return c;
  });
  Check<U, U, U, U>("vabsdiff4.u32.u32.u32.add", 3).against([=](U a, U b, U c) {
    for (int k = 0; k < 4; ++k) c += static_cast<U>(std::abs(ubyte(a, k) - ubyte(b, k)));
    return c;
  });
  Check<U, U, U>("add.u16x2", 2).against([](U a, U b) {
    return ((a + b) & 0xffff) | (((a >> 16) + (b >> 16)) << 16);
  });
  Check<U, U, U>("max.s16x2.relu", 2).against([](U a, U b) {
    const auto most = [](U x, U y) {
      return static_cast<U>(
          std::max({0, int{static_cast<std::int16_t>(x)}, int{static_cast<std::int16_t>(y)}}));
    };
    return most(a, b) | most(a >> 16, b >> 16) << 16;
  });
}

TEST_CASE("the carry travels in the hidden row") {
  // 0xffffffff'ffffffff + 1 in two words, and back.
  Frame frame;
  const LaneOperation low = find("add.cc.u32", 3), high = find("addc.u32", 3);
  REQUIRE(low.uses_carry);
  for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
    frame.set<std::uint32_t>(1, lane, lane % 2 == 0 ? ~0u : 5u);
    frame.set<std::uint32_t>(2, lane, 1u);
    frame.set<bool>(3, lane, true);
  }
  frame.run(low, 0xffffu);
  for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
    CHECK(frame.get<bool>(3, lane) == (lane >= 16 || lane % 2 == 0));
  }
  frame.run(high);
  CHECK(frame.get<std::uint32_t>(0, 0) == 1u);
  CHECK(frame.get<std::uint32_t>(0, 1) == 6u);
  CHECK(frame.get<std::uint32_t>(0, 17) == 7u);
  frame.set<std::uint32_t>(1, 3, 0u);
  frame.run(find("sub.cc.u32", 3), lane_bit(3));
  CHECK(frame.get<std::uint32_t>(0, 3) == ~0u);
  CHECK_FALSE(frame.get<bool>(3, 3));  // something is borrowed: no carry of a + ~b + 1
  frame.set<std::uint32_t>(1, 3, 9u);
  frame.run(find("subc.cc.u32", 3), lane_bit(3));
  CHECK(frame.get<std::uint32_t>(0, 3) == 7u);
  CHECK(frame.get<bool>(3, 3));
  frame.set<std::uint64_t>(1, 4, ~std::uint64_t{0});
  frame.set<std::uint64_t>(2, 4, ~std::uint64_t{0});
  frame.set<std::uint64_t>(3, 4, 5);
  frame.set<bool>(4, 4, true);
  frame.run(find("madc.hi.cc.u64", 4), lane_bit(4));
  CHECK(frame.get<std::uint64_t>(0, 4) == 4u);  // high word 2^64 - 2, plus 5, plus the carry
  CHECK(frame.get<bool>(4, 4));
}
