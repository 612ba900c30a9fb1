// Logic, shifts, bit fields, permutations, moves and addresses.
#include "common/simulator/global_memory.hpp"
#include "lane_test.hpp"

using namespace warpwise::simulator;
using namespace warpwise::simulator::decode::instructions;
using namespace warpwise::simulator::decode::instructions::lane_test;

namespace {

using U = std::uint32_t;
using S = std::int32_t;
using L = std::uint64_t;

/// Bit by bit, as the manual's pseudo-code has it.
template <class T>
T bit_field(T a, U position, U length) {
  const U most = 8 * sizeof(T) - 1, pos = position & 255, len = length & 255;
  const auto bit = [&](U i) { return static_cast<L>(a) >> i & 1; };
  const L sign = std::is_unsigned_v<T> || len == 0 ? 0 : bit(std::min(pos + len - 1, most));
  L d = 0;
  for (U i = 0; i <= most; ++i) d |= (i < len && pos + i <= most ? bit(pos + i) : sign) << i;
  return static_cast<T>(d);
}
template <class T>
T inserted(T a, T b, U position, U length) {
  const U most = 8 * sizeof(T) - 1, pos = position & 255, len = length & 255;
  for (U i = 0; i < len && pos + i <= most; ++i) {
    b = static_cast<T>((b & ~(T{1} << (pos + i))) | ((a >> i & 1) << (pos + i)));
  }
  return b;
}

}  // namespace

TEST_CASE("logic") {
  Check<U, U, U>("and.b32", 2).against([](U a, U b) { return a & b; });
  Check<L, L, L>("or.b64", 2).against([](L a, L b) { return a | b; });
  Check<std::uint16_t, std::uint16_t, std::uint16_t>("xor.b16", 2)
      .against([](std::uint16_t a, std::uint16_t b) { return static_cast<std::uint16_t>(a ^ b); });
  Check<U, U>("not.b32", 1).against([](U a) { return ~a; });
  Check<L, L>("cnot.b64", 1).against([](L a) { return L{a == 0}; });
  Frame frame;
  const auto masks = [&](U a, U b) {
    *row_of<LaneMask>(frame.data(), Frame::row(0)) = 0xff0000ffu;
    *row_of<LaneMask>(frame.data(), Frame::row(1)) = a;
    *row_of<LaneMask>(frame.data(), Frame::row(2)) = b;
  };
  masks(0xf0f0f0f0u, 0xff00ff00u);
  frame.run(find("xor.pred", 3), 0x0000ffffu);
  CHECK(*row_of<LaneMask>(frame.data(), 0) == 0xff000ff0u);
  frame.run(find("not.pred", 2));
  CHECK(*row_of<LaneMask>(frame.data(), 0) == 0x0f0f0f0fu);
}

