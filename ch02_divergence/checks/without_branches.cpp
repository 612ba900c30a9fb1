/// \file What chapter 2 asks of the three kernels that do without a branch: result, technique, safety.
/// Contracts: kernels.hpp. What they must compute: requirements.hpp.

#include <array>
#include <limits>
#include <string>

#include "ch02_divergence/checks/requirements.hpp"
#include "ch02_divergence/kernels.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch02;

namespace {

/// `shape` with another number of blocks, where one is given.
LaunchShape with_grid(LaunchShape shape, unsigned grid) {
  if (grid != 0) shape.grid = grid;
  return shape;
}

/// The kernels on `in`, with as many blocks as it needs, or with `grid` of them.
Written<unsigned> launch_alternate(Device& device, const std::vector<unsigned>& in, unsigned block,
                                   unsigned grid = 0) {
  const auto n = static_cast<unsigned>(in.size());
  return run_in_out(device, alternate_by_warp, with_grid(thread_for_each(n, block), grid), in, n);
}
Written<unsigned> launch_partition(Device& device, const std::vector<int>& in, unsigned block,
                                   unsigned grid = 0) {
  const auto n = static_cast<unsigned>(in.size());
  const std::size_t shared_bytes = (2 * block + 32) * sizeof(unsigned);
  return run_in_out(device, partition_by_sign, with_grid(thread_for_each(n, block, shared_bytes), grid), in,
                    n);
}

Launch launch_scores(Device& device, const ScoreBoard& board, unsigned block, unsigned grid = 0) {
  const auto n = static_cast<unsigned>(board.home_goals.size());
  LaunchShape shape = with_grid(thread_for_each(n, block), grid);
  shape.n = n;
  return device.launch(score_matches, shape, board.home_goals, board.away_goals, board.home_points,
                       board.away_points, n);
}
/// Among them those with which one of the operations, or both, does nothing.
void with_special_words(std::vector<unsigned>& words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] % 3 == 0) words[i] = std::array{0u, ~0u, 1u, 1u << 31}[i / 2 % 4];
}
constexpr unsigned several = 8;  ///< blocks, all full, of a launch in which nothing may diverge

// Each warp has 32 elements of one kind.
auto RunsOneOperationAWarp() {
  return RunsFewOperations(0, 1,
                           "each warp has 32 elements of one kind and runs one operation; computing both and "
                           "keeping one costs as much as the branch");
}
// p elements of one kind fill ceil(p / 32) warps, block - p of the other ceil((block - p) / 32): together at
// most one more than block / 32, for every p.
auto RunsOperationsOnGroups() {
  return RunsFewOperations(
      1, 3, "grouped, the elements of a kind fill whole warps, and at most one warp more is begun");
}

}  // namespace

// --- alternate_by_warp ------------------------------------------------------------------------------------
// Its blocks have two warps at least, of which one can take the even elements and one the odd.

TEST_CASE("alternate_by_warp: stir and shake, at awkward sizes", "[alternate_by_warp][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(64u, 128u, 256u, 512u, 1024u);
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = random_words(n, seed_of(n, block));
  const auto out = launch_alternate(device, in, block).out;
  CHECK_THAT(out, EqualsAlternated(in));
}

TEST_CASE("alternate_by_warp: as many blocks as n needs, and more", "[alternate_by_warp][result]") {
  Device& device = GENERATE(devices());
  const unsigned grid = GENERATE(2u, 3u, 40u);
  auto in = random_words(2 * 64 - 7, grid);
  in[0] = in[1] = 0, in[4] = in[5] = ~0u;
  const auto out = launch_alternate(device, in, 64, grid).out;
  CHECK_THAT(out, EqualsAlternated(in));
}

TEST_CASE("alternate_by_warp: more elements than 16 bits count", "[alternate_by_warp][result]") {
  Device& device = GENERATE(devices());
  auto in = random_words((1 << 16) + 99, 1);
  in[0] = in[1] = 0, in[4] = in[5] = ~0u;
  const auto out = launch_alternate(device, in, 1024).out;
  INFO("more elements than 16 bits count");
  CHECK_THAT(out, EqualsAlternated(in));
}

