// f32, f64, f16, bf16 arithmetic against long double (64-bit significand) and the host's rounding modes.
#include <cfenv>
#include <cmath>
#include <limits>

#include "lane_test.hpp"

using namespace warpwise::simulator;
using namespace warpwise::simulator::decode::instructions;
using namespace warpwise::simulator::decode::instructions::lane_test;

namespace {

constexpr std::uint32_t canonical_nan = 0x7fffffffu;

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
float nan32(float a) { return std::isnan(a) ? from_bits(canonical_nan) : a; }
float ftz(float a) { return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0f, a) : a; }

/// f with the processor in another rounding mode.
template <class F>
auto in_mode(const std::string& name, F f) {
  std::fesetround(name == "rz"   ? FE_TOWARDZERO
                  : name == "rm" ? FE_DOWNWARD
                  : name == "rp" ? FE_UPWARD
                                 : FE_TONEAREST);
  const auto volatile result = f();
  std::fesetround(FE_TONEAREST);
  return result;
}

/// Decodes f16 (5 exponent bits) and bf16 (8) by their definition.
double value_of(std::uint16_t bits, int exponent_bits) {
  const int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (bits & 0x7fff) >> fraction_bits;
  const double fraction = bits & ((1 << fraction_bits) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) {
    return fraction == 0 ? sign * INFINITY : std::numeric_limits<double>::quiet_NaN();
  }
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}
/// The short float nearest to `a`, found by trying: ties to even.
std::uint16_t encode(long double a, int exponent_bits) {
  if (std::isnan(a)) return 0x7fff;
  const std::uint16_t sign = std::signbit(a) ? 0x8000 : 0;
  const auto infinity = static_cast<std::uint16_t>(((1 << exponent_bits) - 1) << (15 - exponent_bits));
  const long double m = std::fabs(a);
  std::uint16_t low = 0, high = infinity;  // values are ordered as their bits are
  while (high - low > 1) {
    const auto middle = static_cast<std::uint16_t>((low + high) / 2);
    (value_of(middle, exponent_bits) <= static_cast<double>(m) && value_of(middle, exponent_bits) <= m
         ? low
         : high) = middle;
  }
  // Beyond the greatest value the next one would be "infinity" as if the exponent went on.
  const long double below = value_of(low, exponent_bits);
  const long double above = high == infinity
                                ? 2 * below - value_of(static_cast<std::uint16_t>(low - 1), exponent_bits)
                                : static_cast<long double>(value_of(high, exponent_bits));
  const long double middle = (below + above) / 2;
  const bool up = m > middle || (m == middle && (low & 1) != 0);
  return static_cast<std::uint16_t>(sign | (up ? high : low));
}

template <class H, int exponent_bits>
void check_short(const std::string& type) {
  const auto value = [](H a) { return static_cast<long double>(value_of(a.bits, exponent_bits)); };
  const auto made = [](long double a) { return H{encode(a, exponent_bits)}; };
  Check<H, H, H>("add." + type, 2).against([=](H a, H b) { return made(value(a) + value(b)); });
  Check<H, H, H>("sub." + type, 2).against([=](H a, H b) { return made(value(a) - value(b)); });
  Check<H, H, H>("mul." + type, 2).against([=](H a, H b) { return made(value(a) * value(b)); });
  Check<H, H>("abs." + type, 1).against([](H a) {
    return std::isnan(value_of(a.bits, exponent_bits)) ? H{0x7fff}
                                                       : H{static_cast<std::uint16_t>(a.bits & 0x7fff)};
  });
  Check<H, H>("neg." + type, 1).against([](H a) {
    return std::isnan(value_of(a.bits, exponent_bits)) ? H{0x7fff}
                                                       : H{static_cast<std::uint16_t>(a.bits ^ 0x8000)};
  });
  Check<bool, H, H>("setp.ltu." + type, 2).against([=](H a, H b) { return !(value(a) >= value(b)); });
  Check<H, H, H>("max." + type, 2).against([=](H a, H b) {
    if (std::isnan(value(a)) && std::isnan(value(b))) return H{0x7fff};
    if (std::isnan(value(a))) return b;
    if (std::isnan(value(b))) return a;
    if (value(a) == value(b)) return H{static_cast<std::uint16_t>(a.bits & b.bits)};  // +0 over -0
    return value(a) > value(b) ? a : b;
  });
}

}  // namespace

