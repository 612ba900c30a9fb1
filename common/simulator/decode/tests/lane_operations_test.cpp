// Shuffle, vote, match, redux and atomics.
#include "common/simulator/decode/instructions/lane_operations.hpp"

#include <cmath>

#include "lane_test.hpp"

using namespace warpwise::simulator;
using namespace warpwise::simulator::decode::instructions;
using namespace warpwise::simulator::decode::instructions::lane_test;
using ptx::Type;

namespace {

/// What cuda's __shfl_*_sync(mask, v, argument, width) reads, by its description in the programming guide.
int expected_source(ShuffleMode mode, int lane, int argument, int width) {
  const int start = lane / width * width;
  const int wanted = mode == ShuffleMode::up     ? lane - argument
                     : mode == ShuffleMode::down ? lane + argument
                     : mode == ShuffleMode::bfly ? (lane ^ argument)
                                                 : start + argument % width;
  if (mode == ShuffleMode::up && wanted < start) return lane;
  // A butterfly may reach into earlier segments, but not into later ones.
  if (mode != ShuffleMode::up && wanted >= start + width) return lane;
  return wanted;
}

}  // namespace

TEST_CASE("shuffles read from the lane that CUDA names") {
  for (const ShuffleMode mode : {ShuffleMode::up, ShuffleMode::down, ShuffleMode::bfly, ShuffleMode::idx}) {
    for (const int width : {32, 16, 8, 4, 2, 1}) {
      for (int argument = 0; argument < 32; ++argument) {
        Lanes<std::uint32_t> b, c;
        for (auto& x : b) x = static_cast<std::uint32_t>(argument);
        // As the toolkit's headers pack it: segment mask in bits 8-12, clamp below.
        const auto packed =
            static_cast<std::uint32_t>((32 - width) << 8 | (mode == ShuffleMode::up ? 0 : 31));
        for (auto& x : c) x = packed;
        const ShuffleResult result = shuffle_sources(mode, b, c, all_lanes);
        for (int lane = 0; lane < 32; ++lane) {
          INFO("mode " << int(mode) << " width " << width << " argument " << argument << " lane " << lane);
          REQUIRE(int{result.source[lane]} == expected_source(mode, lane, argument, width));
        }
      }
    }
  }
  Lanes<std::uint32_t> b, c;
  for (auto& x : b) x = 1;
  for (auto& x : c) x = 31;
  CHECK(shuffle_sources(ShuffleMode::down, b, c, all_lanes).in_range == 0x7fffffffu);
  CHECK(shuffle_sources(ShuffleMode::down, b, c, 0xff).in_range == 0xffu);
  for (auto& x : c) x = 0;
  CHECK(shuffle_sources(ShuffleMode::up, b, c, all_lanes).in_range == 0xfffffffeu);
}

TEST_CASE("votes and matches look at members alone") {
  CHECK(vote(VoteMode::all, 0xff, 0x0f) == 1);
  CHECK(vote(VoteMode::all, 0x0e, 0x0f) == 0);
  CHECK(vote(VoteMode::any, 0xf0, 0x0f) == 0);
  CHECK(vote(VoteMode::uni, 0xf0, 0x0f) == 1);
  CHECK(vote(VoteMode::uni, 0xf1, 0x0f) == 0);
  CHECK(vote(VoteMode::ballot, 0xf1, 0x0f) == 1);
  Lanes<std::uint64_t> value;
  for (std::uint32_t i = 0; i < 32; ++i) value[i] = std::uint64_t{1} << 40 | i % 3;
  Lanes<std::uint32_t> result = {};
  result[31] = 77;
  match_any(value, 0x0000ffffu, result);
  CHECK(result[0] == 0x9249u);
  CHECK(result[4] == 0x2492u);
  CHECK(result[31] == 77u);
  CHECK(match_all(value, 0x1249u) == 0x1249u);
  CHECK(match_all(value, 0x3u) == 0u);
  CHECK(elect(0xf0u) == 4u);
}

