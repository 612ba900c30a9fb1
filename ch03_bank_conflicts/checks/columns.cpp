/// \file What chapter 3 asks of column_sums: result, technique, safety.

#include <limits>

#include "ch03_bank_conflicts/checks/launches.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/technique.hpp"
#include "common/harness/check/work.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch03;

namespace {

/// Numbers of columns at which the kernel is likely to break, and those that are drawn.
std::vector<unsigned> column_counts() {
  std::vector<unsigned> counts{0, 1, 31, 32, 33, 64, 127, 1023, 1024, 1025};
  const std::vector<unsigned> drawn = drawn_sizes(1024);
  counts.insert(counts.end(), drawn.begin(), drawn.end());
  return counts;
}

const RegisterKernels column_kernel({
    {.kernel = column_sums,
     .technique = "padded tile",
     .task = "sum columns of 32 elements through shared memory",
     .run = [](Device& device, unsigned n) { return run_column_sums(device, n / 32); },
     .shown_n = 32 * 32},
});

}  // namespace

WARPWISE_CHECK(column_sums, result) {
  for (Device& device : check.devices())
    for (const unsigned columns : column_counts()) run_column_sums(device, columns);
}

WARPWISE_CHECK(column_sums, result, "floats that round") {
  constexpr unsigned columns = 77;
  for (Device& device : check.devices()) {
    const auto values = random_floats(32 * columns, columns);
    // In whatever order the 32 values of a column are added, none goes through more than 31 additions.
    expect_close(run_in_out(device, column_sums, tiles_for(columns), values, columns, columns).out,
                 sums_of(values), block_sum_error_bounds(values, 32, 31), {.note = "real floats"});
  }
}

WARPWISE_CHECK(column_sums, result, "any grid and any values") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto expect_columns = [](Device& device, const std::vector<float>& values, unsigned grid,
                                 const char* note) {
    const auto columns = static_cast<unsigned>(values.size() / 32);
    expect_equal(run_in_out(device, column_sums, {.grid = grid, .block = 32}, values, columns, columns).out,
                 sums_of(values), {.grid = grid, .note = note});
  };
  for (Device& device : check.devices()) {
    for (const unsigned grid : {2u, 3u, 40u})
      expect_columns(device, random_integers(32 * 45, grid), grid, "columns = 45");
    expect_columns(device, random_integers(32 * 45, 1, -3, 3), 2, "zeros and both signs");
    expect_columns(device, random_integers(32 * 45, 2, -(1 << 19), 1 << 19), 2, "large numbers");
    expect_columns(device, random_denormals(32 * 45, 2), 2, "denormal numbers");
    expect_columns(device, random_integers(32 * 2100, 3), 66, "columns = 2100");  // 67 200 elements
    std::vector<float> values = random_integers(32 * 45, 4);
    values[3] = infinity, values[40] = -infinity, values[41] = infinity, values.back() = -infinity;
    values[100] = std::numeric_limits<float>::quiet_NaN();
    expect_columns(device, values, 2, "with infinities and a NaN");
  }
}

namespace {
void check_column_technique(Check& check, unsigned columns) {
  const LaunchAndWork run = launch_and_work(check.simulated(), run_column_sums, columns);
  const Launch& launch = run.launch;
  // If 32 lanes use 32 banks, each request is one wavefront. Both directions count: transposing the tile on
  // the way in would only move the conflicts from the loads to the stores.
  expect_at_most("bank conflicts of a tile's loads",
                 launch.count(&Counters::shared_load_bank_conflicts).per_block(), 0,
                 "32 lanes that go down a column of the tile must use 32 banks");
  expect_at_most("bank conflicts of a tile's stores",
                 launch.count(&Counters::shared_store_bank_conflicts).per_block(), 0,
                 "32 lanes that write a row of the tile must use 32 banks");
  expect_each_element_is_read_once(run, 32 * columns, "neighbouring lanes read neighbouring elements");
  // The warp reads the 32 neighbours of a column at once, and one lane sums them, so 31 values or their sums
  // come from other lanes. Without shuffles, and with each element loaded once, they must go through shared
  // memory.
  expect_at_most("shuffles", launch.count(&Counters::shuffles), 0,
                 "the values go through a tile in shared memory; a butterfly for each column would take 5 "
                 "exchanges of 32 values for one sum");
  expect_exchange_in_shared_memory(run);
  // To move 1024 words in and out takes 32 + 32 wavefronts. Even a tree in the tile, which stores what it
  // adds, needs only 32 + 3 * (16 + 8 + 4 + 2 + 1) + 1 = 126. If one lane adds up a column alone, it takes 32
  // for the column, and 1024 for the tile.
  expect_at_most("shared wavefronts of a tile", launch.count(shared_load_and_store_wavefronts).per_block(),
                 126, "all 32 lanes work at once");
  expect_no_atomics(launch, "a lane adds in a register");
  // Each lane adds up one column of 32 values. With a tree in the tile, it makes fewer additions.
  expect_at_most("additions by lane " + std::to_string(run.work.busiest.number),
                 Measured(run.work.busiest.count), 64, "each lane sums one column of 32 values");
  expect_no_collectives(run, "votes and sums over a warp",
                        "a vote adds up one bit of 32 values at once, and so can add whole numbers bit by "
                        "bit: each lane adds values");
  expect_all_are_added(run, std::uint64_t{32} * columns, columns);
}
}  // namespace

// With the sizes that the check of the result uses, too.
WARPWISE_CHECK(column_sums, technique) {
  check_column_technique(check, 256);
  for (const unsigned columns : column_counts()) check_column_technique(check, columns);
}

WARPWISE_CHECK(column_sums, safety) {
  for (const unsigned columns : column_counts()) check.expect_safe(run_column_sums, columns);
}
