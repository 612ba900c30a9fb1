/// \file What chapter 5 asks of reduce_to_the_roof. Contract: kernels.hpp. That it is as fast as CUB is
/// measured on a GPU, by bench/beside_cub.cu.

#include <algorithm>
#include <numeric>

#include "ch05_shuffle/block_checks.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

/// "in starts 1 float after a 16-byte boundary"
std::string start_of(unsigned offset) {
  if (offset == 0) return "in starts at a 16-byte boundary";
  return "in starts " + std::to_string(offset) + (offset == 1 ? " float" : " floats") +
         " after a 16-byte boundary";
}

/// One input on one device, summed again and again: any stretch of it, with the same scratch memory, as a
/// caller would. Its elements are 1 to 15, so that sums of up to 2^20 of them are exact.
class Roof {
 public:
  Roof(Device& device, unsigned size, unsigned most_blocks)
      : device_(device),
        values_(random_integers(size, size)),
        before_(size + 1, 0.0),
        in_(device.upload("in", values_)),
        scratch_(device, most_blocks) {
    std::partial_sum(values_.begin(), values_.end(), before_.begin() + 1, std::plus<double>{});
  }

  /// Sums n elements from `offset` on. *out is poisoned before. *ticket must be 0 again afterwards: that is
  /// said first, since a ticket that is not spoils the next sum, whose launch would be blamed for it.
  Launch run(unsigned offset, unsigned n, unsigned blocks) {
    if (blocks > scratch_.partials.size()) throw std::logic_error("Roof: made for fewer blocks");
    const auto out = device_.poisoned<float>("out", 1);
    Launch launch = device_.launch(reduce_to_the_roof, roof_shape(blocks), in_.from(offset), out, n,
                                   scratch_.partials, scratch_.ticket);
    const Case where{.n = n, .grid = blocks, .note = start_of(offset)};
    const unsigned ticket = scratch_.ticket.download().front();
    expect_that(
        ticket == 0, {.n = n, .grid = blocks},
        "*ticket is " + std::to_string(ticket) + " after the launch, and must be 0 again for the next");
    expect_equal(out, before_[offset + n] - before_[offset], where);
    return launch;
  }

 private:
  Device& device_;
  std::vector<float> values_;
  std::vector<double> before_;  ///< before_[i]: the sum of the i first
  Buffer<float> in_;
  RoofScratch scratch_;
};

constexpr unsigned tile = 4 * roof_loads * roof_threads;  // elements that a block takes at once

double ratio(std::uint64_t a, double b) { return static_cast<double>(a) / b; }

}  // namespace

// A GPU takes all four offsets of each n; the simulator one, and all four where n is small. All four of each
// n on the simulator: tests/every_size.cpp.
WARPWISE_CHECK(reduce_to_the_roof, result) {
  for (Device& device : devices()) {
    Roof roof(device, 4104, 3);
    const unsigned step = device.is_simulated() ? 23 : 1;
    for (unsigned n = 0; n <= 4100; n += n < 40 ? 1 : step)
      for (unsigned offset = 0; offset < 4; ++offset)
        if (n < 40 || !device.is_simulated() || offset == n / step % 4) roof.run(offset, n, 1 + n % 3);
  }
}
WARPWISE_CHECK(reduce_to_the_roof, result, "tiles and ends") {
  for (Device& device : devices()) {
    Roof roof(device, 7 * tile + 8, 5);
    for (const unsigned tiles : {1u, 4u, 7u})
      for (const int more : {-5, -1, 0, 1, 5})
        for (unsigned offset = 0; offset < 4; ++offset) {
          const unsigned n = std::min<unsigned>(tiles * tile + more, 7 * tile + 4);
          roof.run(offset, n, device.is_simulated() ? 1 + (n + offset) % 5 : 5);
        }
  }
}
WARPWISE_CHECK(reduce_to_the_roof, result, "about 2^20") {
  for (Device& device : devices()) {
    constexpr unsigned size = (1u << 20) + 8;  // one tile more than 2^20 elements have
    Roof roof(device, size, roof_grid(device.properties().multiprocessors, size));
    for (const int more : {-3, -1, 0, 2}) {
      const unsigned n = (1u << 20) + more;
      roof.run(more & 3, n, roof_grid(device.properties().multiprocessors, n));
    }
  }
}
// The next launch finds the ticket as the first did; each time every block draws one.
WARPWISE_CHECK(reduce_to_the_roof, result, "launched again") {
  for (Device& device : devices()) {
    Roof roof(device, 3 * tile, 16);
    for (const unsigned blocks : {1u, 16u, 2u, 16u}) roof.run(0, 3 * tile, blocks);
  }
}
WARPWISE_CHECK(reduce_to_the_roof, result, "floats that round") {
  for (Device& device : devices()) {
    const unsigned n = 5 * tile + 1001, blocks = 4;
    const auto values = random_floats(n, n);
    const auto in = device.upload("in", values);
    const auto out = device.poisoned<float>("out", 1);
    const RoofScratch scratch(device, blocks);
    device.launch(reduce_to_the_roof, roof_shape(blocks), in, out, n, scratch.partials, scratch.ticket);
    // After the block's own additions come those of the partials: one a block at most, and another tree.
    expect_close(out, sum(values),
                 sum_error_bound(values, additions_for(n, roof_shape(blocks), blocks + 5 + 32)),
                 {.n = n, .grid = blocks, .note = "real floats"});
  }
}

