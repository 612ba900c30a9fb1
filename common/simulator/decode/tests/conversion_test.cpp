// cvt of integers and floats, setp, set, selp, slct.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lane_test.hpp"

using namespace warpwise::simulator;
using namespace warpwise::simulator::decode::instructions;
using namespace warpwise::simulator::decode::instructions::lane_test;

namespace {

template <class D, class S>
D clamped(S value, long double rounded) {
  if (std::isnan(value))
    return sizeof(S) == 8 || sizeof(D) == 8 ? static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1)) : D{0};
  const long double least = std::numeric_limits<D>::min(), most = std::numeric_limits<D>::max();
  return static_cast<D>(std::clamp(rounded, least, most));
}

template <class D, class S>
void check_to_integer(const std::string& to, const std::string& from) {
  const std::string types = "." + to + "." + from;
  Check<D, S>("cvt.rni" + types, 1).against([](S a) {
    return clamped<D>(a, std::nearbyint(static_cast<long double>(a)));
  });
  Check<D, S>("cvt.rzi" + types, 1).against([](S a) {
    return clamped<D>(a, std::trunc(static_cast<long double>(a)));
  });
  Check<D, S>("cvt.rmi" + types, 1).against([](S a) {
    return clamped<D>(a, std::floor(static_cast<long double>(a)));
  });
  Check<D, S>("cvt.rpi" + types, 1).against([](S a) {
    return clamped<D>(a, std::ceil(static_cast<long double>(a)));
  });
}