TEST_CASE("redux folds the members") {
  Lanes<std::uint32_t> value;
  for (std::uint32_t i = 0; i < 32; ++i) value[i] = 0xfffffff0u + i;
  const LaneMask some = 0x00030001u;  // 0xfffffff0, 0, 1
  CHECK(find_redux("add", Type::u32)(value, some) == 0xfffffff1u);
  CHECK(find_redux("min", Type::u32)(value, some) == 0u);
  CHECK(find_redux("min", Type::s32)(value, some) == 0xfffffff0u);
  CHECK(find_redux("max", Type::s32)(value, some) == 1u);
  CHECK(find_redux("xor", Type::b32)(value, some) == 0xfffffff1u);
  CHECK(find_redux("and", Type::b32)(value, lane_bit(5)) == 0xfffffff5u);
  CHECK(find_redux("add", Type::f32) == nullptr);
  CHECK(find_redux("and", Type::u32) == nullptr);
  for (std::uint32_t i = 0; i < 32; ++i)
    value[i] = std::bit_cast<std::uint32_t>(static_cast<float>(i) - 20.0f);
  value[3] = 0x7fc00001u;
  CHECK(find_redux("min", Type::f32)(value, 0xffu) == std::bit_cast<std::uint32_t>(-20.0f));
  CHECK(find_redux("max", Type::f32, true)(value, 0xffu) == std::bit_cast<std::uint32_t>(20.0f));
  CHECK(find_redux("max", Type::f32, false, true)(value, 0xffu) == 0x7fffffffu);
}

TEST_CASE("atomics compute the new value") {
  const auto f = [](float a) { return std::uint64_t{std::bit_cast<std::uint32_t>(a)}; };
  CHECK(find_atomic("add", Type::u32)(0xffffffffu, 2, 0) == 1);
  CHECK(find_atomic("add", Type::u64)(~std::uint64_t{0}, 2, 0) == 1);
  CHECK(find_atomic("add", Type::f32)(f(1.5f), f(2.25f), 0) == f(3.75f));
  CHECK(find_atomic("add", Type::f64)(std::bit_cast<std::uint64_t>(0.1), std::bit_cast<std::uint64_t>(0.2),
                                      0) == std::bit_cast<std::uint64_t>(0.1 + 0.2));
  CHECK(find_atomic("add", Type::f32)(1, 1, 0) == 2);
  CHECK(atomic_add_f32_flushed()(1, 0x80000001u, 0) == 0);
  CHECK(find_atomic("min", Type::s32)(5, 0xffffffffu, 0) == 0xffffffffu);
  CHECK(find_atomic("min", Type::u32)(5, 0xffffffffu, 0) == 5);
  CHECK(find_atomic("max", Type::s64)(5, ~std::uint64_t{0}, 0) == 5);
  CHECK(find_atomic("and", Type::b32)(0xff, 0x0f, 0) == 0x0f);
  CHECK(find_atomic("xor", Type::b64)(0xff, 0x0f, 0) == 0xf0);
  CHECK(find_atomic("inc", Type::u32)(3, 3, 0) == 0);
  CHECK(find_atomic("inc", Type::u32)(2, 3, 0) == 3);
  CHECK(find_atomic("dec", Type::u32)(0, 3, 0) == 3);
  CHECK(find_atomic("dec", Type::u32)(9, 3, 0) == 3);
  CHECK(find_atomic("dec", Type::u32)(2, 3, 0) == 1);
  CHECK(find_atomic("exch", Type::b32)(1, 2, 9) == 2);
  CHECK(find_atomic("cas", Type::b32)(1, 2, 1) == 2);
  CHECK(find_atomic("cas", Type::b32)(1, 2, 3) == 1);
  CHECK(find_atomic("cas", Type::b16)(0xabcd0001u, 2, 1) == 2);
  CHECK(find_atomic("add", Type::f16)(0x3c00, 0x4000, 0) == 0x4200);
  CHECK(find_atomic("add", Type::f16x2)(0x3c003c00u, 0x40003c00u, 0) == 0x42004000u);
  CHECK(find_atomic("add", Type::bf16)(0x3f80, 0x4000, 0) == 0x4040);
  CHECK(find_atomic("inc", Type::s32) == nullptr);
  CHECK(find_atomic("add", Type::b32) == nullptr);
}
