#include "in_place_sums.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "expectations.hpp"
#include "inputs.hpp"
#include "references.hpp"
#include "technique.hpp"

namespace warpwise::harness {

namespace {

Buffer<float> sum_in_place(Device& device, const SumInPlace& kernel, const std::vector<float>& values) {
  auto buffer = device.upload("values", values);
  device.launch(kernel, {.grid = 1, .block = static_cast<unsigned>(values.size() / 2)}, buffer);
  return buffer;
}

}  // namespace

unsigned in_place_size_for(unsigned n) {
  return std::clamp(std::bit_ceil(n), std::begin(every_in_place_size)[0], std::end(every_in_place_size)[-1]);
}

Launch run_in_place(Device& device, const SumInPlace& kernel, unsigned n) {
  const auto values = device.upload("values", random_integers(n, seed_of(n)));
  return device.launch(kernel, {.grid = 1, .block = n / 2}, values);
}

void check_sum_in_place(const SumInPlace& kernel, SumIsIn side) {
  for (Device& device : devices())
    for (const unsigned n : every_in_place_size) {
      const unsigned place = side == SumIsIn::first_element ? 0 : n - 1;
      const auto integers = random_integers(n, seed_of(n)), floats = random_floats(n, seed_of(n));
      expect_element(sum_in_place(device, kernel, integers), place, sum(integers), 0, {.n = n});
      expect_element(sum_in_place(device, kernel, floats), place, sum(floats),
                     sum_error_bound(floats, tree_levels(n)), {.n = n, .note = "real floats"});
    }
}

void check_tree_in_place(const SumInPlace& kernel) {
  for (const unsigned n : every_in_place_size) {
    const Counters counters = run_in_place(simulated_device(), kernel, n).counters();
    // Each level reads what the level before has written; the first reads what was there.
    expect_at_most("block barriers for " + std::to_string(n) + " values", counters.block_barriers,
                   tree_levels(n), "one for each level");
    expect_no_atomics(counters);
  }
  // 64 values are one warp and 6 levels, the first of which reads what was there.
  const Counters counters = run_in_place(simulated_device(), kernel, 64).counters();
  expect_at_least("exchanges between the threads for 64 values", exchanges(counters), tree_levels(64) - 1,
                  "a tree of pairs has 6 levels; does one thread add everything?");
}

void check_in_place_is_safe(const SumInPlace& kernel) {
  for (const unsigned n : every_in_place_size)
    expect_no_findings(run_in_place(simulated_device(), kernel, n));
}

}  // namespace warpwise::harness
