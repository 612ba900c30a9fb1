#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "reductions.hpp"
#include "technique.hpp"

namespace warpwise::harness {

namespace {
/// Two whole stretches and a third with a tail.
unsigned ragged_size(const BlockSums& sums, unsigned block) { return 3 * sums.stretch(block) - 5; }

/// What `grid` blocks of `block` threads write; those after the last element have an empty stretch.
std::vector<double> expected_results(const BlockSums& sums, const std::vector<float>& values, unsigned block,
                                     unsigned grid) {
  const std::size_t stretch = sums.stretch(block);
  std::vector<double> results;
  for (std::size_t b = 0; b < grid; ++b) {
    const std::size_t begin = std::min(b * stretch, values.size());
    const std::size_t end = std::min(begin + stretch, values.size());
    const std::vector<double> own = sums.results(std::span(values).subspan(begin, end - begin));
    results.insert(results.end(), own.begin(), own.end());
  }
  return results;
}

/// A launch and what must come of it.
struct Trial {
  Launch launch;
  Buffer<float> out;
  std::vector<double> expected;
  Case where;
  void compare() const { expect_equal(out, expected, where); }
};

Trial launch_trial(Device& device, const BlockSums& sums, const LaunchShape& shape,
                   const std::vector<float>& values, const std::string& note = {}) {
  auto [launch, out] = run_in_out(device, sums.kernel, shape, values, shape.grid.x * sums.results_a_block());
  Case where{.n = static_cast<unsigned>(values.size()), .block = shape.block.x, .note = note};
  if (shape.grid.x != sums.shape(*where.n, shape.block.x).grid.x) where.grid = shape.grid.x;
  return {std::move(launch), std::move(out), expected_results(sums, values, shape.block.x, shape.grid.x),
          where};
}

constexpr unsigned unfitting_grids[] = {1, 2, 4, 9};  // fewer blocks than ragged_size needs, and more

/// `grid` blocks in place of as many as ragged_size needs.
LaunchShape unfitting_shape(const BlockSums& sums, unsigned block, unsigned grid) {
  LaunchShape shape = sums.shape(ragged_size(sums, block), block);
  shape.grid.x = grid;
  return shape;
}

/// Elements that the blocks of `shape` have, of n.
unsigned elements_in(const BlockSums& sums, const LaunchShape& shape, unsigned n) {
  return static_cast<unsigned>(
      std::min<std::uint64_t>(n, std::uint64_t{shape.grid.x} * sums.stretch(shape.block.x)));
}
}  // namespace

LaunchShape BlockSums::shape(unsigned n, unsigned block) const {
  const LaunchShape bare{.grid = std::max(1u, ceil_div(n, stretch(block))), .block = block};
  return has_dynamic_shared ? with_shared_floats(bare) : bare;
}

Launch expect_block_sums(Device& device, const BlockSums& sums, const std::vector<float>& values,
                         const LaunchShape& shape, const std::string& note) {
  Trial trial = launch_trial(device, sums, shape, values, note);
  if (!trial.launch.is_timed()) trial.compare();
  return std::move(trial.launch);
}

Launch expect_block_sums(Device& device, const BlockSums& sums, unsigned n, unsigned block,
                         const std::string& note) {
  return expect_block_sums(device, sums, random_integers(n, seed_of(n, block)), sums.shape(n, block), note);
}

bool gives_block_sums(Device& device, const BlockSums& sums, unsigned n, unsigned block) {
  LaunchShape shape = sums.shape(n, block);
  shape.may_end_early = true;
  const Trial trial = launch_trial(device, sums, shape, random_integers(n, seed_of(n, block)));
  return trial.launch.completed() && std::ranges::equal(trial.out.download(), trial.expected);
}

void check_block_sums(Check& check, const BlockSums& sums) {
  for (const unsigned block : check.block_sizes()) check_block_sums(check, sums, block);
}
void check_block_sums(Check& check, const BlockSums& sums, unsigned block) {
  for (Device& device : check.devices())
    for (const unsigned n : check.awkward_sizes(sums.stretch(block)))
      expect_block_sums(device, sums, n, block);
}

void check_block_sums_with_any_grid(Check& check, const BlockSums& sums, unsigned smallest_block,
                                    unsigned largest_block) {
  const auto expect_with_grid = [&](Device& device, unsigned n, unsigned block, unsigned grid) {
    LaunchShape shape = sums.shape(n, block);
    const unsigned needed = std::exchange(shape.grid.x, grid);
    expect_block_sums(device, sums, random_integers(n, seed_of(n, block, grid)), shape,
                      grid < needed   ? "fewer blocks than n needs"
                      : grid > needed ? "more blocks than n needs"
                                      : "");
  };
  for (Device& device : check.devices()) {
    for (unsigned block = smallest_block; block <= largest_block; block *= 4)
      for (const unsigned grid : unfitting_grids)
        expect_with_grid(device, ragged_size(sums, block), block, grid);
    expect_with_grid(device, 5, smallest_block, 300);
    expect_block_sums(device, sums, (1u << 16) + sums.stretch(largest_block) / 2 + 3, largest_block,
                      "more elements than 16 bits count");
    // Whatever a launch leaves behind, in a variable of the module say, the next ones meet.
    const KeptModuleMemory kept(device);
    for (unsigned i = 0; i < 300; ++i)
      expect_block_sums(device, sums, i % 7 * sums.stretch(smallest_block) / 4 + 1, smallest_block,
                        "launch " + std::to_string(i + 1) + " in a row");
  }
}

void check_block_sums_of_any_values(Check& check, const BlockSums& sums, unsigned block) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const unsigned stretch = sums.stretch(block), n = ragged_size(sums, block);
  const LaunchShape shape = sums.shape(n, block);
  const int largest = (1 << 24) / static_cast<int>(stretch);  // so that every partial sum is exact
  for (Device& device : check.devices()) {
    expect_block_sums(device, sums, random_integers(n, 1, -3, 3), shape, "zeros and both signs");
    expect_block_sums(device, sums, random_integers(n, 2, -largest, largest), shape, "large numbers");
    expect_block_sums(device, sums, std::vector<float>(n, 0x1p40f), shape, "2^40 everywhere");
    expect_block_sums(device, sums, random_denormals(n, 4), shape, "denormal numbers");

    std::vector<float> values = random_integers(n, 3);
    values[1] = -infinity;       // a block with one infinity
    values[stretch] = infinity;  // one with both
    values[stretch + 1] = -infinity;
    values[n - 1] = infinity;  // and one after whose elements nothing stands
    expect_block_sums(device, sums, values, shape, "with infinities");
    values[0] = std::numeric_limits<float>::quiet_NaN();
    expect_block_sums(device, sums, values, shape, "with a NaN");
  }
}

