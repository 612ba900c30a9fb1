/// \file What chapter 2 asks of the three ways out of a branch: result, technique, safety. Contracts:
/// kernels.hpp.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>

#include "ch02_divergence/checks/launches.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/reductions.hpp"
#include "common/harness/check/technique.hpp"
#include "common/harness/check/work.hpp"
#include "common/simulator/ptx.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch02;

namespace {

/// Whether the instruction is one of `stir` or `shake`.
bool is_of_an_operation(const warpwise::simulator::Program& program, warpwise::simulator::Pc pc) {
  const auto line = warpwise::simulator::ptx::source_of(program.module(), program.text_of(pc).location);
  return std::string_view(line.file).ends_with("operations.hpp");
}

/// Runs of `stir` or `shake` by each warp. A warp that splits between the two counts for both, and so does
/// one that computes both and keeps one. Rounded, because the compiler may add an instruction to move a
/// result.
std::vector<unsigned> runs_by_warp(const LaunchAndWork& run) {
  std::vector<unsigned> runs;
  for (const WarpWork& warp : run.work.warps)
    runs.push_back(
        static_cast<unsigned>(std::lround(static_cast<double>(warp.additions) / operation_instructions)));
  return runs;
}

struct RunLimits {
  unsigned by_a_warp;  ///< runs of an operation
  unsigned more;       ///< in a block, than it has warps
  std::string_view why;
};

void expect_few_runs(const LaunchAndWork& run, unsigned block, const RunLimits& limits) {
  const std::vector<unsigned> runs = runs_by_warp(run);
  expect_at_most("runs of stir or shake by the warps of a block of " + std::to_string(block),
                 per_block(run.launch, std::accumulate(runs.begin(), runs.end(), std::uint64_t{0})),
                 block / 32 + limits.more, limits.why);
  const auto busiest = std::ranges::max_element(runs);
  expect_at_most("runs of stir or shake by warp " + std::to_string((busiest - runs.begin()) % (block / 32)) +
                     " alone, in a block of " + std::to_string(block),
                 Measured(*busiest), limits.by_a_warp, "the warps share the work out");
}

/// As many runs as there are warps of elements, or the operations were not called and nothing was counted.
void expect_enough_runs(const LaunchAndWork& run, unsigned block) {
  const std::vector<unsigned> runs = runs_by_warp(run);
  expect_at_least("runs of stir or shake by the warps of a block of " + std::to_string(block),
                  per_block(run.launch, std::accumulate(runs.begin(), runs.end(), std::uint64_t{0})),
                  block / 32, "every element needs one; call the functions of operations.hpp");
}

void expect_no_divergence(const Launch& launch, unsigned block) {
  expect_at_most("divergent branches with blocks of " + std::to_string(block),
                 launch.count(&Counters::divergent_branches), 0,
                 "all blocks are full, so that every condition can be the same for all lanes of a warp");
}

/// Where the last block is not full its guards may split a warp: at the load, at the store, and where a group
/// ends. A condition on the elements splits each warp of all blocks.
void expect_little_divergence(const Launch& launch, unsigned n) {
  if (n >= 32 * 2 * branches_of_guards)
    expect_at_most("divergent branches for " + std::to_string(n) + " elements",
                   launch.count(&Counters::divergent_branches), branches_of_guards,
                   "only the guards of the last block may split a warp");
}

/// No divergence, and no more runs of an operation than `limits` say: on full blocks, and on launches of the
/// check of the result that the seed draws.
void check_operations(Check& check, Launch (*launch)(Device&, unsigned, unsigned),
                      const std::vector<unsigned>& blocks, const RunLimits& limits) {
  for (const unsigned block : blocks) {
    const unsigned full = several_blocks * block;
    std::vector<unsigned> sizes = check.some_awkward_sizes(block);
    sizes.insert(sizes.begin(), full);
    for (const unsigned n : sizes) {
      const LaunchAndWork run = count_instructions(check.simulated(), is_of_an_operation, launch, n, block);
      if (n == full) {
        expect_no_divergence(run.launch, block);
        expect_enough_runs(run, block);
      }
      expect_little_divergence(run.launch, n);
      expect_few_runs(run, block, limits);
    }
    expect_shared_out(launch_and_work(check.simulated(), launch, full, block).work, sizeof(unsigned) * full);
  }
}

/// `expected` has the goals of `matches`, and the points afterwards.
void expect_scores(Device& device, const Matches& matches, const Matches& expected, const Case& where) {
  const unsigned n = where.n.value();
  const ScoreBoard board(device, matches);
  LaunchShape shape = thread_for_each(n, where.block.value_or(32));
  if (where.grid) shape.grid.x = *where.grid;
  board.launch(device, shape, n);
  board.expect(expected, where);
}

void expect_partitions(Device& device, const std::vector<int>& values, unsigned block,
                       const std::string& note = {}) {
  const auto n = static_cast<unsigned>(values.size());
  expect_equal(run_in_out(device, partition_by_sign, partition_shape(n, block), values, n).out,
               partitioned(values, block), {.n = n, .block = block, .note = note});
}

/// Grids for two blocks of elements: as many as needed, more, far more.
constexpr unsigned more_blocks[] = {2, 3, 40};

/// Two warps at least, of which one can take the even elements and one the odd.
const std::vector<unsigned> alternating_blocks{64, 128, 256, 512, 1024};

const RegisterKernels way_kernels({
    {.kernel = alternate_by_warp,
     .technique = "condition aligned to warps",
     .task = "one operation for even elements, another for odd ones",
     .run = with_blocks<run_alternate_by_warp>},
    {.kernel = score_matches,
     .technique = "arithmetic for branches",
     .task = "add the points of each match: 3, 1 or 0",
     .run = with_blocks<run_score_matches>},
    {.kernel = partition_by_sign,
     .technique = "partition, then two passes",
     .task = "group by sign, in order, then process each group",
     .run = with_blocks<run_partition_by_sign>},
});

}  // namespace