TEST_CASE("alternate_by_warp: one operation a warp, on full blocks", "[alternate_by_warp][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(64u, 128u, 256u, 512u, 1024u);
  const unsigned n = several * block;
  auto in = random_words(n, seed_of(n, block));
  if (GENERATE(false, true)) with_special_words(in);
  const auto [run, out] = counted_operations(device, launch_alternate, in, block);
  CHECK_THAT(run.launch, HasNoDivergentBranches());
  CHECK_THAT(run, RunsAnOperationForEachWarp());
  CHECK_THAT(run, RunsOneOperationAWarp());
  CHECK_THAT(run.work, IsSharedOut(sizeof(unsigned) * n));
  CHECK_THAT(out, EqualsAlternated(in));
}

TEST_CASE("alternate_by_warp: one operation a warp, at some sizes", "[alternate_by_warp][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(64u, 128u, 256u, 512u, 1024u);
  const unsigned n = GENERATE_COPY(some_awkward_sizes(block));
  const auto in = random_words(n, seed_of(n, block));
  const auto [run, out] = counted_operations(device, launch_alternate, in, block);
  CHECK_THAT(run.launch, DivergesInGuardsAlone(n));
  CHECK_THAT(run, RunsOneOperationAWarp());
  CHECK_THAT(out, EqualsAlternated(in));
}

TEST_CASE("alternate_by_warp: no findings", "[alternate_by_warp][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(64u, 128u, 256u, 512u, 1024u);
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = random_words(n, seed_of(n, block));
  const auto [launch, out] = launch_alternate(device, in, block);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsAlternated(in));
}

// --- score_matches ----------------------------------------------------------------------------------------

TEST_CASE("score_matches: the points, at awkward sizes", "[score_matches][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const Matches matches = random_matches(n, seed_of(n, block));
  const ScoreBoard board(device, matches);
  launch_scores(device, board, block);
  CHECK_THAT(board, HoldsPointsAfter(matches));
}

// A thread whose match does not exist, or that comes by a match twice, adds points that nobody won.
TEST_CASE("score_matches: as many blocks as n needs, and more", "[score_matches][result]") {
  Device& device = GENERATE(devices());
  const unsigned grid = GENERATE(2u, 3u, 40u);
  const Matches matches = random_matches(57, grid, 1000);
  const ScoreBoard board(device, matches);
  launch_scores(device, board, 32, grid);
  CHECK_THAT(board, HoldsPointsAfter(matches));
}

TEST_CASE("score_matches: more matches than 16 bits count", "[score_matches][result]") {
  Device& device = GENERATE(devices());
  const Matches matches = random_matches((1 << 16) + 99, 1, 2);
  const ScoreBoard board(device, matches);
  launch_scores(device, board, 1024);
  CHECK_THAT(board, HoldsPointsAfter(matches));
}

TEST_CASE("score_matches: points below 0, and more than a float can count", "[score_matches][result]") {
  Device& device = GENERATE(devices());
  Matches matches = random_matches(64, 2, 1);
  for (int i = 0; i < 64; ++i) {
    matches.home_points[i] = i - 32;
    matches.away_points[i] = (1 << 30) + i;
  }
  const ScoreBoard board(device, matches);
  launch_scores(device, board, 64);
  INFO("from -32 and from 2^30 points on");
  CHECK_THAT(board, HoldsPointsAfter(matches));
}

// A comparison of shortened goals takes one of these for a draw.
TEST_CASE("score_matches: goals that are equal or one apart", "[score_matches][result]") {
  Device& device = GENERATE(devices());
  constexpr int most = 1000, least_points = std::numeric_limits<int>::min();
  constexpr std::array points{least_points, -3, -1, 0, 40, std::numeric_limits<int>::max() - 3};
  Matches matches;
  for (int goals = 0; goals <= most; ++goals)
    for (int apart = -1; apart <= 1; ++apart) {
      if (goals + apart < 0 || goals + apart > most) continue;
      const std::size_t i = matches.home_goals.size();
      matches.home_goals.push_back(goals);
      matches.away_goals.push_back(goals + apart);
      matches.home_points.push_back(points[i % points.size()]);
      matches.away_points.push_back(points[i / points.size() % points.size()]);
    }
  const ScoreBoard board(device, matches);
  launch_scores(device, board, 64);
  CHECK_THAT(board, HoldsPointsAfter(matches));
}

