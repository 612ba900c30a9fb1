/// \file What chapter 3 asks of column_sums: result, technique, safety.

#include <limits>
#include <string>

#include "ch03_bank_conflicts/kernels.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/matchers.hpp"

using namespace warpwise::harness;

namespace {

/// out[c] is the sum of column c: of the elements from 32 * c up to 32 * (c + 1).
auto EqualsColumnSums(const std::vector<float>& in) { return EqualsSums(in, stretches_of(32)); }

/// column_sums on the columns of `in`, 32 elements each, with `grid` warps; without a number, one for every
/// 32 columns.
Written<float> launch_columns(Device& device, const std::vector<float>& in, unsigned grid = 0) {
  const auto columns = static_cast<unsigned>(in.size() / 32);
  LaunchShape shape = thread_for_each(columns, 32);
  if (grid != 0) shape.grid = grid;
  return run_in_out(device, column_sums, shape, in, columns, columns);
}

/// Numbers of columns at which the kernel is likely to break, and those that a run_seed() draws.
Generator<unsigned> column_counts() {
  std::vector<unsigned> counts{0, 1, 31, 32, 33, 64, 127, 1023, 1024, 1025};
  for (const unsigned drawn : drawn_sizes(1024)) counts.push_back(drawn);
  return Catch::Generators::from_range(counts);
}

}  // namespace

TEST_CASE("column_sums: each column's sum", "[column_sums][result]") {
  Device& device = GENERATE(devices());
  const unsigned columns = GENERATE(column_counts());
  const auto in = random_integers(32 * columns, columns);
  const auto out = launch_columns(device, in).out;
  INFO("columns = " << columns);
  CHECK_THAT(out, EqualsColumnSums(in));
}

// In whatever order the 32 values of a column are added, none goes through more than 31 additions.
TEST_CASE("column_sums: floats that round", "[column_sums][result]") {
  Device& device = GENERATE(devices());
  constexpr unsigned columns = 77;
  const auto in = random_floats(32 * columns, columns);
  const auto out = launch_columns(device, in).out;
  INFO("columns = " << columns << ", real floats");
  CHECK_THAT(out, EqualsColumnSums(in).rounded(31));
}

TEST_CASE("column_sums: as many blocks as 45 columns need, and more", "[column_sums][result]") {
  Device& device = GENERATE(devices());
  const unsigned grid = GENERATE(2u, 3u, 40u);
  const auto in = random_integers(32 * 45, grid);
  const auto out = launch_columns(device, in, grid).out;
  INFO("columns = 45");
  CHECK_THAT(out, EqualsColumnSums(in));
}

TEST_CASE("column_sums: more elements than 16 bits count", "[column_sums][result]") {
  Device& device = GENERATE(devices());
  const auto in = random_integers(32 * 2100, 3);
  const auto out = launch_columns(device, in, 66).out;
  INFO("columns = 2100");
  CHECK_THAT(out, EqualsColumnSums(in));
}

TEST_CASE("column_sums: values that a cheap mistake would lose", "[column_sums][result]") {
  Device& device = GENERATE(devices());
  constexpr float infinity = std::numeric_limits<float>::infinity();
  auto in = random_integers(32 * 45, 4);
  SECTION("zeros and both signs") { in = random_integers(32 * 45, 1, -3, 3); }
  SECTION("large numbers") { in = random_integers(32 * 45, 2, -(1 << 19), 1 << 19); }  // 32 are 2^24
  SECTION("denormal numbers") { in = random_denormals(32 * 45, 2); }
  SECTION("with infinities and a NaN") {
    in[3] = infinity, in[40] = -infinity, in[41] = infinity, in.back() = -infinity;
    in[100] = std::numeric_limits<float>::quiet_NaN();
  }
  const auto out = launch_columns(device, in).out;
  INFO("columns = 45");
  CHECK_THAT(out, EqualsColumnSums(in));
}

// With the sizes that the result is tried at, too, and more blocks than they need.
TEST_CASE("column_sums: a tile without bank conflicts", "[column_sums][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned columns = GENERATE(256u, column_counts(), 45u);
  const auto in = random_integers(32 * columns, columns);
  const auto [run, out] = counted(device, launch_columns, in, columns == 45 ? 40u : 0u);
  const Launch& launch = run.launch;
  // If 32 lanes use 32 banks, each request is one wavefront. Both directions count: transposing the tile on
  // the load would only move the conflicts from the loads to the stores.
  CHECK_THAT(launch.count(&Counters::shared_load_bank_conflicts).per_block(),
             AtMost(0, "bank conflicts of a tile's loads",
                    "32 lanes that go down a column of the tile must use 32 banks"));
  CHECK_THAT(launch.count(&Counters::shared_store_bank_conflicts).per_block(),
             AtMost(0, "bank conflicts of a tile's stores",
                    "32 lanes that write a row of the tile must use 32 banks"));
  CHECK_THAT(run, ReadsEachElementOnce(32 * columns, 0, "neighbouring lanes read neighbouring elements"));
  // The warp reads the 32 neighbours of a column at once, and one lane sums them, so 31 values or their sums
  // come from other lanes. Without shuffles, and with each element loaded once, they must go through shared
  // memory.
  CHECK_THAT(launch, HasNoShuffles("the values go through a tile in shared memory; a butterfly for each "
                                   "column would take 5 exchanges of 32 values for one sum"));
  CHECK_THAT(run, ExchangesInSharedMemory());
  // To move 1024 words in and out takes 32 + 32 wavefronts. Even a tree in the tile, which stores what it
  // adds, needs only 32 + 3 * (16 + 8 + 4 + 2 + 1) + 1 = 126. If one lane adds up a column alone, it takes 32
  // for the column, and 1024 for the tile.
  CHECK_THAT(launch.count(shared_load_and_store_wavefronts).per_block(),
             AtMost(126, "shared wavefronts of a tile", "all 32 lanes work at once"));
  CHECK_THAT(launch, HasNoAtomics("a lane adds in a register"));
  // With a tree in the tile, a lane makes fewer joins than by adding up one column of 32 values.
  CHECK_THAT(run, JoinsFewValues(48, "each lane sums one column of 32 values"));
  CHECK_THAT(run, DoesTheSameForAllElements());
  CHECK_THAT(run, WritesOwnResults(32));
  INFO("columns = " << columns);
  CHECK_THAT(out, EqualsColumnSums(in));
}

TEST_CASE("column_sums: no findings", "[column_sums][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned columns = GENERATE(column_counts());
  const auto in = random_integers(32 * columns, columns);
  const auto [launch, out] = launch_columns(device, in);
  CHECK_THAT(launch, HasNoFindings());
  INFO("columns = " << columns);
  CHECK_THAT(out, EqualsColumnSums(in));
}

// --- What the chapter shows of it -------------------------------------------------------------------------

namespace {

Launch show_columns(Device& device, unsigned n) {
  const auto in = random_integers(n / 32 * 32, n / 32);
  auto [launch, out] = launch_columns(device, in);
  if (!launch.is_timed()) require(out, EqualsColumnSums(in));
  return std::move(launch);
}

const RegisterKernels column_kernel({
    {.kernel = column_sums,
     .technique = "padded tile",
     .task = "sum columns of 32 elements through shared memory",
     .run = show_columns,
     .shown_n = 32 * 32},
});

}  // namespace