TEST_CASE("f32 and f64 arithmetic in every rounding mode") {
  for (const std::string mode : {"rn", "rz", "rm", "rp"}) {
    const auto f = [&](auto g) { return nan32(in_mode(mode, g)); };
    const auto d = [&](auto g) { return in_mode(mode, g); };
    Check<float, float, float>("add." + mode + ".f32", 2).against([&](float a, float b) {
      return f([=] { return a + b; });
    });
    Check<float, float, float>("sub." + mode + ".f32", 2).against([&](float a, float b) {
      return f([=] { return a - b; });
    });
    Check<float, float, float>("mul." + mode + ".f32", 2).against([&](float a, float b) {
      return f([=] { return a * b; });
    });
    Check<float, float, float>("div." + mode + ".f32", 2).against([&](float a, float b) {
      return f([=] { return a / b; });
    });
    Check<float, float>("sqrt." + mode + ".f32", 1).against([&](float a) {
      return f([=] { return std::sqrt(a); });
    });
    Check<float, float>("rcp." + mode + ".f32", 1).against([&](float a) { return f([=] { return 1 / a; }); });
    Check<float, float, float, float>("fma." + mode + ".f32", 3).against([&](float a, float b, float c) {
      return f([=] { return std::fma(a, b, c); });
    });
    Check<double, double, double>("mul." + mode + ".f64", 2).against([&](double a, double b) {
      return d([=] { return a * b; });
    });
    Check<double, double>("rcp." + mode + ".f64", 1).against([&](double a) {
      return d([=] { return 1 / a; });
    });
    Check<float, double>("cvt." + mode + ".f32.f64", 1).against([&](double a) {
      if (std::isnan(a)) return static_cast<float>(a);
      return f([=] { return static_cast<float>(a); });
    });
    Check<float, std::int32_t>("cvt." + mode + ".f32.s32", 1).against([&](std::int32_t a) {
      return f([=] { return static_cast<float>(a); });
    });
    Check<double, std::uint64_t>("cvt." + mode + ".f64.u64", 1).against([&](std::uint64_t a) {
      return d([=] { return static_cast<double>(static_cast<long double>(a)); });
    });
  }
}

TEST_CASE("the quick fused multiply-add agrees with the library's on many random values") {
  Frame frame;
  const LaneOperation fma = find("fma.rn.f32", 4);
  std::uint64_t seed = 1;
  const auto next = [&] {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(seed >> 32);
  };
  for (int round = 0; round < 20000; ++round) {
    float a[3][warp_size];
    for (std::uint32_t i = 0; i < warp_size; ++i) {
      // Half of the rounds keep exponents near, where cancellation and ties are common.
      for (int k = 0; k < 3; ++k) {
        a[k][i] = from_bits(round % 2 == 0 ? next()
                                           : (next() & 0x807ff800u) | (0x3f000000u + (next() & 0x01800000u)));
        frame.set<float>(static_cast<std::size_t>(k + 1), i, a[k][i]);
      }
    }
    frame.run(fma);
    for (std::uint32_t i = 0; i < warp_size; ++i) {
      REQUIRE(bits_of(frame.get<float>(0, i)) == bits_of(nan32(std::fma(a[0][i], a[1][i], a[2][i]))));
    }
  }
}

TEST_CASE("flushing and saturation") {
  Check<float, float, float>("add.ftz.f32", 2).against([](float a, float b) {
    return nan32(ftz(ftz(a) + ftz(b)));
  });
  Check<float, float, float>("mul.ftz.f32", 2).against([](float a, float b) {
    return nan32(ftz(ftz(a) * ftz(b)));
  });
  Check<float, float, float>("add.sat.f32", 2).against([](float a, float b) {
    const float sum = a + b;
    return std::isnan(sum) || sum <= 0 ? 0.0f : std::min(sum, 1.0f);
  });
  Check<float, float>("cvt.ftz.sat.f32.f32", 1).against([](float a) {
    return std::isnan(a) || ftz(a) <= 0 ? 0.0f : std::min(ftz(a), 1.0f);
  });
  Check<bool, float, float>("setp.eq.ftz.f32", 2).against([](float a, float b) { return ftz(a) == ftz(b); });
}

