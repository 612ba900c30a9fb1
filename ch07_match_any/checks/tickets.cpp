/// \file What chapter 7 asks of the kernels that hand out tickets: result, technique, safety. Contracts:
/// kernels.hpp. What each must give: launches.hpp; the keys and who takes part: combinations.hpp.

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "ch07_match_any/checks/launches.hpp"
#include "ch07_match_any/kernels.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/matchers.hpp"
#include "common/harness/device/gpu_device.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch07;

namespace {

/// All draw from one counter: that of key 0 is about to wrap around, which it does in whichever warp comes
/// first, and that of key 1 holds 0.
Combinations full_warps_with_key(unsigned long long key, unsigned warps) {
  Combinations together = full_warps(warps, 1);
  std::fill(together.keys.begin(), together.keys.end(), key);
  return together;
}

}  // namespace

// --- atomic_aggregate_increment ---

TEST_CASE("atomic_aggregate_increment: counters and tickets", "[atomic_aggregate_increment][result]") {
  Device& device = GENERATE(devices());
  if (is_in_another_order()) return;  // these launches are too large: see the next case
  const auto [all, block] = GENERATE(table<Combinations, unsigned>({{random_combinations(96), 32},
                                                                    {random_combinations(96), 96},
                                                                    {random_combinations(96), 1024},
                                                                    {full_warps(32, 1), 64},
                                                                    {full_warps(32, 2), 64},
                                                                    {full_warps(32, 32), 64},
                                                                    {side_by_side(full_warps(32, 32)), 64},
                                                                    {full_warps_with_key(0, 4), 64},
                                                                    {random_combinations(3200), 128}}));
  const auto [launch, counters, tickets] = launch_increment(device, all, block);
  REQUIRE_THAT(counters, CountsTheThreads(all));
  CHECK_THAT(tickets, AreTicketsOf(all));
}

TEST_CASE("atomic_aggregate_increment: whatever the order", "[atomic_aggregate_increment][result]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto [all, block] = GENERATE(table<Combinations, unsigned>(
      {{random_combinations(160), 32},
       {full_warps_with_key(1, 8), 256},
       {full_warps(4, 32), 128}}));  // one block: who is alone with a counter in its warp is not in the block
  const auto [launch, counters, tickets] = launch_increment(device, all, block);
  REQUIRE_THAT(counters, CountsTheThreads(all));
  CHECK_THAT(tickets, AreTicketsOf(all));
}

// The result has the first of these, too.
TEST_CASE("atomic_aggregate_increment: one atomic operation for each distinct counter",
          "[atomic_aggregate_increment][technique]") {
  SimulatedDevice& device = simulated();
  const Combinations all =
      GENERATE(random_combinations(96), random_combinations(640), full_warps(64, 1), full_warps(64, 8));
  std::optional<Drawn> drawn;
  const LaunchAndWork run = launch_and_work(device, [&](Device&) {
    drawn.emplace(launch_increment(device, all, 32));
    return drawn->launch;
  });
  const auto& [launch, counters, tickets] = *drawn;
  CHECK_THAT(run, HasNoExchangesInCode(Exchanges::tries));
  const unsigned distinct = distinct_keys(increments_for(all).which, all);
  CHECK_THAT(atomics(launch), AtMost(distinct, "atomic operations",
                                     "one for each distinct counter among the lanes of a warp"));
  CHECK_THAT(launch.count({&Counters::shuffles, &Counters::votes}), AreRoundsFor(distinct, all.warps()));
  REQUIRE_THAT(counters, CountsTheThreads(all));
  CHECK_THAT(tickets, AreTicketsOf(all));
}

TEST_CASE("atomic_aggregate_increment: no findings", "[atomic_aggregate_increment][safety]") {
  SimulatedDevice& device = simulated();
  const auto [all, block] =
      GENERATE(table<Combinations, unsigned>({{random_combinations(640), 64}, {full_warps(32, 7), 1024}}));
  const auto [launch, counters, tickets] = launch_increment(device, all, block);
  CHECK_THAT(launch, HasNoFindings());
  REQUIRE_THAT(counters, CountsTheThreads(all));
  CHECK_THAT(tickets, AreTicketsOf(all));
}