template <class D, class S>
void check_integers(const std::string& to, const std::string& from) {
  Check<D, S>("cvt." + to + "." + from, 1).against([](S a) { return static_cast<D>(a); });
  Check<D, S>("cvt.sat." + to + "." + from, 1).against([](S a) {
    if (std::cmp_less(a, std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
    return std::cmp_greater(a, std::numeric_limits<D>::max()) ? std::numeric_limits<D>::max()
                                                              : static_cast<D>(a);
  });
}

template <class D>
void check_integers_to(const std::string& to) {
  for_every_integer([&]<class S>(const char* from) { check_integers<D, S>(to, from); });
}

template <class T>
void check_compare(const std::string& type, bool is_signed) {
  const auto names = is_signed || std::is_floating_point_v<T>
                         ? std::vector<std::string>{"lt", "le", "gt", "ge"}
                         : std::vector<std::string>{"lo", "ls", "hi", "hs"};
  Check<bool, T, T>("setp.eq." + type, 2).against([](T a, T b) { return a == b; });
  Check<bool, T, T>("setp." + names[0] + "." + type, 2).against([](T a, T b) { return a < b; });
  Check<bool, T, T>("setp." + names[1] + "." + type, 2).against([](T a, T b) { return a <= b; });
  Check<bool, T, T>("setp." + names[2] + "." + type, 2).against([](T a, T b) { return a > b; });
  Check<bool, T, T>("setp." + names[3] + "." + type, 2).against([](T a, T b) { return a >= b; });
  if constexpr (std::is_floating_point_v<T>) {
    const auto nan = [](T a, T b) { return std::isnan(a) || std::isnan(b); };
    Check<bool, T, T>("setp.ne." + type, 2).against([=](T a, T b) { return !nan(a, b) && a != b; });
    Check<bool, T, T>("setp.equ." + type, 2).against([=](T a, T b) { return nan(a, b) || a == b; });
    Check<bool, T, T>("setp.neu." + type, 2).against([=](T a, T b) { return nan(a, b) || a != b; });
    Check<bool, T, T>("setp.ltu." + type, 2).against([=](T a, T b) { return nan(a, b) || a < b; });
    Check<bool, T, T>("setp.leu." + type, 2).against([=](T a, T b) { return nan(a, b) || a <= b; });
    Check<bool, T, T>("setp.gtu." + type, 2).against([=](T a, T b) { return nan(a, b) || a > b; });
    Check<bool, T, T>("setp.geu." + type, 2).against([=](T a, T b) { return nan(a, b) || a >= b; });
    Check<bool, T, T>("setp.num." + type, 2).against([=](T a, T b) { return !nan(a, b); });
    Check<bool, T, T>("setp.nan." + type, 2).against(nan);
  } else {
    Check<bool, T, T>("setp.ne." + type, 2).against([](T a, T b) { return a != b; });
  }
}

}  // namespace

TEST_CASE("integers convert by cutting off, extending, or clamping") {
  for_every_integer([]<class D>(const char* to) { check_integers_to<D>(to); });
}

TEST_CASE("registers wider than the types of cvt are cut off and extended") {
  auto cvt = instruction_of("cvt.s32.s8", 2);
  cvt.operands[0].reg = 0, cvt.operands[1].reg = 0;
  const auto operation = find_lane_operation(cvt, function_with({ptx::Type::b64}));
  REQUIRE(operation.has_value());
  CHECK(operation->widths[0] == Width::b64);
  CHECK(operation->widths[1] == Width::b64);
  Frame frame;
  frame.set<std::uint64_t>(1, 4, 0x1234567890u);
  frame.run(*operation, lane_bit(4));
  CHECK(frame.get<std::int64_t>(0, 4) == -112);
  // A destination of 8 bits in a 32-bit register is extended to the register.
  frame.set<std::uint32_t>(1, 4, 0x12345690u);
  frame.run(find("cvt.s8.u32", 2), lane_bit(4));
  CHECK(frame.get<std::int32_t>(0, 4) == -112);
}

TEST_CASE("floats become integers, rounded as asked and clamped") {
  check_to_integer<std::int32_t, float>("s32", "f32");
  check_to_integer<std::uint32_t, float>("u32", "f32");
  check_to_integer<std::int64_t, float>("s64", "f32");
  check_to_integer<std::uint64_t, float>("u64", "f32");
  check_to_integer<std::int16_t, float>("s16", "f32");
  check_to_integer<std::uint8_t, float>("u8", "f32");
  check_to_integer<std::int32_t, double>("s32", "f64");
  check_to_integer<std::uint32_t, double>("u32", "f64");
  check_to_integer<std::int64_t, double>("s64", "f64");
  check_to_integer<std::uint64_t, double>("u64", "f64");
}

TEST_CASE("floats become whole floats") {
  Check<double, double>("cvt.rmi.f64.f64", 1).against([](double a) { return std::floor(a); });
  Check<float, float>("cvt.rni.f32.f32", 1).against([](float a) {
    return std::isnan(a) ? std::bit_cast<float>(0x7fffffffu) : std::nearbyint(a);
  });
  Check<double, float>("cvt.f64.f32", 1).against([](float a) { return static_cast<double>(a); });
}

TEST_CASE("comparisons") {
  check_compare<std::uint16_t>("u16", false);
  check_compare<std::int16_t>("s16", true);
  check_compare<std::uint32_t>("u32", false);
  check_compare<std::int32_t>("s32", true);
  check_compare<std::uint64_t>("u64", false);
  check_compare<std::int64_t>("s64", true);
  check_compare<float>("f32", true);
  check_compare<double>("f64", true);
}

TEST_CASE("setp combines, and writes the complement's combination to a second predicate") {
  Frame frame;
  for (std::uint32_t i = 0; i < warp_size; ++i) {
    frame.set<std::int32_t>(2, i, static_cast<int>(i)), frame.set<std::int32_t>(3, i, 16);
    frame.set<std::int32_t>(1, i, static_cast<int>(i));
  }
  const auto mask = [&](std::size_t i) -> LaneMask& {
    return *row_of<LaneMask>(frame.data(), Frame::row(i));
  };
  auto pair = instruction_of("setp.lt.and.s32", 4);
  make_first_a_pair(pair);
  mask(4) = 0x00ff00ffu;
  frame.run(*find_lane_operation(pair, {}));
  CHECK(mask(0) == 0x000000ffu);
  CHECK(mask(1) == 0x00ff0000u);
  pair.operands[3].is_negated = true;
  pair.modifiers[1] = "xor";
  frame.run(*find_lane_operation(pair, {}));
  CHECK(mask(0) == (0x0000ffffu ^ 0xff00ff00u));
  CHECK(mask(1) == (0xffff0000u ^ 0xff00ff00u));

  for (std::uint32_t i = 0; i < warp_size; ++i) {
    frame.set<std::int32_t>(1, i, static_cast<int>(i)), frame.set<std::int32_t>(2, i, 16);
  }
  mask(0) = 0xf0000000u, mask(3) = 0xf0f0f0f0u;
  frame.run(find("setp.ge.or.s32", 4), 0x00ffffffu);
  CHECK(mask(0) == 0xf0fff0f0u);
}

TEST_CASE("selections") {
  Check<float, float, float, bool>("selp.f32", 3).against([](float a, float b, bool p) { return p ? a : b; });
  Check<std::uint64_t, std::uint64_t, std::uint64_t, bool>("selp.b64", 3)
      .against([](std::uint64_t a, std::uint64_t b, bool p) { return p ? a : b; });
  Check<std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t>("slct.u32.s32", 3)
      .against([](std::uint32_t a, std::uint32_t b, std::int32_t c) { return c >= 0 ? a : b; });
  Check<float, float, float, float>("slct.f32.f32", 3).against([](float a, float b, float c) {
    return c >= 0 ? a : b;
  });
  Check<std::uint32_t, float, float>("set.lt.u32.f32", 2).against([](float a, float b) {
    return a < b ? ~0u : 0u;
  });
  Check<float, std::int32_t, std::int32_t>("set.ge.f32.s32", 2).against([](std::int32_t a, std::int32_t b) {
    return a >= b ? 1.0f : 0.0f;
  });
}

TEST_CASE("cvt.pack clamps two values and lays them side by side") {
  Check<std::uint32_t, std::int32_t, std::int32_t>("cvt.pack.sat.u16.s32", 2)
      .against([](std::int32_t a, std::int32_t b) {
        const auto part = [](std::int32_t x) { return static_cast<std::uint32_t>(std::clamp(x, 0, 65535)); };
        return part(a) * 65536 + part(b);
      });
  Check<std::uint32_t, std::int32_t, std::int32_t, std::uint32_t>("cvt.pack.sat.s8.s32.b32", 3)
      .against([](std::int32_t a, std::int32_t b, std::uint32_t c) {
        const auto part = [](std::int32_t x) {
          return static_cast<std::uint32_t>(std::clamp(x, -128, 127) & 255);
        };
        return c * 65536 + part(a) * 256 + part(b);
      });
  Check<std::uint32_t, std::int32_t, std::int32_t, std::uint32_t>("cvt.pack.sat.u2.s32.b32", 3)
      .against([](std::int32_t a, std::int32_t b, std::uint32_t c) {
        const auto part = [](std::int32_t x) { return static_cast<std::uint32_t>(std::clamp(x, 0, 3)); };
        return c * 16 + part(a) * 4 + part(b);
      });
}