// By itself, so that the sentence says which comparison is wrong.
TEST_CASE("score_matches: one match", "[score_matches][result]") {
  struct OneMatch {
    int home, away;
  };
  Device& device = GENERATE(devices());
  const OneMatch match =
      GENERATE(OneMatch{2, 1}, OneMatch{1, 2}, OneMatch{0, 0}, OneMatch{1000, 0}, OneMatch{1000, 1000});
  const Matches matches{{match.home}, {match.away}, {40}, {20}};
  const ScoreBoard board(device, matches);
  launch_scores(device, board, 32);
  INFO("40 and 20 points, match " << match.home << " : " << match.away);
  CHECK_THAT(board, HoldsPointsAfter(matches));
}

TEST_CASE("score_matches: no divergent branch, on full blocks", "[score_matches][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = several * block;
  const Matches matches = random_matches(n, seed_of(n, block));
  const ScoreBoard board(device, matches);
  const auto [launch, work] = launch_and_work(device, launch_scores, board, block, 0u);
  CHECK_THAT(launch, HasNoDivergentBranches());
  CHECK_THAT(work, IsSharedOut(4.0 * sizeof(int) * n));
  CHECK_THAT(board, HoldsPointsAfter(matches));
}

TEST_CASE("score_matches: no divergent branch but guards, at some sizes", "[score_matches][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(some_awkward_sizes(block));
  const Matches matches = random_matches(n, seed_of(n, block));
  const ScoreBoard board(device, matches);
  const Launch launch = launch_scores(device, board, block);
  CHECK_THAT(launch, DivergesInGuardsAlone(n));
  CHECK_THAT(board, HoldsPointsAfter(matches));
}

TEST_CASE("score_matches: no findings", "[score_matches][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const Matches matches = random_matches(n, seed_of(n, block));
  const ScoreBoard board(device, matches);
  const Launch launch = launch_scores(device, board, block);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(board, HoldsPointsAfter(matches));
}

// --- partition_by_sign ------------------------------------------------------------------------------------

TEST_CASE("partition_by_sign: grouped and processed, at awkward sizes", "[partition_by_sign][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = random_signed(n, seed_of(n, block));
  const auto out = launch_partition(device, in, block).out;
  CHECK_THAT(out, EqualsPartitioned(in, block));
}

// A block in which all elements, none, or exactly one warp of them are negative; 0 counts as not negative.
TEST_CASE("partition_by_sign: groups of all sizes", "[partition_by_sign][result]") {
  Device& device = GENERATE(devices());
  const int negatives = GENERATE(0, 1, 31, 32, 33, 64, 127, 128);
  std::vector<int> in(128);
  for (int i = 0; i < 128; ++i) {
    const int shuffled = i * 37 % 128;  // 37 is odd, so that each of 0 ... 127 comes once
    in[i] = shuffled < negatives ? -1 - shuffled : shuffled - negatives;
  }
  const auto out = launch_partition(device, in, 128).out;
  INFO(negatives << " negative");
  CHECK_THAT(out, EqualsPartitioned(in, 128));
}

TEST_CASE("partition_by_sign: as many blocks as n needs, and more", "[partition_by_sign][result]") {
  Device& device = GENERATE(devices());
  const unsigned grid = GENERATE(2u, 3u, 40u);
  constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  auto in = random_signed(2 * 64 - 7, grid);
  for (unsigned i = 0; i < 24; ++i) in[5 * i] = std::array{least, most, 0, -1, least + 1, 1}[i % 6];
  const auto out = launch_partition(device, in, 64, grid).out;
  INFO("from INT_MIN to INT_MAX");
  CHECK_THAT(out, EqualsPartitioned(in, 64));
}

TEST_CASE("partition_by_sign: more elements than 16 bits count", "[partition_by_sign][result]") {
  Device& device = GENERATE(devices());
  const auto in = random_signed((1 << 16) + 99, 1);
  const auto out = launch_partition(device, in, 1024).out;
  CHECK_THAT(out, EqualsPartitioned(in, 1024));
}