TEST_CASE("atomic_aggregate_increment: no findings, with only the counters of active lanes",
          "[atomic_aggregate_increment][safety]") {
  SimulatedDevice& device = simulated();
  const Combinations all = random_combinations(96);
  const auto [launch, counters, tickets] = launch_increment(device, all, 64, false);
  INFO("only the counters of active lanes");
  CHECK_THAT(launch, HasNoFindings());
  REQUIRE_THAT(counters, CountsTheThreads(all));
  CHECK_THAT(tickets, AreTicketsOf(all));
}

TEST_CASE("atomic_aggregate_increment: no findings in any order", "[atomic_aggregate_increment][safety]") {
  SimulatedDevice& device = GENERATE(every_order());
  const Combinations all = random_combinations(32);
  const auto [launch, counters, tickets] = launch_increment(device, all, 32);
  CHECK_THAT(launch, HasNoFindings());
  REQUIRE_THAT(counters, CountsTheThreads(all));
  CHECK_THAT(tickets, AreTicketsOf(all));
}

// --- compact_by_tickets ---

TEST_CASE("compact_by_tickets: what is not 0, at awkward sizes", "[compact_by_tickets][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(blocks_also_from_code({32, 96, 1024}, false));
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const unsigned one_in = GENERATE(1u, 2u, 40u);
  const auto in = sparse_elements(n, one_in);
  const auto [launch, out, count] = launch_compaction(device, in, walking_blocks(n, block, 1 + n % 4));
  REQUIRE_THAT(count, CountsWhatIsKept(in));
  CHECK_THAT(out, HoldsWhatIsKept(in));
}

TEST_CASE("compact_by_tickets: far more blocks, far more elements", "[compact_by_tickets][result]") {
  Device& device = GENERATE(devices());
  const auto [n, one_in, grid, block] = GENERATE(table<unsigned, unsigned, unsigned, unsigned>(
      {{0, 2, 300, 64}, {33, 2, 300, 64}, {1000, 2, 300, 64}, {70'001, 1, 7, 1024}, {70'001, 3, 7, 1024}}));
  const auto in = sparse_elements(n, one_in);
  const auto [launch, out, count] = launch_compaction(device, in, {.grid = grid, .block = block});
  REQUIRE_THAT(count, CountsWhatIsKept(in));
  CHECK_THAT(out, HoldsWhatIsKept(in));
}

TEST_CASE("compact_by_tickets: whatever the order", "[compact_by_tickets][result]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto [n, grid] = GENERATE(table<unsigned, unsigned>({{1001, 2}, {64, 1}}));
  const auto in = sparse_elements(n, 3);
  const auto [launch, out, count] = launch_compaction(device, in, {.grid = grid, .block = 64});
  REQUIRE_THAT(count, CountsWhatIsKept(in));
  CHECK_THAT(out, HoldsWhatIsKept(in));
}

// All tickets come from one counter, so any 32 elements need only one atomic operation.
TEST_CASE("compact_by_tickets: one atomic operation for 32 elements", "[compact_by_tickets][technique]") {
  SimulatedDevice& device = simulated();
  constexpr unsigned n = 1u << 15;
  const auto in = sparse_elements(n, GENERATE(1u, 2u, 40u));
  std::optional<Compacted> all;
  const LaunchAndWork run = launch_and_work(device, [&](Device&) {
    all.emplace(launch_compaction(device, in, {.grid = 4, .block = 256}));
    return all->launch;
  });
  CHECK_THAT(atomics(run.launch), AtMost(n / 32.0, "atomic operations", "one for 32 elements"));
  CHECK_THAT(run, HasNoExchangesInCode(Exchanges::tries));
  check_loads(run, n);
  REQUIRE_THAT(all->count, CountsWhatIsKept(in));
  CHECK_THAT(all->out, HoldsWhatIsKept(in));
}