WARPWISE_CHECK(reduce_to_the_roof, result, "in any order") {
  constexpr unsigned n = tile + 1029, blocks = 2;
  under_every_schedule([&](Device& device, const std::string& schedule) {
    const auto values = random_integers(n, n);
    const auto in = device.upload("in", values);
    const auto out = device.poisoned<float>("out", 1);
    const RoofScratch scratch(device, blocks);
    device.launch(reduce_to_the_roof, roof_shape(blocks), in, out, n, scratch.partials, scratch.ticket);
    expect_equal(out, sum(values), {.n = n, .grid = blocks, .note = schedule});
  });
}

// The limits:
//   2 instructions: a float4 costs one load and four additions, a loop around it three more (pointer, counter
//   or comparison, branch), 8 in all for four elements a lane. So one load a round is 2 and, with the start
//   and the end of the kernel, more; several loads a round share the loop. There are few blocks, so that this
//   is about the loop and not about start and end.
//   Sectors: beside the input there are the partials; each of the 16 warps of the last block may read each of
//   the 16 partials with a request of its own, 256 sectors to the 2^21 of the input.
//   8 barriers: two sums of a block have at most three each (before the array is written again, between the
//   two stages, before the array is free), and there is one on either side of the ticket. A tree over all
//   threads of a block has 9 by itself, since 2^9 = 512, and a loop with a barrier in it one a round.
WARPWISE_CHECK(reduce_to_the_roof, technique) {
  constexpr unsigned n = 1u << 24, blocks = 16;
  const Launch launch = run_roof(simulated_device(), n, blocks);
  const auto& counters = launch.counters();
  // 32 lanes with 16 neighbouring bytes each fill 16 sectors. 15.9 leaves room for the partials and the ends.
  expect_at_least("sectors a load request",
                  ratio(counters.global_load_sectors, static_cast<double>(counters.global_load_requests)),
                  15.9, "32 lanes that load 16 bytes each fill 16 sectors");
  constexpr double warps_a_block = roof_threads / 32.0;
  expect_at_most("global load sectors", counters.global_load_sectors, n / 8.0 + warps_a_block * blocks,
                 "each element is read once, and neighbouring lanes read neighbours");
  expect_at_most("warp instructions for each 32 elements", ratio(counters.warp_instructions, n / 32.0), 2,
                 "a loop of one float4 a round has 2 by itself: load several a round, at distances that the "
                 "compiler knows");
  expect_at_most("block barriers a block", per_block(launch, counters.block_barriers), 8,
                 "few, and none in the loop");
}
WARPWISE_CHECK(reduce_to_the_roof, technique, "any alignment") {
  constexpr unsigned n = 1u << 18, blocks = 1;
  for (unsigned offset = 0; offset < 4; ++offset) {
    const auto counters = run_roof(simulated_device(), n, blocks, offset).counters();
    expect_at_least("sectors a load request, " + start_of(offset),
                    ratio(counters.global_load_sectors, static_cast<double>(counters.global_load_requests)),
                    15.9, "16-byte loads from the first 16-byte boundary on");
  }
}

// As many elements for each thread as 16 loads of 16 bytes take at once, so that there are enough for all.
constexpr unsigned roof_shared_n = 16 * 4 * roof_threads;

WARPWISE_CHECK(reduce_to_the_roof, technique, "all warps work") {
  const auto out = simulated_device().poisoned<float>("out", 1);
  const RoofScratch scratch(simulated_device(), 1);
  // 128 elements are one load of a warp.
  expect_every_warp_reads(roof_shape(1), random_integers(roof_shared_n, 1), 128,
                          [&](const Buffer<float>& in) {
                            return simulated_device().launch(reduce_to_the_roof, roof_shape(1), in, out,
                                                             roof_shared_n, scratch.partials, scratch.ticket);
                          });
}
WARPWISE_CHECK(reduce_to_the_roof, technique, "all blocks work") {
  constexpr unsigned n = 3 * roof_shared_n, blocks = 3;
  const auto out = simulated_device().poisoned<float>("out", 1);
  const RoofScratch scratch(simulated_device(), blocks);
  // One of 31 loads will do, for 31 has no factor in common with 3 blocks or with tiles of 2^k loads:
  // whichever way the tiles lie, the samples come to lie in each block's.
  const auto readers = readers_of(random_integers(n, 1), 31 * 128, [&](const Buffer<float>& in) {
    return simulated_device().launch(reduce_to_the_roof, roof_shape(blocks), in, out, n, scratch.partials,
                                     scratch.ticket);
  });
  for (unsigned b = 0; b < blocks; ++b)
    expect_that(
        std::any_of(readers.begin(), readers.end(), [&](const Reader& reader) { return reader.block == b; }),
        {.n = n, .grid = blocks},
        "block " + std::to_string(b) +
            " reads no element, though there are enough for all: share the work out");
}

WARPWISE_CHECK(reduce_to_the_roof, safety) {
  Device& device = simulated_device();
  for (const unsigned n : {0u, 1u, 3u, 5u, 1023u, tile + 3, 4 * tile + 2})
    for (unsigned offset = 0; offset < 4; ++offset)
      for (const unsigned blocks : {1u, 3u}) expect_no_findings(run_roof(device, n, blocks, offset));
  under_every_schedule([&](Device& under_schedule, const std::string&) {
    expect_no_findings(run_roof(under_schedule, tile + 1029, 2, 1));
  });
}
