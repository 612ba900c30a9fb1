#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <string>

#include "reductions.hpp"
#include "technique.hpp"

namespace warpwise::harness {

namespace {

unsigned place_of(SumIsIn side, unsigned n) { return side == SumIsIn::first_element ? 0 : n - 1; }

/// A launch and what must come of it.
struct InPlaceTrial {
  Launch launch;
  Buffer<float> values;
  unsigned place = 0;
  double expected = 0, bound = 0;
  Case where;
  void compare() const { expect_element(values, place, expected, bound, where); }
};

InPlaceTrial launch_in_place(Device& device, const InPlaceSum& sums, const std::vector<float>& values,
                             const std::string& note = {}, double bound = 0) {
  const auto n = static_cast<unsigned>(values.size());
  auto buffer = device.upload("values", values);
  Launch launch = device.launch(sums.kernel, {.grid = 1, .block = n / 2, .n = n}, buffer);
  return {std::move(launch),
          std::move(buffer),
          place_of(sums.side, n),
          sums.result(values),
          bound,
          {.n = n, .block = n / 2, .note = note}};
}
InPlaceTrial launch_integers(Device& device, const InPlaceSum& sums, unsigned n) {
  return launch_in_place(device, sums, random_integers(n, seed_of(n)));
}
InPlaceTrial launch_floats(Device& device, const InPlaceSum& sums, unsigned n) {
  const auto values = random_floats(n, seed_of(n));
  return launch_in_place(device, sums, values, "real floats", sum_error_bound(values, n - 1));
}

}  // namespace

unsigned in_place_size_for(unsigned n) {
  return std::clamp(std::bit_ceil(n), std::begin(every_in_place_size)[0], std::end(every_in_place_size)[-1]);
}

Launch run_in_place(Device& device, const InPlaceSum& sums, unsigned n) {
  InPlaceTrial trial = launch_integers(device, sums, n);
  if (!trial.launch.is_timed()) trial.compare();
  return std::move(trial.launch);
}

void check_sum_in_place(Check& check, const InPlaceSum& sums) {
  for (Device& device : check.devices())
    for (const unsigned n : every_in_place_size) {
      launch_integers(device, sums, n).compare();
      launch_floats(device, sums, n).compare();
    }
}

void check_sum_in_place_of_any_values(Check& check, const InPlaceSum& sums) {
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
      {random_denormals(n, 3), "denormal numbers"},
      {with(small, {{77, -infinity}}), "with an infinity"},
      {with(small, {{3, infinity}, {90, -infinity}}), "with both infinities"},
      {with(small, {{n - 1, std::numeric_limits<float>::quiet_NaN()}}), "with a NaN"},
  };
  for (Device& device : check.devices())
    for (const auto& [values, note] : cases) {
      const InPlaceTrial trial = launch_in_place(device, sums, values, note);
      expect_made_of(trial.values, "values[" + std::to_string(trial.place) + "] is",
                     trial.values.download()[trial.place], trial.expected, trial.where);
    }
}

void check_tree_in_place(Check& check, const InPlaceSum& sums,
                         const std::function<void(const LaunchAndWork& run, unsigned n)>& more) {
  for (const unsigned n : every_in_place_size)
    for (const auto launch : {launch_integers, launch_floats}) {
      std::optional<InPlaceTrial> trial;
      const LaunchAndWork run = launch_and_work(check.simulated(), [&](Device& device) {
        trial = launch(device, sums, n);
        return trial->launch;
      });
      expect_no_shared_memory(run.launch, "the values stay where they are, in global memory");
      expect_no_shuffles(run.launch);
      expect_no_atomics(run.launch);
      // Each level reads what the level before has written; the first reads what was there.
      expect_at_most("block barriers for " + std::to_string(n) + " values",
                     run.launch.count(&Counters::block_barriers), tree_levels(n), "one for each level");
      expect_a_tree(run, n);
      expect_all_are_added(run, n, 1);
      if (more) more(run, n);
      trial->compare();
    }
}

void check_in_place_is_safe(Check& check, const InPlaceSum& sums) {
  for (const unsigned n : every_in_place_size)
    check.expect_safe([&](Device& device) {
      const InPlaceTrial trial = launch_integers(device, sums, n);
      trial.compare();
      return trial.launch;
    });
}

}  // namespace warpwise::harness