TEST_CASE("compact_by_tickets: shares of any n", "[compact_by_tickets][technique]") {
  const LaunchShape shape = GENERATE(uneven_shares());
  const auto in = sparse_elements(*shape.n, 40);
  std::optional<Compacted> all;
  const Work work = work_of(simulated(), [&] { all.emplace(launch_compaction(simulated(), in, shape)); });
  CHECK_THAT(work, IsSharedOut(4.0 * in.size()));
  CHECK_THAT(work, LoadsNeighbours());
  REQUIRE_THAT(all->count, CountsWhatIsKept(in));
  CHECK_THAT(all->out, HoldsWhatIsKept(in));
}

TEST_CASE("compact_by_tickets: one atomic operation for 32 elements, at any size",
          "[compact_by_tickets][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(blocks_also_from_code({32, 96, 1024}, false));
  const unsigned n = GENERATE_COPY(some_awkward_sizes(block));
  const auto in = sparse_elements(n, GENERATE(1u, 2u, 40u));
  std::optional<Compacted> all;
  const LaunchAndWork run = launch_and_work(device, [&](Device&) {
    all.emplace(launch_compaction(device, in, walking_blocks(n, block, 1 + n % 4)));
    return all->launch;
  });
  CHECK_THAT(atomics(run.launch), AtMost(ceil_div(n, 32) + 4, "atomic operations", "one for 32 elements"));
  CHECK_THAT(run, LoadsEachElementOnce(n));
  REQUIRE_THAT(all->count, CountsWhatIsKept(in));
  CHECK_THAT(all->out, HoldsWhatIsKept(in));
}

TEST_CASE("compact_by_tickets: no findings", "[compact_by_tickets][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(blocks_also_from_code({32, 96, 1024}, false));
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = sparse_elements(n, 3);
  const auto [launch, out, count] = launch_compaction(device, in, walking_blocks(n, block, 1 + n % 3));
  CHECK_THAT(launch, HasNoFindings());
  REQUIRE_THAT(count, CountsWhatIsKept(in));
  CHECK_THAT(out, HoldsWhatIsKept(in));
}

// Two blocks, and a last round that is not full.
TEST_CASE("compact_by_tickets: no findings in any order", "[compact_by_tickets][safety]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto in = sparse_elements(300, 3);
  const auto [launch, out, count] = launch_compaction(device, in, {.grid = 2, .block = 64});
  CHECK_THAT(launch, HasNoFindings());
  REQUIRE_THAT(count, CountsWhatIsKept(in));
  CHECK_THAT(out, HoldsWhatIsKept(in));
}

// --- What the chapter shows of these kernels ---

namespace {

// The launches that are counted, drawn and, on a GPU, timed: these keep adding, and are not compared.

Launch show_increment(Device& device, unsigned n) {
  const Combinations all = full_warps(ceil_div(std::max(n, 1u), 256) * 8, 8);
  auto [launch, counters, tickets] = launch_increment(device, all, device.block_or(256));
  if (launch.is_timed()) return std::move(launch);
  require(counters, CountsTheThreads(all));
  require(tickets, AreTicketsOf(all));
  return std::move(launch);
}
Launch show_compaction(Device& device, unsigned n) {
  constexpr unsigned timed_launches = TimingOptions{}.warm_up + TimingOptions{}.repetitions;
  const auto in = sparse_elements(n, 2);
  auto [launch, out, count] = launch_compaction(device, in, walking_grid(device, n, device.block_or(256)),
                                                device.is_simulated() ? 1 : timed_launches);
  if (launch.is_timed()) return std::move(launch);
  require(count, CountsWhatIsKept(in));
  require(out, HoldsWhatIsKept(in));
  return std::move(launch);
}

const RegisterKernels ticket_kernels({
    {.kernel = atomic_aggregate_increment,
     .technique = "one atomic per counter",
     .task = "draw tickets, one atomic operation per warp and counter",
     .run = show_increment,
     .largest_n = 1u << 24,
     .bytes_per_element = 8,
     .show = show_atomics},
    {.kernel = compact_by_tickets,
     .technique = "one atomic for 32 tickets",
     .task = "keep the elements that are not 0, in any order",
     .run = show_compaction,
     .largest_n = 1u << 22,
     .show = show_atomics},
});

}  // namespace