WARPWISE_CHECK(alternate_by_warp, result) {
  for (Device& device : check.devices())
    for (const auto [n, block] : check.sizes(alternating_blocks)) run_alternate_by_warp(device, n, block);
}

WARPWISE_CHECK(alternate_by_warp, result, "any grid and any values") {
  const auto expect_alternated = [](Device& device, std::vector<unsigned> values, unsigned block,
                                    unsigned grid) {
    const auto n = static_cast<unsigned>(values.size());
    for (unsigned i = 0; i + 1 < n && i < 8; i += 4) values[i] = values[i + 1] = i == 0 ? 0 : ~0u;
    const LaunchShape shape{.grid = grid, .block = block};
    expect_equal(run_in_out(device, alternate_by_warp, shape, values, n).out, alternated(values),
                 case_of(n, shape, n > 1 << 16 ? "more elements than 16 bits count" : ""));
  };
  for (Device& device : check.devices()) {
    for (const unsigned grid : more_blocks)
      expect_alternated(device, random_words(2 * 64 - 7, grid), 64, grid);
    expect_alternated(device, random_words((1 << 16) + 99, 1), 1024, 65);
  }
}

WARPWISE_CHECK(alternate_by_warp, technique) {
  check_operations(check, run_alternate_by_warp, alternating_blocks,
                   {.by_a_warp = 1,
                    .more = 0,
                    .why = "each warp has 32 elements of one kind and runs one operation; computing both and "
                           "keeping one costs as much as the branch"});
}

WARPWISE_CHECK(alternate_by_warp, safety) {
  for (const auto [n, block] : check.sizes(alternating_blocks))
    check.expect_safe(run_alternate_by_warp, n, block);
}

WARPWISE_CHECK(score_matches, result) {
  for (Device& device : check.devices())
    for (const auto [n, block] : check.sizes()) run_score_matches(device, n, block);
}

// A thread whose match does not exist, or that comes by a match twice, adds points that nobody won.
WARPWISE_CHECK(score_matches, result, "any grid and any points") {
  for (Device& device : check.devices()) {
    for (const unsigned grid : more_blocks) {
      const Matches matches = random_matches(57, grid, 1000);
      expect_scores(device, matches, scored(matches), {.n = 57, .block = 32, .grid = grid});
    }
    const Matches many = random_matches((1 << 16) + 99, 1, 2);
    expect_scores(device, many, scored(many), {.n = (1 << 16) + 99, .block = 1024});

    Matches far = random_matches(64, 2, 1);
    for (unsigned i = 0; i < 64; ++i) {  // points so far: negative ones, and more than a float can count
      far.home_points[i] = static_cast<int>(i) - 32;
      far.away_points[i] = (1 << 30) + static_cast<int>(i);
    }
    expect_scores(device, far, scored(far),
                  {.n = 64, .block = 64, .note = "from -32 and from 2^30 points on"});
  }
}

