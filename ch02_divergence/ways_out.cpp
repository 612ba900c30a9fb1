/// \file What chapter 2 asks of the three ways out of a branch: result, technique, safety. Contracts:
/// kernels.hpp.

#include <cmath>
#include <string_view>

#include "ch02_divergence/launches.hpp"
#include "common/harness/chapter.hpp"
#include "common/harness/simulated_device.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch02;
using warpwise::simulator::machine::Schedule;

namespace {

/// Runs of `stir` or `shake` by a warp, in each of the launch's blocks: told from the lines that the executed
/// instructions come from. A warp that splits between the two counts for both, and so does one that computes
/// both and keeps one. Rounded, because the compiler may add an instruction to move a result.
double operation_runs_a_block(const Launch& launch) {
  std::uint64_t instructions = 0;
  for (const auto& line : launch.report().lines)
    if (std::string_view(line.file).ends_with("operations.hpp"))
      instructions += line.counters.warp_instructions;
  return std::round(static_cast<double>(instructions) / operation_instructions / several_blocks);
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
                 static_cast<double>(launch.counters().divergent_branches), 0,
                 "all blocks are full, so that every condition can be the same for all lanes of a warp");
}

/// As long as it lives, warps and lanes take turns at random.
class RandomOrder {
 public:
  RandomOrder(SimulatedDevice& device, std::uint64_t seed)
      : schedule_(device.options().launch.schedule), usual_(schedule_) {
    schedule_ = {Schedule::Kind::split, seed};
  }
  ~RandomOrder() { schedule_ = usual_; }
  RandomOrder(const RandomOrder&) = delete;  ///< the copy would end the order twice
  RandomOrder& operator=(const RandomOrder&) = delete;

 private:
  Schedule& schedule_;
  Schedule usual_;
};

}  // namespace

TEST_CASE("alternate_by_warp: result", "[alternate_by_warp][result]") {
  for (Device& device : devices())
    for (unsigned block = 64; block <= 1024; block *= 2)
      for (const unsigned n : awkward_sizes(block)) {
        const auto values = random_words(n, seed_of(n, block));
        const auto in = device.upload("in", values);
        const auto out = device.poisoned<unsigned>("out", n);
        device.launch(alternate_by_warp, shape_for(n, block), in, out, n);
        expect_equal(out, alternated(values), {.n = n, .block = block});
      }
}

TEST_CASE("alternate_by_warp: technique", "[alternate_by_warp][technique]") {
  for (unsigned block = 64; block <= 1024; block *= 2) {
    const unsigned n = several_blocks * block;
    const Launch launch = run_alternate_by_warp(simulated_device(), n, block);
    expect_no_divergence(launch, block);
    expect_operation_runs(
        launch, block, block / 32,
        "each warp has 32 elements of one kind and runs one operation; computing both and keeping "
        "one costs as much as the branch");
  }
}

TEST_CASE("alternate_by_warp: safety", "[alternate_by_warp][safety]") {
  for (unsigned block = 64; block <= 1024; block *= 2)
    for (const unsigned n : awkward_sizes(block))
      expect_no_findings(run_alternate_by_warp(simulated_device(), n, block));
}

TEST_CASE("score_matches: result", "[score_matches][result]") {
  for (Device& device : devices())
    for (const unsigned block : block_sizes)
      for (const unsigned n : awkward_sizes(block)) {
        const Matches matches = random_matches(n, seed_of(n, block));
        const auto home_goals = device.upload("home_goals", matches.home_goals);
        const auto away_goals = device.upload("away_goals", matches.away_goals);
        const auto home_points = device.upload("home_points", matches.home_points);
        const auto away_points = device.upload("away_points", matches.away_points);
        device.launch(score_matches, shape_for(n, block), home_goals, away_goals, home_points, away_points,
                      n);
        const Matches expected = scored(matches);
        expect_equal(home_points, expected.home_points, {.n = n, .block = block});
        expect_equal(away_points, expected.away_points, {.n = n, .block = block});
      }
}

