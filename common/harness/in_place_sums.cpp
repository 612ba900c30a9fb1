#include "in_place_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
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

unsigned place_of(SumIsIn side, unsigned n) { return side == SumIsIn::first_element ? 0 : n - 1; }

}  // namespace

unsigned in_place_size_for(unsigned n) {
  return std::clamp(std::bit_ceil(n), std::begin(every_in_place_size)[0], std::end(every_in_place_size)[-1]);
}

Launch run_in_place(Device& device, const SumInPlace& kernel, unsigned n) {
  const auto values = device.upload("values", random_integers(n, seed_of(n)));
  return device.launch(kernel, {.grid = 1, .block = n / 2}, values);
}

void check_sum_in_place(const SumInPlace& kernel, SumIsIn side, InPlaceResult result) {
  for (Device& device : devices())
    for (const unsigned n : every_in_place_size) {
      const unsigned place = place_of(side, n);
      const auto integers = random_integers(n, seed_of(n)), floats = random_floats(n, seed_of(n));
      expect_element(sum_in_place(device, kernel, integers), place, result(integers), 0, {.n = n});
      expect_element(sum_in_place(device, kernel, floats), place, result(floats),
                     sum_error_bound(floats, tree_levels(n)), {.n = n, .note = "real floats"});
    }
}

void check_sum_in_place_of_any_values(const SumInPlace& kernel, SumIsIn side, InPlaceResult result) {
  constexpr unsigned n = 128;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto with = [](std::vector<float> values, std::initializer_list<std::pair<unsigned, float>> changes) {
    for (const auto& [i, value] : changes) values[i] = value;
    return values;
  };
  const std::vector<float> small = random_integers(n, 1, -3, 3);
  const std::pair<std::vector<float>, const char*> cases[] = {
      {small, "zeros and both signs"},
      {random_integers(n, 2, -(1 << 17), 1 << 17), "large numbers"},
      {std::vector<float>(n, 0x1p40f), "2^40 everywhere"},
      {with(small, {{77, -infinity}}), "with an infinity"},
      {with(small, {{3, infinity}, {90, -infinity}}), "with both infinities"},
      {with(small, {{n - 1, std::numeric_limits<float>::quiet_NaN()}}), "with a NaN"},
  };
  for (Device& device : devices())
    for (const auto& [values, note] : cases) {
      const std::vector<float> left = sum_in_place(device, kernel, values).download();
      const double expected = result(values), actual = left[place_of(side, n)];
      expect_that(actual == expected || (std::isnan(actual) && std::isnan(expected)), {.n = n, .note = note},
                  "values[" + std::to_string(place_of(side, n)) + "] is " + detail::text_of(actual) +
                      ", expected " + detail::text_of(expected));
    }
}

void check_tree_in_place(const SumInPlace& kernel) {
  for (const unsigned n : every_in_place_size) {
    const CountedLaunch run = count_additions([&] { return run_in_place(simulated_device(), kernel, n); });
    const Counters& counters = run.launch.counters();
    expect_no_shared_memory(counters, "the values stay where they are, in global memory");
    expect_no_shuffles(counters);
    expect_no_atomics(counters);
    // Each level reads what the level before has written; the first reads what was there.
    expect_at_most("block barriers for " + std::to_string(n) + " values", counters.block_barriers,
                   tree_levels(n), "one for each level");
    expect_a_tree(run, n);
  }
}

void check_in_place_is_safe(const SumInPlace& kernel) {
  for (const unsigned n : every_in_place_size)
    expect_no_findings(run_in_place(simulated_device(), kernel, n));
}

}  // namespace warpwise::harness
