/// \file What chapter 2 asks of the three ways out of a branch: result, technique, safety. Contracts:
/// kernels.hpp.

#include <cmath>
#include <string_view>

#include "ch02_divergence/launches.hpp"
#include "common/harness/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch02;

namespace {

/// Runs of `stir` or `shake` by a warp, in each of the launch's blocks, by the lines that the executed
/// instructions come from. A warp that splits between the two counts for both, and so does one that computes
/// both and keeps one. Rounded, because the compiler may add an instruction to move a result.
double operation_runs_a_block(const Launch& launch) {
  std::uint64_t instructions = 0;
  for (const auto& line : launch.report().lines)
    if (std::string_view(line.file).ends_with("operations.hpp"))
      instructions += line.counters.warp_instructions;
  return std::round(per_block(launch, instructions) / operation_instructions);
}

/// As many runs as there are warps of elements, or the operations were not called and nothing was counted.
void expect_operation_runs(const Launch& launch, unsigned block, unsigned limit, std::string_view why) {
  const std::string what = "runs of stir or shake by a warp, a block of " + std::to_string(block);
  expect_at_most(what, operation_runs_a_block(launch), limit, why);
  expect_at_least(what, operation_runs_a_block(launch), block / 32,
                  "every element needs one; call the functions of operations.hpp");
}

void expect_no_divergence(const Launch& launch, unsigned block) {
  expect_at_most("divergent branches with blocks of " + std::to_string(block),
                 launch.counters().divergent_branches, 0,
                 "all blocks are full, so that every condition can be the same for all lanes of a warp");
}

/// No divergence, and one run of an operation for each warp of elements, or `more` than that.
void check_operations(Launch (*run)(Device&, unsigned, unsigned), const std::vector<unsigned>& blocks,
                      unsigned more, std::string_view why) {
  for (const unsigned block : blocks) {
    const Launch launch = run(simulated_device(), several_blocks * block, block);
    expect_no_divergence(launch, block);
    expect_operation_runs(launch, block, block / 32 + more, why);
  }
}

/// `expected` has the goals of `matches`, and the points afterwards.
void expect_scores(Device& device, const Matches& matches, const Matches& expected, const Case& where) {
  const unsigned n = where.n.value();
  const ScoreBoard board(device, matches);
  board.launch(device, thread_for_each(n, where.block.value_or(32)), n);
  expect_equal(board.home_points, expected.home_points, where);
  expect_equal(board.away_points, expected.away_points, where);
}

void expect_partitions(Device& device, const std::vector<int>& values, unsigned block,
                       const std::string& note = {}) {
  const auto n = static_cast<unsigned>(values.size());
  expect_equal(run_in_out(device, partition_by_sign, partition_shape(n, block), values, n).out,
               partitioned(values, block), {.n = n, .block = block, .note = note});
}

/// Two warps at least, of which one can take the even elements and one the odd.
const std::vector<unsigned> alternating_blocks{64, 128, 256, 512, 1024};

}  // namespace

WARPWISE_CHECK(alternate_by_warp, result) {
  for (Device& device : devices())
    for (const auto [n, block] : every_size_and_block(alternating_blocks)) {
      const auto values = random_words(n, seed_of(n, block));
      expect_equal(run_in_out(device, alternate_by_warp, thread_for_each(n, block), values, n).out,
                   alternated(values), {.n = n, .block = block});
    }
}

WARPWISE_CHECK(alternate_by_warp, technique) {
  check_operations(run_alternate_by_warp, alternating_blocks, 0,
                   "each warp has 32 elements of one kind and runs one operation; computing both and keeping "
                   "one costs as much as the branch");
}

WARPWISE_CHECK(alternate_by_warp, safety) {
  for (const auto [n, block] : every_size_and_block(alternating_blocks))
    expect_no_findings(run_alternate_by_warp(simulated_device(), n, block));
}

WARPWISE_CHECK(score_matches, result) {
  for (Device& device : devices())
    for (const auto [n, block] : every_size_and_block()) {
      const Matches matches = random_matches(n, seed_of(n, block));
      const Case where{.n = n, .block = block};
      expect_scores(device, matches, scored(matches), where);
    }
}

// One case each, so that the sentence says which comparison is wrong.
WARPWISE_CHECK(score_matches, result, "one match") {
  struct OneMatch {
    int home, away, home_points, away_points;
  };
  for (Device& device : devices())
    for (const OneMatch& match : {OneMatch{2, 1, 3, 0}, OneMatch{1, 2, 0, 3}, OneMatch{0, 0, 1, 1},
                                  OneMatch{1000, 0, 3, 0}, OneMatch{1000, 1000, 1, 1}})
      expect_scores(device, {{match.home}, {match.away}, {40}, {20}},
                    {{match.home}, {match.away}, {40 + match.home_points}, {20 + match.away_points}},
                    {.n = 1,
                     .note = "40 and 20 points, match " + std::to_string(match.home) + " : " +
                             std::to_string(match.away)});
}

WARPWISE_CHECK(score_matches, technique) {
  for (const unsigned block : every_block_size)
    expect_no_divergence(run_score_matches(simulated_device(), several_blocks * block, block), block);
}

WARPWISE_CHECK(score_matches, safety) {
  for (const auto [n, block] : every_size_and_block())
    expect_no_findings(run_score_matches(simulated_device(), n, block));
}

WARPWISE_CHECK(partition_by_sign, result) {
  for (Device& device : devices())
    for (const auto [n, block] : every_size_and_block())
      expect_partitions(device, random_signed(n, seed_of(n, block)), block);
}

// A block in which all elements, none, or exactly one warp of them are negative; 0 counts as not negative.
WARPWISE_CHECK(partition_by_sign, result, "groups of all sizes") {
  for (Device& device : devices())
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

// No rule says which warp or which lane comes first. The simulated GPU can let them take turns at random: the
// order of the elements must not depend on it.
WARPWISE_CHECK(partition_by_sign, result, "in another order") {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const UnderSchedule schedule(simulated_device(), "split:" + std::to_string(seed));
    expect_partitions(simulated_device(), random_signed(256, seed_of(256, seed)), 128,
                      "in another order of warps and lanes");
  }
}

// p elements of one kind fill ceil(p / 32) warps, block - p of the other ceil((block - p) / 32): together at
// most one more than block / 32, for every p.
WARPWISE_CHECK(partition_by_sign, technique) {
  check_operations(run_partition_by_sign, {std::begin(every_block_size), std::end(every_block_size)}, 1,
                   "grouped, the elements of a kind fill whole warps, and at most one warp more is begun");
}

WARPWISE_CHECK(partition_by_sign, safety) {
  for (const auto [n, block] : every_size_and_block())
    expect_no_findings(run_partition_by_sign(simulated_device(), n, block));
}