// One case each, so that the sentence tells which comparison is wrong.
TEST_CASE("score_matches: result, one match", "[score_matches][result]") {
  struct OneMatch {
    int home, away, home_points, away_points;
  };
  for (Device& device : devices())
    for (const OneMatch& match : {OneMatch{2, 1, 3, 0}, OneMatch{1, 2, 0, 3}, OneMatch{0, 0, 1, 1},
                                  OneMatch{1000, 0, 3, 0}, OneMatch{1000, 1000, 1, 1}}) {
      const auto home_goals = device.upload<int>("home_goals", {match.home});
      const auto away_goals = device.upload<int>("away_goals", {match.away});
      const auto home_points = device.upload<int>("home_points", {40});
      const auto away_points = device.upload<int>("away_points", {20});
      device.launch(score_matches, shape_for(1, 32), home_goals, away_goals, home_points, away_points, 1u);
      const std::string note =
          "40 and 20 points, match " + std::to_string(match.home) + " : " + std::to_string(match.away);
      expect_equal(home_points, 40 + match.home_points, {.n = 1, .note = note});
      expect_equal(away_points, 20 + match.away_points, {.n = 1, .note = note});
    }
}

TEST_CASE("score_matches: technique", "[score_matches][technique]") {
  for (const unsigned block : block_sizes)
    expect_no_divergence(run_score_matches(simulated_device(), several_blocks * block, block), block);
}

TEST_CASE("score_matches: safety", "[score_matches][safety]") {
  for (const unsigned block : block_sizes)
    for (const unsigned n : awkward_sizes(block))
      expect_no_findings(run_score_matches(simulated_device(), n, block));
}

TEST_CASE("partition_by_sign: result", "[partition_by_sign][result]") {
  for (Device& device : devices())
    for (const unsigned block : block_sizes)
      for (const unsigned n : awkward_sizes(block)) {
        const auto values = random_signed(n, seed_of(n, block));
        const auto in = device.upload("in", values);
        const auto out = device.poisoned<unsigned>("out", n);
        device.launch(partition_by_sign, shape_for(n, block, 2 * block + 32), in, out, n);
        expect_equal(out, partitioned(values, block), {.n = n, .block = block});
      }
}

// A block in which all elements, none, or exactly one warp of them are negative; 0 counts as not negative.
TEST_CASE("partition_by_sign: result, groups of all sizes", "[partition_by_sign][result]") {
  for (Device& device : devices())
    for (const unsigned negatives : {0u, 1u, 31u, 32u, 33u, 64u, 127u, 128u}) {
      std::vector<int> values(128);
      for (unsigned i = 0; i < 128; ++i) {
        const unsigned shuffled = i * 37 % 128;  // 37 is odd, so that each of 0 ... 127 comes once
        const int number = static_cast<int>(shuffled);
        values[i] = shuffled < negatives ? -1 - number : number - static_cast<int>(negatives);
      }
      const auto in = device.upload("in", values);
      const auto out = device.poisoned<unsigned>("out", values.size());
      device.launch(partition_by_sign, shape_for(128, 128, 2 * 128 + 32), in, out, 128u);
      expect_equal(out, partitioned(values, 128),
                   {.n = 128, .block = 128, .note = std::to_string(negatives) + " negative"});
    }
}

// No rule says which warp or which lane comes first. The simulated GPU can let them take turns at random: the
// order of the elements must not depend on it.
TEST_CASE("partition_by_sign: result, in another order", "[partition_by_sign][result]") {
  auto& device = dynamic_cast<SimulatedDevice&>(simulated_device());
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto values = random_signed(256, seed_of(256, seed));
    const auto in = device.upload("in", values);
    const auto out = device.poisoned<unsigned>("out", values.size());
    {
      const RandomOrder order(device, seed);
      device.launch(partition_by_sign, shape_for(256, 128, 2 * 128 + 32), in, out, 256u);
    }
    expect_equal(out, partitioned(values, 128),
                 {.n = 256, .block = 128, .note = "in another order of warps and lanes"});
  }
}

TEST_CASE("partition_by_sign: technique", "[partition_by_sign][technique]") {
  for (const unsigned block : block_sizes) {
    const unsigned n = several_blocks * block;
    const Launch launch = run_partition_by_sign(simulated_device(), n, block);
    expect_no_divergence(launch, block);
    // p elements of one kind fill ceil(p / 32) warps, block - p of the other ceil((block - p) / 32): together
    // at most one more than block / 32, for every p.
    expect_operation_runs(
        launch, block, block / 32 + 1,
        "grouped, the elements of a kind fill whole warps, and at most one warp more is begun");
  }
}

TEST_CASE("partition_by_sign: safety", "[partition_by_sign][safety]") {
  for (const unsigned block : block_sizes)
    for (const unsigned n : awkward_sizes(block))
      expect_no_findings(run_partition_by_sign(simulated_device(), n, block));
}