void check_rounded_block_sums(Check& check, const BlockSums& sums) {
  for (const unsigned block : check.block_sizes()) check_rounded_block_sums(check, sums, block);
}
void check_rounded_block_sums(Check& check, const BlockSums& sums, unsigned block) {
  const unsigned stretch = sums.stretch(block), n = 3 * stretch - 1;
  // In whatever order they are added, no value passes through more additions than that.
  const unsigned additions = stretch - 1;
  const auto values = random_floats(n, seed_of(n, block));
  const LaunchShape shape = sums.shape(n, block);
  std::vector<double> bounds;
  for (const double of_block : block_sum_error_bounds(values, stretch, additions))
    bounds.insert(bounds.end(), sums.results_a_block(), of_block);
  for (Device& device : check.devices())
    expect_close(launch_trial(device, sums, shape, values).out,
                 expected_results(sums, values, block, shape.grid.x), bounds,
                 {.n = n, .block = block, .note = "real floats"});
}

namespace {
/// Counts the launch, and only then compares: what it spends explains more than what is wrong.
void count_trial(SimulatedDevice& device, const BlockSums& sums, const LaunchShape& shape,
                 const std::vector<float>& values, const BlockSumLimits& limits) {
  std::optional<Trial> trial;
  const LaunchAndWork run = launch_and_work(device, [&](Device&) {
    trial = launch_trial(device, sums, shape, values);
    return trial->launch;
  });
  const unsigned elements = elements_in(sums, shape, *trial->where.n);
  limits(run, elements);
  expect_all_are_added(run, elements,
                       ceil_div(elements, sums.stretch(shape.block.x)) * sums.results_a_block());
  trial->compare();
}
}  // namespace

bool has_full_blocks(const BlockSums& sums, const LaunchAndWork& run, unsigned elements) {
  const LaunchShape& shape = run.launch.shape();
  return std::uint64_t{shape.grid.x} * sums.stretch(shape.block.x) == elements;
}

unsigned elements_to_read(const BlockSums& sums, const LaunchAndWork& run, unsigned elements) {
  return sums.elements_a_thread == 1 || has_full_blocks(sums, run, elements) ? elements : elements + 64;
}

void check_every_block_sum_is_counted(Check& check, const BlockSums& sums, unsigned block,
                                      const BlockSumLimits& limits) {
  const auto count = [&](unsigned n, const LaunchShape& shape, std::uint64_t seed, int low = 1,
                         int high = 15) {
    count_trial(check.simulated(), sums, shape, random_integers(n, seed, low, high), limits);
  };
  const auto count_covering = [&](unsigned n) { count(n, sums.shape(n, block), seed_of(n, block)); };
  for (const unsigned whole : {4u, 8u}) count_covering(whole * sums.stretch(block));
  for (const unsigned n : check.awkward_sizes(sums.stretch(block))) count_covering(n);
  const unsigned ragged = ragged_size(sums, block);
  for (const unsigned grid : unfitting_grids)
    count(ragged, unfitting_shape(sums, block, grid), seed_of(ragged, block, grid));
  count(ragged, sums.shape(ragged, block), 1, -3, 3);
}

void check_block_sums_under_every_schedule(Check& check, const BlockSums& sums, unsigned block) {
  check.under_every_schedule([&](Device& device, const std::string& schedule) {
    expect_block_sums(device, sums, ragged_size(sums, block), block, schedule);
  });
}

void check_block_sums_are_safe(Check& check, const BlockSums& sums) {
  for (const unsigned block : check.block_sizes()) check_block_sums_are_safe(check, sums, block);
}
void check_block_sums_are_safe(Check& check, const BlockSums& sums, unsigned block) {
  for (const unsigned n : check.awkward_sizes(sums.stretch(block)))
    check.expect_safe([&](Device& device) { return expect_block_sums(device, sums, n, block); });
  const unsigned n = ragged_size(sums, block);
  LaunchShape shape = sums.shape(n, block);
  shape.grid.x += 3;
  check.expect_safe([&](Device& device) {
    return expect_block_sums(device, sums, random_integers(n, seed_of(n, block)), shape);
  });
}

void check_block_sums_are_safe_under_every_schedule(Check& check, const BlockSums& sums, unsigned block) {
  check.under_every_schedule([&](Device&, const std::string&) {
    check.expect_safe(
        [&](Device& device) { return expect_block_sums(device, sums, ragged_size(sums, block), block); });
  });
}

}  // namespace warpwise::harness