TEST_CASE("lop3 evaluates any function of three bits") {
  // The manual's recipe: the table of F is F(0xF0, 0xCC, 0xAA).
  Frame frame;
  const LaneOperation operation = find("lop3.b32", 5);
  const U a = 0x12345678u, b = 0x9abcdef0u, c = 0x0f1e2d3cu;
  for (U table = 0; table < 256; ++table) {
    for (U lane = 0; lane < warp_size; ++lane) {
      frame.set<U>(1, lane, a), frame.set<U>(2, lane, b), frame.set<U>(3, lane, c),
          frame.set<U>(4, lane, table);
    }
    frame.run(operation);
    U wanted = 0;
    for (U i = 0; i < 32; ++i)
      wanted |= (table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
    REQUIRE(frame.get<U>(0, 7) == wanted);
  }
  for (U lane = 0; lane < warp_size; ++lane) frame.set<U>(4, lane, 0xf0 ^ (0xcc & 0xaa));
  frame.run(operation);
  CHECK(frame.get<U>(0, 7) == (a ^ (b & c)));
}

TEST_CASE("shifts clamp, funnel shifts wrap or clamp") {
  Check<U, U, U>("shl.b32", 2).against([](U a, U n) { return n > 31 ? 0 : a << n; });
  Check<L, L, U>("shl.b64", 2).against([](L a, U n) { return n > 63 ? 0 : a << n; });
  Check<std::uint16_t, std::uint16_t, U>("shl.b16", 2).against([](std::uint16_t a, U n) {
    return static_cast<std::uint16_t>(n > 15 ? 0 : a << n);
  });
  Check<U, U, U>("shr.u32", 2).against([](U a, U n) { return n > 31 ? 0 : a >> n; });
  Check<S, S, U>("shr.s32", 2).against([](S a, U n) { return n > 31 ? (a < 0 ? -1 : 0) : a >> n; });
  Check<std::int64_t, std::int64_t, U>("shr.s64", 2).against([](std::int64_t a, U n) {
    return n > 63 ? (a < 0 ? -1 : 0) : a >> n;
  });
  Check<std::int16_t, std::int16_t, U>("shr.s16", 2).against([](std::int16_t a, U n) {
    return static_cast<std::int16_t>(n > 15 ? (a < 0 ? -1 : 0) : a >> n);
  });
  Check<U, U, U, U>("shf.l.wrap.b32", 3).against([](U a, U b, U n) {
    return (n & 31) == 0 ? b : b << (n & 31) | a >> (32 - (n & 31));
  });
  Check<U, U, U, U>("shf.r.wrap.b32", 3).against([](U a, U b, U n) {
    return (n & 31) == 0 ? a : b << (32 - (n & 31)) | a >> (n & 31);
  });
  Check<U, U, U, U>("shf.l.clamp.b32", 3).against([](U a, U b, U n) {
    return n == 0 ? b : n > 31 ? a : b << n | a >> (32 - n);
  });
  Check<U, U, U, U>("shf.r.clamp.b32", 3).against([](U a, U b, U n) {
    return n == 0 ? a : n > 31 ? b : b << (32 - n) | a >> n;
  });
}

TEST_CASE("bit fields follow the manual bit by bit") {
  Check<U, U, U, U>("bfe.u32", 3).against(bit_field<U>);
  Check<S, S, U, U>("bfe.s32", 3).against(bit_field<S>);
  Check<L, L, U, U>("bfe.u64", 3).against(bit_field<L>);
  Check<std::int64_t, std::int64_t, U, U>("bfe.s64", 3).against(bit_field<std::int64_t>);
  Frame frame;
  const LaneOperation insert = find("bfi.b32", 5), insert64 = find("bfi.b64", 5);
  for (U pos = 0; pos < 70; ++pos) {
    for (U len = 0; len < 70; len += 3) {
      frame.set<U>(1, 5, 0xdeadbeefu), frame.set<U>(2, 5, 0x12345678u), frame.set<U>(3, 5, pos),
          frame.set<U>(4, 5, len);
      frame.run(insert, lane_bit(5));
      REQUIRE(frame.get<U>(0, 5) == inserted<U>(0xdeadbeefu, 0x12345678u, pos, len));
      frame.set<L>(1, 5, 0xdeadbeefcafef00du), frame.set<L>(2, 5, 0x123456789abcdef0u);
      frame.run(insert64, lane_bit(5));
      REQUIRE(frame.get<L>(0, 5) == inserted<L>(0xdeadbeefcafef00du, 0x123456789abcdef0u, pos, len));
    }
  }
}

TEST_CASE("counting and finding bits") {
  const auto leading = [](auto a) {
    U n = 0;
    for (int i = 8 * sizeof(a) - 1; i >= 0 && (a >> i & 1) == 0; --i) ++n;
    return n;
  };
  Check<U, U>("popc.b32", 1).against([](U a) { return static_cast<U>(__builtin_popcount(a)); });
  Check<U, L>("popc.b64", 1).against([](L a) { return static_cast<U>(__builtin_popcountll(a)); });
  Check<U, U>("clz.b32", 1).against(leading);
  Check<U, L>("clz.b64", 1).against(leading);
  Check<U, U>("bfind.u32", 1).against([=](U a) { return a == 0 ? ~0u : 31 - leading(a); });
  Check<U, S>("bfind.s32", 1).against([=](S a) {
    const U u = static_cast<U>(a < 0 ? ~a : a);
    return u == 0 ? ~0u : 31 - leading(u);
  });
  Check<U, L>("bfind.shiftamt.u64", 1).against([=](L a) { return a == 0 ? ~0u : leading(a); });
  const auto reversed = [](auto a) {
    decltype(a) r = 0;
    for (U i = 0; i < 8 * sizeof(a); ++i) r |= (a >> i & 1) << (8 * sizeof(a) - 1 - i);
    return r;
  };
  Check<U, U>("brev.b32", 1).against(reversed);
  Check<L, L>("brev.b64", 1).against(reversed);
  Check<U, U, U>("bmsk.clamp.b32", 2).against([](U a, U b) {
    U d = 0;
    for (L i = a; i < 32 && i < L{a} + b; ++i) d |= 1u << i;
    return d;
  });
  Check<U, U, U>("bmsk.wrap.b32", 2).against([](U a, U b) {
    U d = 0;
    for (U i = a & 31; i < 32 && i < (a & 31) + (b & 31); ++i) d |= 1u << i;
    return d;
  });
  Check<S, S, U>("szext.clamp.s32", 2).against([](S a, U n) {
    return n == 0 ? 0 : n > 31 ? a : static_cast<S>(bit_field<S>(a, 0, n));
  });
  Check<U, U, U, S>("fns.b32", 3).against([](U mask, U base, S offset) {
    if (base > 31) return ~0u;
    U seen = 0;
    for (int i = static_cast<int>(base); i >= 0 && i < 32; i += offset < 0 ? -1 : 1) {
      if ((mask >> i & 1) != 0 && (++seen == static_cast<U>(offset < 0 ? -offset : offset) || offset == 0))
        return static_cast<U>(i);
      if (offset == 0) break;
    }
    return ~0u;
  });
}

TEST_CASE("prmt") {
  Frame frame;
  const auto prmt = [&](const std::string& mode, U a, U b, U c) {
    frame.set<U>(1, 2, a), frame.set<U>(2, 2, b), frame.set<U>(3, 2, c);
    frame.run(find("prmt.b32" + mode, 4), lane_bit(2));
    return frame.get<U>(0, 2);
  };
  const U a = 0x33221100u, b = 0x77665584u;
  CHECK(prmt("", a, b, 0x5410u) == 0x55841100u);
  CHECK(prmt("", a, b, 0x3210u) == a);
  CHECK(prmt("", a, b, 0xcccc) == 0xffffffffu);  // sign of 0x84
  CHECK(prmt("", a, b, 0x0008) == 0u);
  CHECK(prmt(".f4e", a, b, 1) == 0x84332211u);
  CHECK(prmt(".b4e", a, b, 1) == 0x66770011u);
  CHECK(prmt(".rc8", a, b, 2) == 0x22222222u);
  CHECK(prmt(".ecl", a, b, 2) == 0x33222222u);
  CHECK(prmt(".ecr", a, b, 2) == 0x22221100u);
  CHECK(prmt(".rc16", a, b, 1) == 0x33223322u);
}

TEST_CASE("moves copy, pack and unpack") {
  Check<U, U>("mov.u32", 1).against([](U a) { return a; });
  Check<L, L>("mov.b64", 1).against([](L a) { return a; });
  Check<std::uint16_t, std::uint16_t>("mov.b16", 1).against([](std::uint16_t a) { return a; });
  Frame frame;
  auto pack = instruction_of("mov.b64", 2);
  ptx::Operand two;
  two.kind = ptx::Operand::Kind::vector;
  two.elements = {pack.operands[0], pack.operands[0]};
  pack.operands[1] = two;
  frame.set<U>(1, 9, 0x11112222u), frame.set<U>(2, 9, 0x33334444u);
  frame.run(*find_lane_operation(pack, {}), lane_bit(9));
  CHECK(frame.get<L>(0, 9) == 0x3333444411112222u);

  auto unpack = instruction_of("mov.b32", 2);
  unpack.operands[0] = two;
  frame.set<U>(2, 9, 0xaaaabbbbu);
  frame.run(*find_lane_operation(unpack, {}), lane_bit(9));
  CHECK(frame.get<std::uint16_t>(0, 9) == 0xbbbbu);
  CHECK(frame.get<std::uint16_t>(1, 9) == 0xaaaau);
  unpack.modifiers = {"b128"};
  frame.set<Bits128>(2, 9, {5, 6});
  frame.run(*find_lane_operation(unpack, {}), lane_bit(9));
  CHECK(frame.get<L>(0, 9) == 5u);
  CHECK(frame.get<L>(1, 9) == 6u);

  // In place: the source is also the first destination.
  const Row same[] = {Frame::row(2), Frame::row(1), Frame::row(2)};
  unpack.modifiers = {"b32"};
  frame.set<U>(2, 9, 0xccccddddu);
  find_lane_operation(unpack, {})->run(frame.data(), same, all_lanes);
  CHECK(frame.get<std::uint16_t>(2, 9) == 0xddddu);
  CHECK(frame.get<std::uint16_t>(1, 9) == 0xccccu);
}

TEST_CASE("generic addresses lie in windows") {
  Check<L, L>("cvta.shared.u64", 1).against([](L a) { return shared_window + a; });
  Check<L, L>("cvta.to.shared.u64", 1).against([](L a) { return a - shared_window; });
  Check<L, L>("cvta.to.local.u64", 1).against([](L a) { return a - local_window; });
  Check<L, L>("cvta.to.global.u64", 1).against([](L a) { return a; });
  Frame frame;
  const auto is = [&](const std::string& space, L address) {
    frame.set<L>(1, 0, address);
    frame.run(find("isspacep." + space, 2), lane_bit(0));
    return frame.get<bool>(0, 0);
  };
  CHECK(is("shared", shared_window + 4));
  CHECK_FALSE(is("shared", local_window + 4));
  CHECK(is("local", local_window));
  CHECK(is("global", 0x7fff00001234u));
  CHECK_FALSE(is("global", shared_window + 8));
}

TEST_CASE("forms that do not exist are refused") {
  const auto refused = [](const std::string& spelling, std::size_t operands) {
    CHECK_THROWS_AS(find_lane_operation(instruction_of(spelling, operands), {}), std::invalid_argument);
  };
  refused("add.q32", 3);
  refused("add.s32", 2);
  refused("add.s32.sat.foo", 3);
  refused("add.b32", 3);
  refused("mul.s32", 3);
  refused("setp.lt.b32", 3);
  refused("setp.lo.s32", 3);
  refused("abs.u32", 2);
  refused("div.f32", 3);
  refused("cvt.f16.f32", 2);
  refused("cvt.s32.f32", 2);
  refused("and.f32", 3);
  refused("shf.l.b32", 4);
  refused("cvta.u64", 2);
  CHECK_FALSE(find_lane_operation(instruction_of("ld.global.u32", 2), {}).has_value());
  CHECK_FALSE(find_lane_operation(instruction_of("bra", 1), {}).has_value());
  // A register of the wrong width would be read as a row of another shape.
  auto add = instruction_of("add.s32", 3);
  for (auto& operand : add.operands) operand.reg = 0;
  CHECK_NOTHROW(find_lane_operation(add, function_with({ptx::Type::b32})));
  CHECK_THROWS_AS(find_lane_operation(add, function_with({ptx::Type::b64})), std::invalid_argument);
}
