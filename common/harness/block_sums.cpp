#include "block_sums.hpp"

#include "expectations.hpp"
#include "inputs.hpp"
#include "references.hpp"
#include "schedules.hpp"
#include "sizes.hpp"
#include "technique.hpp"

namespace warpwise::harness {

namespace {
/// Two whole stretches and a third with a tail.
unsigned ragged_size(const BlockSums& sums, unsigned block) { return 3 * sums.stretch(block) - 5; }
}  // namespace

LaunchShape BlockSums::shape(unsigned n, unsigned block) const {
  const LaunchShape bare{.grid = std::max(1u, ceil_div(n, stretch(block))), .block = block};
  return has_dynamic_shared ? with_shared_floats(bare) : bare;
}

Launch run_block_sums(Device& device, const BlockSums& sums, unsigned n, unsigned block) {
  const LaunchShape shape = sums.shape(n, block);
  return run_in_out(device, sums.kernel, shape, random_integers(n, seed_of(n, block)), shape.grid.x).launch;
}

Launch expect_block_sums(Device& device, const BlockSums& sums, unsigned n, unsigned block,
                         const std::string& note) {
  const LaunchShape shape = sums.shape(n, block);
  const auto values = random_integers(n, seed_of(n, block));
  auto [launch, out] = run_in_out(device, sums.kernel, shape, values, shape.grid.x);
  expect_equal(out, block_sums(values, sums.stretch(block)), {.n = n, .block = block, .note = note});
  return std::move(launch);
}

void check_block_sums(const BlockSums& sums) {
  for (const unsigned block : every_block_size) check_block_sums(sums, block);
}
void check_block_sums(const BlockSums& sums, unsigned block) {
  for (Device& device : devices())
    for (const unsigned n : awkward_sizes(sums.stretch(block))) expect_block_sums(device, sums, n, block);
}

void check_rounded_block_sums(const BlockSums& sums) {
  for (const unsigned block : every_block_size) check_rounded_block_sums(sums, block);
}
void check_rounded_block_sums(const BlockSums& sums, unsigned block) {
  const unsigned stretch = sums.stretch(block), n = 3 * stretch - 1;
  // A thread adds up its own elements, the first of them to 0, which is exact; then no value passes through
  // more additions than the tree has levels.
  const unsigned additions = sums.elements_a_thread - 1 + tree_levels(block);
  const auto values = random_floats(n, seed_of(n, block));
  for (Device& device : devices())
    expect_close(run_in_out(device, sums.kernel, sums.shape(n, block), values, 3).out,
                 block_sums(values, stretch), block_sum_error_bounds(values, stretch, additions),
                 {.n = n, .block = block, .note = "real floats"});
}

void check_block_sums_under_every_schedule(const BlockSums& sums, unsigned block) {
  under_every_schedule([&](Device& device, const std::string& schedule) {
    expect_block_sums(device, sums, ragged_size(sums, block), block, schedule);
  });
}

void check_block_sums_are_safe(const BlockSums& sums) {
  for (const unsigned block : every_block_size) check_block_sums_are_safe(sums, block);
}
void check_block_sums_are_safe(const BlockSums& sums, unsigned block) {
  for (const unsigned n : awkward_sizes(sums.stretch(block)))
    expect_no_findings(run_block_sums(simulated_device(), sums, n, block));
}

void check_block_sums_are_safe_under_every_schedule(const BlockSums& sums, unsigned block) {
  under_every_schedule([&](Device& device, const std::string&) {
    expect_no_findings(run_block_sums(device, sums, ragged_size(sums, block), block));
  });
}

}  // namespace warpwise::harness