TEST_CASE("min, max, abs, neg, copysign, testp") {
  const auto least = [](auto a, auto b) {
    using T = decltype(a);
    if (std::isnan(a) && std::isnan(b)) return std::is_same_v<T, float> ? T(from_bits(canonical_nan)) : b;
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    return a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
  };
  Check<float, float, float>("min.f32", 2).against(least);
  Check<float, float, float>("max.f32", 2).against([=](float a, float b) {
    const float r = least(-a, -b);
    return std::isnan(r) ? r : -r;
  });
  Check<float, float, float>("min.NaN.f32", 2).against([=](float a, float b) {
    return std::isnan(a) || std::isnan(b) ? from_bits(canonical_nan) : least(a, b);
  });
  Check<float, float, float>("min.xorsign.abs.f32", 2).against([=](float a, float b) {
    const float r = least(std::fabs(a), std::fabs(b));
    return std::isnan(r) ? r : std::signbit(a) != std::signbit(b) ? -r : r;
  });
  Check<float, float>("abs.f32", 1).against([](float a) { return nan32(std::fabs(a)); });
  Check<double, double>("neg.f64", 1).against([](double a) { return -a; });
  Check<float, float, float>("copysign.f32", 2).against([](float a, float b) { return std::copysign(b, a); });
  Check<bool, float>("testp.subnormal.f32", 1).against([](float a) {
    return std::fpclassify(a) == FP_SUBNORMAL;
  });
  Check<bool, double>("testp.normal.f64", 1).against([](double a) { return std::isnormal(a) || a == 0; });
  Check<bool, float>("testp.notanumber.f32", 1).against([](float a) { return std::isnan(a); });
  Check<bool, float>("testp.infinite.f32", 1).against([](float a) { return std::isinf(a); });
}

TEST_CASE("approximations: special values of the manual, others within two units") {
  const auto run = [](const std::string& spelling, float a) {
    Frame frame;
    frame.set<float>(1, 0, a);
    frame.run(find(spelling, 2), lane_bit(0));
    return frame.get<float>(0, 0);
  };
  const float inf = INFINITY, tiny = from_bits(1);
  CHECK(run("ex2.approx.f32", -inf) == 0.0f);
  CHECK(run("ex2.approx.ftz.f32", tiny) == 1.0f);
  CHECK(run("ex2.approx.ftz.f32", -130.0f) == 0.0f);
  CHECK(run("ex2.approx.f32", -130.0f) == std::ldexp(1.0f, -130));
  CHECK(run("lg2.approx.f32", 0.0f) == -inf);
  CHECK(run("lg2.approx.ftz.f32", tiny) == -inf);
  CHECK(run("lg2.approx.f32", tiny) == -149.0f);
  CHECK(bits_of(run("lg2.approx.f32", -1.0f)) == canonical_nan);
  CHECK(bits_of(run("sin.approx.f32", inf)) == canonical_nan);
  CHECK(bits_of(run("sin.approx.f32", -0.0f)) == 0x80000000u);
  CHECK(run("cos.approx.f32", 0.0f) == 1.0f);
  CHECK(run("rsqrt.approx.f32", -0.0f) == -inf);
  CHECK(run("rsqrt.approx.f32", 0.25f) == 2.0f);
  CHECK(run("rcp.approx.ftz.f32", tiny) == inf);
  CHECK(run("sqrt.approx.f32", 6.25f) == 2.5f);
  CHECK(run("tanh.approx.f32", inf) == 1.0f);
  CHECK(run("sin.approx.f32", 1.0f) == Approx(std::sin(1.0)).epsilon(2e-7));
  Check<float, float, float>("div.approx.f32", 2).against([](float a, float b) {
    const float m = std::fabs(b);
    if (m > 0x1p126f && !std::isinf(b) && !std::isnan(b)) {
      return nan32(std::isinf(a)   ? NAN
                   : std::isnan(a) ? a
                                   : (std::signbit(a) != std::signbit(b) ? -0.0f : 0.0f));
    }
    return nan32(a / b);
  });
  Frame frame;
  frame.set<double>(1, 0, 3.0);
  frame.run(find("rcp.approx.ftz.f64", 2), lane_bit(0));
  CHECK(bits_of(frame.get<double>(0, 0)) == 0x3fd5555500000000u);
}

