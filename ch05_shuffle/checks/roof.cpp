/// \file What chapter 5 requires of reduce_to_the_roof. Contract: kernels.hpp. bench/beside_cub.cu measures
/// on a GPU whether it is as fast as CUB.

#include <algorithm>
#include <numeric>

#include "ch05_shuffle/checks/wide_checks.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

/// One input on one device. Any part of it can be summed, again and again with the same scratch memory, as a
/// caller would do. Its elements are 1 to `largest`: with 15, sums of up to 2^20 of them are exact.
class Roof {
 public:
  Roof(Device& device, unsigned size, unsigned most_blocks, int largest = 15)
      : device_(device),
        values_(random_integers(size, size, 1, largest)),
        before_(size + 1, 0.0),
        in_(device.upload("in", values_)),
        scratch_(device, most_blocks) {
    std::partial_sum(values_.begin(), values_.end(), before_.begin() + 1, std::plus<double>{});
  }

  /// Sums n elements from `offset` on. *out is poisoned before. *ticket must be 0 again afterwards. That is
  /// checked first, because otherwise the next launch would give a wrong sum and get the blame.
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

/// *out after one launch on all of `values`.
Buffer<float> sum_to_the_roof(Device& device, const std::vector<float>& values, unsigned blocks) {
  const auto in = device.upload("in", values);
  auto out = device.poisoned<float>("out", 1);
  const RoofScratch scratch(device, blocks);
  device.launch(reduce_to_the_roof, roof_shape(blocks), in, out, static_cast<unsigned>(values.size()),
                scratch.partials, scratch.ticket);
  return out;
}

const RegisterKernels roof_kernel({
    {.kernel = reduce_to_the_roof,
     .technique = "16-byte loads, 4 in flight",
     .task = "sum everything, at the speed of the memory",
     .run = [](Device& device, unsigned n) { return run_roof(device, n, roof_blocks(device, n)); },
     .is_step = true,
     .comes_from = "reduce_shuffle"},
});

}  // namespace

// All four offsets of each n on the simulator: tests/every_size.cpp.
WARPWISE_CHECK(reduce_to_the_roof, result) {
  for (Device& device : check.devices()) {
    Roof roof(device, short_stretch + 4, 3);
    for_short_stretches(device,
                        [&](unsigned offset, unsigned n, unsigned blocks) { roof.run(offset, n, blocks); });
  }
}
WARPWISE_CHECK(reduce_to_the_roof, result, "tiles and ends") {
  for (Device& device : check.devices()) {
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
  if (check.is_in_another_order()) return;  // too large for more than once
  for (Device& device : check.devices()) {
    constexpr unsigned size = (1u << 20) + 8;  // one tile more than 2^20 elements have
    Roof roof(device, size, roof_grid(device.properties().multiprocessors, size));
    for (const int more : {-3, -1, 0, 2}) {
      const unsigned n = (1u << 20) + more;
      roof.run(more & 3, n, roof_grid(device.properties().multiprocessors, n));
    }
  }
}
// Every launch finds the ticket as the first one did, and every block draws one each time.
WARPWISE_CHECK(reduce_to_the_roof, result, "launched again") {
  for (Device& device : check.devices()) {
    const KeptModuleMemory kept(device);
    Roof roof(device, 3 * tile, 16);
    for (const unsigned blocks : {1u, 16u, 2u, 16u}) roof.run(0, 3 * tile, blocks);
    for (unsigned launch = 0; launch < 300; ++launch) roof.run(launch % 4, 8 * (launch % 5), 1 + launch % 2);
  }
}
// More blocks than a block has threads: once all of them have work, and once hardly any.
WARPWISE_CHECK(reduce_to_the_roof, result, "600 blocks") {
  if (check.is_in_another_order()) return;  // too large for more than once, or for observers
  const OtherOptions unobserved(check.simulated(),
                                [](auto& all) { all.watch = warpwise::simulator::Watch::nothing; });
  for (Device& device : check.devices()) {
    Roof roof(device, 601 * tile + 8, 600, 3);
    for (const unsigned n : {0u, 5u, 601 * tile + 5}) roof.run(1, n, 600);
  }
}
// CUDA doesn't promise that two blocks run at the same time, so none may wait for one that comes later.
WARPWISE_CHECK(reduce_to_the_roof, result, "blocks one after the other") {
  const OtherOptions one_by_one(check.simulated(), [](auto& options) { options.launch.resident_blocks = 1; });
  Roof(check.simulated(), 3 * tile, 5).run(0, 3 * tile, 5);
}
WARPWISE_CHECK(reduce_to_the_roof, result, "special values") {
  for (Device& device : check.devices())
    for (const unsigned place : {0u, 3 * tile / 2, 3 * tile + 2})
      for (const float special : {infinity, not_a_number, 0x1p40f}) {
        constexpr unsigned n = 3 * tile + 3;
        std::vector<float> values(n);
        values[place] = special;
        expect_equal(
            sum_to_the_roof(device, values, 2), static_cast<double>(special),
            {.n = n,
             .note = "in[" + std::to_string(place) + "] is " + text_of(special) + ", the others are 0"});
      }
}
WARPWISE_CHECK(reduce_to_the_roof, result, "floats that round") {
  for (Device& device : check.devices()) {
    const unsigned n = 5 * tile + 1001, blocks = 4;
    const auto values = random_floats(n, n);
    // After the block's own additions come those of the partials: at most one per block, and another tree.
    expect_close(sum_to_the_roof(device, values, blocks), sum(values),
                 sum_error_bound(values, additions_for(n, roof_shape(blocks), blocks + 5 + 32)),
                 {.n = n, .grid = blocks, .note = "real floats"});
  }
}

WARPWISE_CHECK(reduce_to_the_roof, result, "in any order") {
  constexpr unsigned n = tile + 1029, blocks = 2;
  check.under_every_schedule([&](Device& device, const std::string& schedule) {
    const auto values = random_integers(n, n);
    expect_equal(sum_to_the_roof(device, values, blocks), sum(values),
                 {.n = n, .grid = blocks, .note = schedule});
  });
}

// Besides the input, each thread of the last block may read the partials.
WARPWISE_CHECK(reduce_to_the_roof, technique) {
  constexpr unsigned n = 1u << 22, blocks = 4;
  const auto run = launch_and_work(check.simulated(), run_roof, n, blocks, 0);
  expect_wide_loads(run, n, 16 * blocks, 4 * roof_threads * blocks);
  expect_at_most("block barriers per block", run.launch.count(&Counters::block_barriers).per_block(), 8,
                 "a few, and none in the loop");
}
WARPWISE_CHECK(reduce_to_the_roof, technique, "any alignment") {
  expect_wide_loads_from_any_start(check.simulated(), run_roof, 4 * roof_threads);
}
WARPWISE_CHECK(reduce_to_the_roof, safety) {
  for (const unsigned n : {0u, 1u, 3u, 5u, 1023u, tile + 3, 4 * tile + 2})
    for (unsigned offset = 0; offset < 4; ++offset)
      for (const unsigned blocks : {1u, 3u}) check.expect_safe(run_roof, n, blocks, offset);
  check.under_every_schedule(
      [&](Device&, const std::string&) { check.expect_safe(run_roof, tile + 1029, 2, 1); });
}
