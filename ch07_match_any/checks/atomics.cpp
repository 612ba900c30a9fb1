/// \file The checks of chapter 7, second part: the kernels with atomics. Contracts: kernels.hpp.

#include <algorithm>
#include <ostream>

#include "ch07_match_any/checks/launches.hpp"
#include "ch07_match_any/kernels.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/device/gpu_device.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch07;

namespace {

const std::vector<unsigned> some_blocks{32, 96, 1024};  // one of them is not a power of two

// Where each order of the lanes is searched for findings: two blocks, and a last round that is not full.
constexpr LaunchShape ordered_shape{.grid = 2, .block = 64};

/// Atomic operations on global memory: see words_apart.
Count atomics(const Launch& launch) { return launch.count(&Counters::global_atomic_sectors); }

void expect_sectors(const Launch& launch, double limit) {
  expect_at_most("global load sectors", launch.count(&Counters::global_load_sectors), limit,
                 "each element is read once, 8 to a sector");
}

/// Besides the atomics: a round for each distinct value takes two shuffles for a 64-bit key, a vote, and two
/// more to hand something back. A warp's round takes four more for what all lanes have in common. Fewer are
/// enough if a match finds all lanes.
void expect_rounds(const Launch& launch, double distinct, double warps) {
  expect_at_most(
      "shuffles and votes", launch.count({&Counters::shuffles, &Counters::votes}), 5 * distinct + 4 * warps,
      "a match, or a round for each distinct value among the 32, finds all lanes with the same one");
}

// --- histograms ---------------------------------------------------------------------------------------

std::string bins_text(unsigned bins) { return std::to_string(bins) + (bins == 1 ? " bin" : " bins"); }

void check_histogram(Device& device, unsigned n, unsigned bins, const LaunchShape& shape, HistogramLaunch run,
                     const std::string& note = {}, unsigned apart = 1) {
  const std::vector<unsigned> values = random_keys(n, bins, apart);
  std::vector<unsigned> start(std::size_t{bins - 1} * apart + 1);
  for (unsigned bin = 0; bin < start.size(); ++bin) start[bin] = 7 * bin;
  const auto keys = device.upload("keys", values);
  const auto histogram = device.upload("histogram", start);
  run(device, shape, keys, histogram, n, bins);
  expect_equal(histogram, histogram_of(values, start), case_of(n, shape, bins_text(bins) + note));
}

void check_histograms(const Check& check, HistogramLaunch run) {
  for (Device& device : check.devices())
    for (const auto [n, block] : check.sizes(some_blocks))
      for (const unsigned bins : {1u, 3u, 64u, 1000u})
        check_histogram(device, n, bins, walking_blocks(n, block, 1 + n % 4), run);
  for (Device& device : check.devices()) {
    for (const unsigned n : {0u, 33u, 1000u})
      check_histogram(device, n, 5, {.grid = 300, .block = 64}, run, ", more blocks than n asks for");
    for (const unsigned bins : {1u, 2u})  // more than 2^16 of one key, in one block
      check_histogram(device, 140'001, bins, {.grid = 1, .block = 1024}, run);
  }
}

void check_histogram_schedules(Check& check, HistogramLaunch run) {
  check.under_every_schedule([&](Device& device, const std::string& schedule) {
    for (const unsigned bins : {1u, 5u, 1000u})
      check_histogram(device, 1001, bins, {.grid = 2, .block = 64}, run, ", " + schedule);
  });
}

// --- the ladder ---------------------------------------------------------------------------------------

constexpr unsigned shown_bins = 4;

template <const auto& kernel>
Launch shown_histogram(Device& device, unsigned n) {
  return run_histogram(device, global_histogram<kernel>, n, shown_bins,
                       walking_grid(device, n, device.block_or(256)));
}

/// The sectors of atomics are the operations themselves: see words_apart.
void show_atomics(std::ostream& out, const Launch& launch) {
  out << "  atomic operations on global memory: " << launch.counters().global_atomic_sectors << '\n';
}

/// Launches of one kernel on a GPU.
constexpr unsigned timed_launches = TimingOptions{}.warm_up + TimingOptions{}.repetitions;

const RegisterKernels atomic_kernels({
    {.kernel = atomic_aggregate_increment,
     .technique = "one atomic per counter",
     .task = "draw tickets, one atomic operation per warp and counter",
     .run =
         [](Device& device, unsigned n) {
           return run_increment(device, full_warps(ceil_div(std::max(n, 1u), 256) * 8, 8),
                                device.block_or(256));
         },
     .largest_n = 1u << 24,
     .bytes_per_element = 8,
     .show = show_atomics},
    {.kernel = histogram_plain,
     .technique = "one atomic per key",
     .task = "given: count keys, one atomic operation each",
     .run = shown_histogram<histogram_plain>,
     .is_exercise = false,
     .show = show_atomics},
    {.kernel = histogram_aggregated,
     .technique = "one atomic per distinct key",
     .task = "count keys, one atomic operation per warp and bin",
     .run = shown_histogram<histogram_aggregated>,
     .show = show_atomics},
    {.kernel = histogram_private,
     .technique = "counted in shared memory",
     .task = "count keys in shared memory, four keys per load",
     .run =
         [](Device& device, unsigned n) {
           return run_histogram(device, private_histogram, n, shown_bins, walking_grid(device, n, 512));
         },
     .show = show_atomics},
    {.kernel = compact_by_tickets,
     .technique = "one atomic for 32 tickets",
     .task = "keep the elements that are not 0, in any order",
     .run =
         [](Device& device, unsigned n) {
           return run_compaction(device, n, 2, walking_grid(device, n, device.block_or(256)),
                                 device.is_simulated() ? 1 : timed_launches);
         },
     .largest_n = 1u << 22,
     .show = show_atomics},
});

}  // namespace

WARPWISE_CHECK(atomic_aggregate_increment, result) {
  for (Device& device : check.devices()) {
    for (const unsigned block : some_blocks) run_increment(device, random_combinations(96), block);
    for (const unsigned distinct : {1u, 2u, 32u}) run_increment(device, full_warps(32, distinct), 64);
    // All draw from the counter that is about to wrap around, which it does in whichever warp comes first.
    Combinations together = full_warps(4, 1);
    std::fill(together.keys.begin(), together.keys.end(), 0);
    run_increment(device, together, 64);
    run_increment(device, random_combinations(3200), 128);
  }
}
WARPWISE_CHECK(atomic_aggregate_increment, result, "whatever the order") {
  const Combinations all = random_combinations(160);
  check.under_every_schedule(
      [&](Device& device, const std::string& schedule) { run_increment(device, all, 32, schedule); });
}
WARPWISE_CHECK(atomic_aggregate_increment, technique) {
  // The check of the result has the first of these, too.
  for (const Combinations& all :
       {random_combinations(96), random_combinations(640), full_warps(64, 1), full_warps(64, 8)}) {
    const Launch launch = run_increment(check.simulated(), all, 32);
    const unsigned distinct = distinct_keys(increments_for(all).which, all);
    expect_at_most("atomic operations", atomics(launch), distinct,
                   "one for each distinct counter among the lanes of a warp");
    expect_rounds(launch, distinct, all.warps());
  }
}
WARPWISE_CHECK(atomic_aggregate_increment, safety) {
  check.expect_safe(run_increment, random_combinations(640), 64, "");
  check.expect_safe(run_increment, full_warps(32, 7), 1024, "");
  check.under_every_schedule([&](Device&, const std::string&) {
    check.expect_safe(run_increment, random_combinations(32), 32, "");
  });
}

WARPWISE_CHECK(histogram_plain, result) { check_histograms(check, global_histogram<histogram_plain>); }
WARPWISE_CHECK(histogram_plain, technique) {
  const unsigned n = 8192;
  expect_equal_count("atomic operations",
                     atomics(run_histogram(check.simulated(), global_histogram<histogram_plain>, n, 4,
                                           {.grid = 4, .block = 256})),
                     n, "one for each key");
}
WARPWISE_CHECK(histogram_plain, safety) {
  check.expect_safe(run_histogram, global_histogram<histogram_plain>, 1001, 4,
                    LaunchShape{.grid = 2, .block = 64});
}

WARPWISE_CHECK(histogram_aggregated, result) {
  check_histograms(check, global_histogram<histogram_aggregated>);
}
// These keys are equal in their lower 16 bits.
WARPWISE_CHECK(histogram_aggregated, result, "keys 2^16 apart") {
  for (Device& device : check.devices())
    check_histogram(device, 1001, 3, {.grid = 2, .block = 64}, global_histogram<histogram_aggregated>,
                    " 2^16 apart", 1u << 16);
}
WARPWISE_CHECK(histogram_aggregated, result, "whatever the order") {
  check_histogram_schedules(check, global_histogram<histogram_aggregated>);
}
// A warp may take any 32 keys in a round: if there are only `bins` different ones, it never meets more.
WARPWISE_CHECK(histogram_aggregated, technique) {
  const unsigned n = 1u << 15;
  for (const unsigned bins : {1u, 2u, 4u, 8u}) {
    const auto [launch, work] =
        launch_and_work(check.simulated(), run_histogram, global_histogram<histogram_aggregated>, n, bins,
                        LaunchShape{.grid = 4, .block = 256});
    expect_at_most("atomic operations for " + bins_text(bins), atomics(launch), n / 32.0 * bins,
                   "one for each distinct key among the 32 of a round");
    expect_rounds(launch, n / 32.0 * bins, n / 32.0);
    expect_at_most("shared atomic requests", launch.count(&Counters::shared_atomic_requests), 0,
                   "counting in shared memory is the technique of histogram_private");
    expect_sectors(launch, n / 8.0);
    expect_shared_out(work, 4.0 * n);
  }
}
// With launches of the check of the result, drawn by the seed. A warp's last round may have few keys.
WARPWISE_CHECK(histogram_aggregated, technique, "at any size") {
  for (const unsigned block : some_blocks)
    for (const unsigned n : check.some_awkward_sizes(block))
      for (const unsigned bins : {1u, 3u}) {
        const Launch launch = run_histogram(check.simulated(), global_histogram<histogram_aggregated>, n,
                                            bins, walking_blocks(n, block, 1 + n % 4));
        const double rounds = ceil_div(n, 32) + 4;
        expect_at_most("atomic operations for " + bins_text(bins), atomics(launch), rounds * bins,
                       "one for each distinct key among the 32 of a round");
        expect_at_most("shared atomic requests", launch.count(&Counters::shared_atomic_requests), 0,
                       "counting in shared memory is the technique of histogram_private");
      }
}
WARPWISE_CHECK(histogram_aggregated, safety) {
  for (const auto [n, block] : check.sizes(some_blocks))
    check.expect_safe(run_histogram, global_histogram<histogram_aggregated>, n, 5,
                      walking_blocks(n, block, 1 + n % 3));
  check.under_every_schedule([&](Device&, const std::string&) {
    check.expect_safe(run_histogram, global_histogram<histogram_aggregated>, 300, 5, ordered_shape);
  });
}

WARPWISE_CHECK(compact_by_tickets, result) {
  for (Device& device : check.devices())
    for (const auto [n, block] : check.sizes(some_blocks))
      for (const unsigned one_in : {1u, 2u, 40u})
        run_compaction(device, n, one_in, walking_blocks(n, block, 1 + n % 4));
  for (Device& device : check.devices()) {
    for (const unsigned n : {0u, 33u, 1000u}) run_compaction(device, n, 2, {.grid = 300, .block = 64});
    for (const unsigned one_in : {1u, 3u}) run_compaction(device, 70'001, one_in, {.grid = 7, .block = 1024});
  }
}
WARPWISE_CHECK(compact_by_tickets, result, "whatever the order") {
  check.under_every_schedule([](Device& device, const std::string& schedule) {
    run_compaction(device, 1001, 3, {.grid = 2, .block = 64}, 1, schedule);
  });
}
// All tickets come from one counter, so any 32 elements need only one atomic operation.
WARPWISE_CHECK(compact_by_tickets, technique) {
  const unsigned n = 1u << 15;
  for (const unsigned one_in : {1u, 2u, 40u}) {
    const auto [launch, work] = launch_and_work(check.simulated(), run_compaction, n, one_in,
                                                LaunchShape{.grid = 4, .block = 256}, 1, "");
    expect_at_most("atomic operations", atomics(launch), n / 32.0, "one for 32 elements");
    expect_sectors(launch, n / 8.0);
    expect_shared_out(work, 4.0 * n);
  }
}
WARPWISE_CHECK(compact_by_tickets, technique, "at any size") {
  for (const unsigned block : some_blocks)
    for (const unsigned n : check.some_awkward_sizes(block))
      for (const unsigned one_in : {1u, 2u, 40u})
        expect_at_most(
            "atomic operations",
            atomics(run_compaction(check.simulated(), n, one_in, walking_blocks(n, block, 1 + n % 4))),
            ceil_div(n, 32) + 4, "one for 32 elements");
}
WARPWISE_CHECK(compact_by_tickets, safety) {
  for (const auto [n, block] : check.sizes(some_blocks))
    check.expect_safe(run_compaction, n, 3, walking_blocks(n, block, 1 + n % 3), 1, "");
  check.under_every_schedule(
      [&](Device&, const std::string&) { check.expect_safe(run_compaction, 300, 3, ordered_shape, 1, ""); });
}

WARPWISE_CHECK(histogram_private, result) {
  check_histograms(check, private_histogram);
  for (Device& device : check.devices())
    check_histogram(device, 50'001, 12'288, {.grid = 3, .block = 1024}, private_histogram);
}
WARPWISE_CHECK(histogram_private, result, "whatever the order") {
  check_histogram_schedules(check, private_histogram);
}
WARPWISE_CHECK(histogram_private, technique) {
  constexpr unsigned n = 1u << 16, blocks = 4, bins = 8, words = bins * words_apart;
  const auto [launch, work] = launch_and_work(check.simulated(), run_histogram, private_histogram, n, bins,
                                              LaunchShape{.grid = blocks, .block = 256});
  expect_at_most("global load requests", launch.count(&Counters::global_load_requests), n / 128.0,
                 "32 lanes load four keys each at once");
  expect_sectors(launch, n / 8.0);
  // One lane per bin and block, 32 lanes per request.
  expect_at_most("atomic requests on global memory", launch.count(&Counters::global_atomic_requests),
                 blocks * words / 32.0, "each block adds each bin to the histogram once, 32 at a time");
  expect_shared_out(work, 4.0 * n);
}
WARPWISE_CHECK(histogram_private, safety) {
  for (const auto [n, block] : check.sizes(some_blocks))
    check.expect_safe(run_histogram, private_histogram, n, 5, walking_blocks(n, block, 1 + n % 3));
  check.under_every_schedule([&](Device&, const std::string&) {
    check.expect_safe(run_histogram, private_histogram, 300, 5, ordered_shape);
  });
}