TEST_CASE("f16 and bf16") {
  check_short<Half, 5>("f16");
  check_short<BFloat, 8>("bf16");
  Check<Half, Half, Half, Half>("fma.rn.f16", 3).against([](Half a, Half b, Half c) {
    // 22 bits of product and 11 of c: 64 bits of long double lose nothing that rounding to 11 would see
    // unless the two lie far apart; then the odd bit below keeps ties apart.
    const long double p = static_cast<long double>(value_of(a.bits, 5)) * value_of(b.bits, 5),
                      z = value_of(c.bits, 5);
    return Half{encode(p + z, 5)};
  });
  Check<Half, Half, Half, Half>("fma.rn.relu.f16", 3).against([](Half a, Half b, Half c) {
    const long double r =
        static_cast<long double>(value_of(a.bits, 5)) * value_of(b.bits, 5) + value_of(c.bits, 5);
    return Half{encode(r <= 0 ? 0.0L : r, 5)};
  });
  Frame frame;
  frame.set<std::uint32_t>(1, 6, 0x3c004000u),
      frame.set<std::uint32_t>(2, 6, 0x3c003c00u);  // {2, 1} + {1, 1}
  frame.run(find("add.f16x2", 3), lane_bit(6));
  CHECK(frame.get<std::uint32_t>(0, 6) == 0x40004200u);
  frame.run(find("set.gt.f16x2.f16x2", 3), lane_bit(6));
  CHECK(frame.get<std::uint32_t>(0, 6) == 0x00003c00u);
  frame.set<std::uint32_t>(1, 6, 0x3c004000u);
  frame.run(find("set.gt.u32.f16x2", 3), lane_bit(6));
  CHECK(frame.get<std::uint32_t>(0, 6) == 0x0000ffffu);
  frame.set<float>(1, 6, 1.0f), frame.set<float>(2, 6, 3.1415927f);
  frame.run(find("cvt.rn.bf16x2.f32", 3), lane_bit(6));
  CHECK(frame.get<std::uint32_t>(0, 6) == 0x3f804049u);
}

TEST_CASE("conversions to and from f16 and bf16") {
  Check<float, Half>("cvt.f32.f16", 1).against([](Half a) {
    return nan32(static_cast<float>(value_of(a.bits, 5)));
  });
  Check<float, BFloat>("cvt.f32.bf16", 1).against([](BFloat a) {
    return std::bit_cast<float>(std::uint32_t{a.bits} << 16);
  });
  Check<Half, float>("cvt.rn.f16.f32", 1).against([](float a) { return Half{encode(a, 5)}; });
  Check<BFloat, float>("cvt.rn.bf16.f32", 1).against([](float a) { return BFloat{encode(a, 8)}; });
  Check<Half, double>("cvt.rn.f16.f64", 1).against([](double a) {
    // A NaN keeps its sign and upper payload: what an H200 gives.
    if (std::isnan(a))
      return Half{
          static_cast<std::uint16_t>((bits_of(a) >> 48 & 0x8000) | 0x7e00 | (bits_of(a) >> 42 & 0x3ff))};
    return Half{encode(a, 5)};
  });
  Check<Half, std::int64_t>("cvt.rn.f16.s64", 1).against([](std::int64_t a) { return Half{encode(a, 5)}; });
  Check<BFloat, std::uint64_t>("cvt.rn.bf16.u64", 1).against([](std::uint64_t a) {
    return BFloat{encode(a, 8)};
  });
  Check<Half, float>("cvt.rz.f16.f32", 1).against([](float a) {
    const Half near{encode(a, 5)};
    const bool is_past = !std::isnan(a) && std::fabs(value_of(near.bits, 5)) > std::fabs(a);
    return Half{static_cast<std::uint16_t>(near.bits - (is_past ? 1 : 0))};
  });
}