// No rule says which warp or which lane comes first. The simulated GPU can let them take turns at random: the
// order of the elements must not depend on it.
TEST_CASE("partition_by_sign: in another order of warps and lanes", "[partition_by_sign][result]") {
  SimulatedDevice& device = simulated();
  const unsigned seed = GENERATE(1u, 2u, 3u);
  const UnderSchedule schedule(device, "split:" + std::to_string(seed));
  const auto in = random_signed(256, seed_of(256, seed));
  const auto out = launch_partition(device, in, 128).out;
  INFO("in another order of warps and lanes");
  CHECK_THAT(out, EqualsPartitioned(in, 128));
}

TEST_CASE("partition_by_sign: whole warps of a kind, on full blocks", "[partition_by_sign][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = several * block;
  auto in = random_signed(n, seed_of(n, block));
  const int more = GENERATE(0, 500, -501, 480);  // of both kinds, none negative, all, a few
  for (int& value : in) value += more;
  const auto [run, out] = counted_operations(device, launch_partition, in, block);
  CHECK_THAT(run.launch, HasNoDivergentBranches());
  CHECK_THAT(run, RunsAnOperationForEachWarp());
  CHECK_THAT(run, RunsOperationsOnGroups());
  CHECK_THAT(run, WritesOwnResults(block));
  CHECK_THAT(run.work, IsSharedOut(sizeof(unsigned) * n));
  CHECK_THAT(out, EqualsPartitioned(in, block));
}

TEST_CASE("partition_by_sign: whole warps of a kind, at some sizes", "[partition_by_sign][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(some_awkward_sizes(block));
  const unsigned more = GENERATE(0u, 3u);  // blocks than n needs
  const auto in = random_signed(n, seed_of(n, block));
  const auto [run, out] =
      counted_operations(device, launch_partition, in, block, thread_for_each(n, block).grid.x + more);
  CHECK_THAT(run.launch, DivergesInGuardsAlone(n));
  CHECK_THAT(run, RunsOperationsOnGroups());
  CHECK_THAT(run, WritesOwnResults(block));
  CHECK_THAT(out, EqualsPartitioned(in, block));
}

TEST_CASE("partition_by_sign: fills the gap between the groups", "[partition_by_sign][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const auto in = random_signed(1000, seed_of(1000, block));
  std::optional<Written<unsigned>> written;
  const auto unwritten = unwritten_slot(device, [&] { written = launch_partition(device, in, block); });
  CHECK_THAT(unwritten, IsNowhere("what lies between the two groups is processed as well: fill the gap"));
  CHECK_THAT(written->out, EqualsPartitioned(in, block));
}

TEST_CASE("partition_by_sign: no findings", "[partition_by_sign][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = random_signed(n, seed_of(n, block));
  const auto [launch, out] = launch_partition(device, in, block);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsPartitioned(in, block));
}

// --- What the chapter shows of them -----------------------------------------------------------------------

namespace {

Launch show_alternate(Device& device, unsigned n) {
  const unsigned block = device.block_or(256);
  const auto in = random_words(n, seed_of(n, block));
  auto [launch, out] = launch_alternate(device, in, block);
  if (!launch.is_timed()) require(out, EqualsAlternated(in));
  return std::move(launch);
}
Launch show_scores(Device& device, unsigned n) {
  const unsigned block = device.block_or(256);
  const Matches matches = random_matches(n, seed_of(n, block));
  const ScoreBoard board(device, matches);
  Launch launch = launch_scores(device, board, block);
  if (!launch.is_timed()) require(board, HoldsPointsAfter(matches));
  return launch;
}
Launch show_partition(Device& device, unsigned n) {
  const unsigned block = device.block_or(256);
  const auto in = random_signed(n, seed_of(n, block));
  auto [launch, out] = launch_partition(device, in, block);
  if (!launch.is_timed()) require(out, EqualsPartitioned(in, block));
  return std::move(launch);
}

const RegisterKernels kernels_without_branches({
    {.kernel = alternate_by_warp,
     .technique = "condition aligned to warps",
     .task = "one operation for even elements, another for odd ones",
     .run = show_alternate},
    {.kernel = score_matches,
     .technique = "arithmetic for branches",
     .task = "add the points of each match: 3, 1 or 0",
     .run = show_scores},
    {.kernel = partition_by_sign,
     .technique = "partition, then two passes",
     .task = "group by sign, in order, then process each group",
     .run = show_partition},
});

}  // namespace
