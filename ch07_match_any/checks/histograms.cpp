/// \file What chapter 7 asks of the histograms: result, technique, safety. Contracts: kernels.hpp.
/// What each must give: launches.hpp.

#include <string>
#include <utility>

#include "ch07_match_any/checks/launches.hpp"
#include "ch07_match_any/kernels.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/matchers.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch07;

namespace {

std::string bins_text(unsigned bins) { return std::to_string(bins) + (bins == 1 ? " bin" : " bins"); }
/// What is in the bins of a histogram for keys that are `apart`: of several, each second and the last are
/// about to wrap around.
std::vector<unsigned> start_of(unsigned bins, unsigned apart = 1) {
  std::vector<unsigned> start(std::size_t{bins - 1} * apart + 1);
  for (unsigned bin = 0; bin < start.size(); ++bin)
    start[bin] = bins > 1 && bin % 2 == 0 ? -1 - bin % 8 : 7 * bin;
  if (bins > 1) start.back() = ~0u - 1;
  return start;
}
/// Empty bins, each in a sector of its own: see words_apart.
std::vector<unsigned> bins_apart(unsigned bins) { return std::vector<unsigned>(bins * words_apart); }

/// A kernel, and how it is launched on keys and on a histogram that has `start` in it.
struct Histogram {
  KernelName kernel;
  Written<unsigned> (*launch)(Device& device, const std::vector<unsigned>& keys,
                              const std::vector<unsigned>& start, const LaunchShape& shape);
};
template <const HistogramKernel& kernel>
Written<unsigned> launch_global(Device& device, const std::vector<unsigned>& keys,
                                const std::vector<unsigned>& start, const LaunchShape& shape) {
  return launch_histogram(device, kernel, keys, start, shape);
}
constexpr Histogram plain{histogram_plain, launch_global<histogram_plain>};
constexpr Histogram aggregated{histogram_aggregated, launch_global<histogram_aggregated>};
constexpr Histogram in_shared_memory{histogram_private, launch_private};

// --- The same cases for all three, and more for the two exercises ---

void histogram_at_awkward_sizes(const Histogram& histogram) {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(blocks_also_from_code({32, 96, 1024}, false));
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const unsigned bins = GENERATE(1u, 3u, 64u, 1000u);
  const auto keys = random_keys(n, bins), start = start_of(bins);
  const auto counts = histogram.launch(device, keys, start, walking_blocks(n, block, 1 + n % 4)).out;
  INFO(bins_text(bins));
  CHECK_THAT(counts, CountsTheKeys(keys, start));
}

void histogram_of_more_blocks(const Histogram& histogram) {
  Device& device = GENERATE(devices());
  const unsigned n = GENERATE(0u, 33u, 1000u);
  const auto keys = random_keys(n, 5), start = start_of(5);
  const auto counts = histogram.launch(device, keys, start, {.grid = 300, .block = 64}).out;
  INFO("5 bins, more blocks than n asks for");
  CHECK_THAT(counts, CountsTheKeys(keys, start));
}

void histogram_of_one_key(const Histogram& histogram) {
  Device& device = GENERATE(devices());
  // One warp counts more of a key than 16 bits hold; or one block does.
  const auto [bins, block] = GENERATE(table<unsigned, unsigned>({{1, 32}, {2, 1024}}));
  const auto keys = random_keys(140'001, bins), start = start_of(bins);
  const auto counts = histogram.launch(device, keys, start, {.grid = 1, .block = block}).out;
  INFO(bins_text(bins));
  CHECK_THAT(counts, CountsTheKeys(keys, start));
}

void histogram_in_any_order(const Histogram& histogram) {
  SimulatedDevice& device = GENERATE(every_order());
  const unsigned bins = GENERATE(1u, 5u, 1000u);
  const auto keys = random_keys(1001, bins), start = start_of(bins);
  const auto counts = histogram.launch(device, keys, start, {.grid = 2, .block = 64}).out;
  INFO(bins_text(bins));
  CHECK_THAT(counts, CountsTheKeys(keys, start));
}

void histogram_without_findings(const Histogram& histogram) {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(blocks_also_from_code({32, 96, 1024}, false));
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto keys = random_keys(n, 5, words_apart), start = bins_apart(5);
  const auto [launch, counts] = histogram.launch(device, keys, start, walking_blocks(n, block, 1 + n % 3));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(counts, CountsTheKeys(keys, start));
}

// Two blocks, and a last round that is not full.
void histogram_orders_without_findings(const Histogram& histogram) {
  SimulatedDevice& device = GENERATE(every_order());
  const auto keys = random_keys(300, 5, words_apart), start = bins_apart(5);
  const auto [launch, counts] = histogram.launch(device, keys, start, {.grid = 2, .block = 64});
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(counts, CountsTheKeys(keys, start));
}

void shares_of_any_n(const Histogram& histogram) {
  const LaunchShape shape = GENERATE(uneven_shares());
  const auto keys = random_keys(*shape.n, 5), start = start_of(5);
  const auto [run, counts] = counted(simulated(), histogram.launch, keys, start, shape);
  CHECK_THAT(run.work, IsSharedOut(4.0 * keys.size()));
  CHECK_THAT(run.work, LoadsNeighbours());
  CHECK_THAT(counts, CountsTheKeys(keys, start));
}

void register_histogram_cases(const Histogram& histogram) {
  register_cases(histogram.kernel, histogram,
                 {
                     {"a histogram of keys, at awkward sizes", Aspect::result, histogram_at_awkward_sizes},
                     {"more blocks than n asks for", Aspect::result, histogram_of_more_blocks},
                     {"more than 2^16 of one key in one block", Aspect::result, histogram_of_one_key},
                 });
}
void register_cases_of_exercises(const Histogram& histogram) {
  register_cases(histogram.kernel, histogram,
                 {
                     {"whatever the order", Aspect::result, histogram_in_any_order},
                     {"no findings", Aspect::safety, histogram_without_findings},
                     {"no findings in any order", Aspect::safety, histogram_orders_without_findings},
                     {"shares of any n", Aspect::technique, shares_of_any_n},
                 });
}
[[maybe_unused]] const bool are_histogram_cases_registered =
    (register_histogram_cases(plain), register_histogram_cases(aggregated),
     register_histogram_cases(in_shared_memory), register_cases_of_exercises(aggregated),
     register_cases_of_exercises(in_shared_memory), true);

}  // namespace

// --- histogram_plain ---

TEST_CASE("histogram_plain: one atomic operation for each key", "[histogram_plain][technique]") {
  SimulatedDevice& device = simulated();
  const auto keys = random_keys(8192, 4, words_apart), start = bins_apart(4);
  const auto [launch, histogram] =
      launch_histogram(device, histogram_plain, keys, start, {.grid = 4, .block = 256});
  CHECK_THAT(atomics(launch), Exactly(8192, "atomic operations", "one for each key"));
  CHECK_THAT(histogram, CountsTheKeys(keys, start));
}

TEST_CASE("histogram_plain: no findings", "[histogram_plain][safety]") {
  SimulatedDevice& device = simulated();
  const auto keys = random_keys(1001, 4, words_apart), start = bins_apart(4);
  const auto [launch, histogram] =
      launch_histogram(device, histogram_plain, keys, start, {.grid = 2, .block = 64});
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(histogram, CountsTheKeys(keys, start));
}

// --- histogram_aggregated ---

// These keys are equal in their lower 16 bits.
TEST_CASE("histogram_aggregated: keys 2^16 apart", "[histogram_aggregated][result]") {
  Device& device = GENERATE(devices());
  const auto keys = random_keys(1001, 3, 1u << 16), start = start_of(3, 1u << 16);
  const auto histogram =
      launch_histogram(device, histogram_aggregated, keys, start, {.grid = 2, .block = 64}).out;
  INFO("3 bins 2^16 apart");
  CHECK_THAT(histogram, CountsTheKeys(keys, start));
}

// A warp may take any 32 keys in a round: if there are only `bins` different ones, it never meets more.
TEST_CASE("histogram_aggregated: one atomic operation for each distinct key of 32",
          "[histogram_aggregated][technique]") {
  SimulatedDevice& device = simulated();
  constexpr unsigned n = 1u << 15;
  const unsigned bins = GENERATE(1u, 2u, 4u, 8u, 20u);
  const auto keys = random_keys(n, bins, words_apart), start = bins_apart(bins);
  const auto [run, histogram] = counted(device, launch_histogram, histogram_aggregated, keys, start,
                                        LaunchShape{.grid = 4, .block = 256});
  CHECK_THAT(atomics(run.launch), AtMost(n / 32.0 * bins, "atomic operations for " + bins_text(bins),
                                         "one for each distinct key among the 32 of a round"));
  CHECK_THAT(run.launch.count({&Counters::shuffles, &Counters::votes}),
             AreRoundsFor(n / 32.0 * bins, n / 32.0));
  CHECK_THAT(
      run.launch.count(&Counters::shared_atomic_requests),
      AtMost(0, "shared atomic requests", "counting in shared memory is the technique of histogram_private"));
  check_loads(run, n);
  CHECK_THAT(histogram, CountsTheKeys(keys, start));
}

// Launches of the result, which the seed draws. A warp's last round may have few keys.
TEST_CASE("histogram_aggregated: one atomic operation for each distinct key, at any size",
          "[histogram_aggregated][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(blocks_also_from_code({32, 96, 1024}, false));
  const unsigned n = GENERATE_COPY(some_awkward_sizes(block));
  const unsigned bins = GENERATE(1u, 3u);
  const auto keys = random_keys(n, bins, words_apart), start = bins_apart(bins);
  const auto [run, histogram] = counted(device, launch_histogram, histogram_aggregated, keys, start,
                                        walking_blocks(n, block, 1 + n % 4));
  CHECK_THAT(run, HasNoExchangesInCode(Exchanges::tries));
  CHECK_THAT(run, LoadsEachElementOnce(n, "keys"));
  const Launch& launch = run.launch;
  const double rounds = ceil_div(n, 32) + 4;
  CHECK_THAT(atomics(launch), AtMost(rounds * bins, "atomic operations for " + bins_text(bins),
                                     "one for each distinct key among the 32 of a round"));
  CHECK_THAT(
      launch.count(&Counters::shared_atomic_requests),
      AtMost(0, "shared atomic requests", "counting in shared memory is the technique of histogram_private"));
  CHECK_THAT(histogram, CountsTheKeys(keys, start));
}

// --- histogram_private ---

TEST_CASE("histogram_private: as many bins as fit into shared memory", "[histogram_private][result]") {
  Device& device = GENERATE(devices());
  const auto keys = random_keys(50'001, 12'288), start = start_of(12'288);
  const auto histogram = launch_private(device, keys, start, {.grid = 3, .block = 1024}).out;
  INFO("12288 bins");
  CHECK_THAT(histogram, CountsTheKeys(keys, start));
}

// One block counts more of a key than 16 or 20 bits hold, and adds that at once.
TEST_CASE("histogram_private: a million keys of one bin", "[histogram_private][technique]") {
  SimulatedDevice& device = simulated();
  const std::vector<unsigned> keys((1u << 20) + 5), start = bins_apart(1);
  const auto [launch, histogram] = launch_private(device, keys, start, {.grid = 1, .block = 1024});
  CHECK_THAT(atomics(launch),
             AtMost(1, "atomic operations", "each block adds each bin to the histogram once"));
  CHECK_THAT(histogram, CountsTheKeys(keys, start));
}

TEST_CASE("histogram_private: counted in shared memory, four keys per load",
          "[histogram_private][technique]") {
  SimulatedDevice& device = simulated();
  constexpr unsigned n = 1u << 16, blocks = 4, bins = 8, words = bins * words_apart;
  const auto keys = random_keys(n, bins, words_apart), start = bins_apart(bins);
  const auto [run, histogram] =
      counted(device, launch_private, keys, start, LaunchShape{.grid = blocks, .block = 256});
  CHECK_THAT(run.launch.count(&Counters::global_load_requests),
             AtMost(n / 128.0, "global load requests", "32 lanes load four keys each at once"));
  // One lane per bin and block, 32 lanes per request.
  CHECK_THAT(run.launch.count(&Counters::global_atomic_requests),
             AtMost(blocks * words / 32.0, "atomic requests on global memory",
                    "each block adds each bin to the histogram once, 32 at a time"));
  check_loads(run, n);
  CHECK_THAT(histogram, CountsTheKeys(keys, start));
}

// 32 neighbouring bins are 4 sectors, or 5 where a request does not begin with one.
TEST_CASE("histogram_private: 32 bins per request", "[histogram_private][technique]") {
  const unsigned bins = GENERATE(33u, 1000u, 3000u, 12'288u);
  const unsigned block = bins == 33 ? 32 : bins == 1000 ? 96 : bins == 3000 ? 256 : 1024;
  const auto keys = GENERATE_COPY(random_keys(8 * bins, bins), random_keys(bins - 1, 1));
  const auto start = start_of(bins);
  const auto [run, histogram] =
      counted(simulated(), launch_private, keys, start, LaunchShape{.grid = 2, .block = block});
  const Launch& launch = run.launch;
  CHECK_THAT(run, LoadsEachElementOnce(static_cast<unsigned>(keys.size()), "keys"));
  const double requests = ceil_div(bins, 32);
  INFO(bins_text(bins));
  CHECK_THAT(launch.count(&Counters::global_atomic_requests).per_block(),
             AtMost(requests + 1, "atomic requests on global memory per block", "32 bins at a time"));
  CHECK_THAT(launch.count(&Counters::global_atomic_sectors).per_block(),
             AtMost(5 * requests + 1, "atomic sectors on global memory per block",
                    "32 neighbouring bins are 4 or 5 sectors of 32 bytes"));
  CHECK_THAT(histogram, CountsTheKeys(keys, start));
}

// --- What the chapter shows of these kernels ---

namespace {

// The launches that are counted, drawn and, on a GPU, timed: these keep adding, and are not compared.

constexpr unsigned shown_bins = 4;
template <const auto& kernel>
Launch show_histogram(Device& device, unsigned n) {
  const auto keys = random_keys(n, shown_bins, words_apart), start = bins_apart(shown_bins);
  auto [launch, histogram] =
      launch_histogram(device, kernel, keys, start, walking_grid(device, n, device.block_or(256)));
  if (!launch.is_timed()) require(histogram, CountsTheKeys(keys, start));
  return std::move(launch);
}
Launch show_private(Device& device, unsigned n) {
  const auto keys = random_keys(n, shown_bins, words_apart), start = bins_apart(shown_bins);
  auto [launch, histogram] = launch_private(device, keys, start, walking_grid(device, n, 512));
  if (!launch.is_timed()) require(histogram, CountsTheKeys(keys, start));
  return std::move(launch);
}
const RegisterKernels histogram_kernels({
    {.kernel = histogram_plain,
     .technique = "one atomic per key",
     .task = "given: count keys, one atomic operation each",
     .run = show_histogram<histogram_plain>,
     .is_exercise = false,
     .show = show_atomics},
    {.kernel = histogram_aggregated,
     .technique = "one atomic per distinct key",
     .task = "count keys, one atomic operation per warp and bin",
     .run = show_histogram<histogram_aggregated>,
     .show = show_atomics},
    {.kernel = histogram_private,
     .technique = "counted in shared memory",
     .task = "count keys in shared memory, four keys per load",
     .run = show_private,
     .show = show_atomics},
});

}  // namespace