// One case each, so that the sentence says which comparison is wrong.
WARPWISE_CHECK(score_matches, result, "one match") {
  struct OneMatch {
    int home, away, home_points, away_points;
  };
  for (Device& device : check.devices())
    for (const OneMatch& match : {OneMatch{2, 1, 3, 0}, OneMatch{1, 2, 0, 3}, OneMatch{0, 0, 1, 1},
                                  OneMatch{1000, 0, 3, 0}, OneMatch{1000, 1000, 1, 1}})
      expect_scores(device, {{match.home}, {match.away}, {40}, {20}},
                    {{match.home}, {match.away}, {40 + match.home_points}, {20 + match.away_points}},
                    {.n = 1,
                     .note = "40 and 20 points, match " + std::to_string(match.home) + " : " +
                             std::to_string(match.away)});
}

WARPWISE_CHECK(score_matches, technique) {
  for (const unsigned block : check.block_sizes()) {
    const unsigned n = several_blocks * block;
    const auto [launch, work] = launch_and_work(check.simulated(), run_score_matches, n, block);
    expect_no_divergence(launch, block);
    expect_shared_out(work, 4.0 * sizeof(int) * n);
    for (const unsigned size : check.some_awkward_sizes(block))
      expect_little_divergence(run_score_matches(check.simulated(), size, block), size);
  }
}

WARPWISE_CHECK(score_matches, safety) {
  for (const auto [n, block] : check.sizes()) check.expect_safe(run_score_matches, n, block);
}

WARPWISE_CHECK(partition_by_sign, result) {
  for (Device& device : check.devices())
    for (const auto [n, block] : check.sizes()) run_partition_by_sign(device, n, block);
}

// A block in which all elements, none, or exactly one warp of them are negative; 0 counts as not negative.
WARPWISE_CHECK(partition_by_sign, result, "groups of all sizes") {
  for (Device& device : check.devices())
    for (const unsigned negatives : {0u, 1u, 31u, 32u, 33u, 64u, 127u, 128u}) {
      std::vector<int> values(128);
      for (unsigned i = 0; i < 128; ++i) {
        const unsigned shuffled = i * 37 % 128;  // 37 is odd, so that each of 0 ... 127 comes once
        const int number = static_cast<int>(shuffled);
        values[i] = shuffled < negatives ? -1 - number : number - static_cast<int>(negatives);
      }
      expect_partitions(device, values, 128, std::to_string(negatives) + " negative");
    }
}

WARPWISE_CHECK(partition_by_sign, result, "any grid and any values") {
  constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  for (Device& device : check.devices()) {
    for (const unsigned grid : more_blocks) {
      std::vector<int> values = random_signed(2 * 64 - 7, grid);
      for (unsigned i = 0; i < 24; ++i) values[5 * i] = std::array{least, most, 0, -1, least + 1, 1}[i % 6];
      LaunchShape shape = partition_shape(121, 64);
      shape.grid.x = grid;
      expect_equal(run_in_out(device, partition_by_sign, shape, values, 121).out, partitioned(values, 64),
                   case_of(121, shape, "from INT_MIN to INT_MAX"));
    }
    expect_partitions(device, random_signed((1 << 16) + 99, 1), 1024);
  }
}

// No rule says which warp or which lane comes first. The simulated GPU can let them take turns at random: the
// order of the elements must not depend on it.
WARPWISE_CHECK(partition_by_sign, result, "in another order") {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const UnderSchedule schedule(check.simulated(), "split:" + std::to_string(seed));
    expect_partitions(check.simulated(), random_signed(256, seed_of(256, seed)), 128,
                      "in another order of warps and lanes");
  }
}

// p elements of one kind fill ceil(p / 32) warps, block - p of the other ceil((block - p) / 32): together at
// most one more than block / 32, for every p.
WARPWISE_CHECK(partition_by_sign, technique) {
  check_operations(
      check, run_partition_by_sign, check.block_sizes(),
      {.by_a_warp = 3,
       .more = 1,
       .why = "grouped, the elements of a kind fill whole warps, and at most one warp more is begun"});
  expect_slots_are_written(
      unwritten_slot(check.simulated(), [&] { run_partition_by_sign(check.simulated(), 1000, 128); }),
      "what lies between the two groups is processed as well: fill the gap");
}

WARPWISE_CHECK(partition_by_sign, safety) {
  for (const auto [n, block] : check.sizes()) check.expect_safe(run_partition_by_sign, n, block);
}
