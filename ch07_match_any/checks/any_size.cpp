/// \file What chapter 7 asks at the largest n: of the grid some blocks run alone (any_size.hpp).

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "ch07_match_any/checks/launches.hpp"
#include "ch07_match_any/kernels.hpp"
#include "common/harness/check/any_size.hpp"
#include "common/harness/check/cases.hpp"

namespace warpwise::ch07::largest {

using namespace harness;

namespace {

constexpr unsigned block = 256, grid = largest_n / block;

/// The words that say which lanes take part: about half of each warp.
unsigned mask_of(std::size_t warp) { return static_cast<unsigned>(seed_of(run_seed(), warp)); }
bool takes_part(std::size_t thread) { return (mask_of(thread / 32) >> thread % 32 & 1) != 0; }
/// Lanes share them.
template <class T>
std::function<T(std::size_t)> few_values() {
  return numbers_by_index<T>(0, 7);
}

/// What was there before.
template <class T>
void leave_untouched(const SomeBlocks& some, Buffer<T>& out) {
  for (const std::uint64_t b : some.numbers()) out.upload(std::vector<T>(block, untouched), b * block);
}

void check_peers(const MatchKernel& kernel) {
  SimulatedDevice& device = simulated_at_any_size();
  const SomeBlocks some(device, grid);
  const LargeInput<unsigned long long> keys(device, "keys", largest_n, few_values<unsigned long long>());
  const LargeInput<unsigned> active(device, "active", largest_n / 32, mask_of);
  auto peers = device.reserved<unsigned>("peers", largest_n);
  leave_untouched(some, peers);
  device.launch(kernel, {.grid = grid, .block = block}, keys, active, peers);
  CHECK_THAT(
      peers, HoldsOfBlocks(some, largest_n, block, [&](std::uint64_t b) {
        const Combinations of_block{keys.part(b * block, block), active.part(b * block / 32, block / 32)};
        return expected_peers(of_block, untouched);
      }));
}

constexpr unsigned few_blocks = grid / 4;  // four elements for each thread

/// What all blocks have taken.
std::vector<unsigned> all_of(const LargeInput<unsigned>& in, const Taken& taken) {
  std::vector<unsigned> all;
  for (const auto& [b, elements] : taken.all())
    for (const std::size_t i : elements) all.push_back(in[i]);
  return all;
}

/// histogram[k] grows by the number of keys k that the blocks have taken.
template <class... More>
void check_histogram(const Kernel<void(const unsigned*, unsigned*, unsigned, More...)>& kernel,
                     LaunchShape shape, More... more) {
  SimulatedDevice& device = simulated_at_any_size();
  const SomeBlocks some(device, shape.grid.x);
  const std::vector<unsigned> start(8, 100);
  const LargeInput<unsigned> keys(device, "keys", largest_n, few_values<unsigned>());
  const auto histogram = device.upload("histogram", start);
  const Taken taken =
      taken_of(device, "keys", [&] { device.launch(kernel, shape, keys, histogram, largest_n, more...); });
  CHECK_THAT(histogram, Holds(histogram_of(all_of(keys, taken), start)));
  CHECK_THAT(taken, DividesElements(largest_n));
}

}  // namespace

TEST_CASE("match_any_intrinsic: the largest grid", "[match_any_intrinsic][result]") {
  check_peers(match_any_intrinsic);
}
TEST_CASE("match_any_by_broadcast: the largest grid", "[match_any_by_broadcast][result]") {
  check_peers(match_any_by_broadcast);
}
TEST_CASE("match_any_skip_inactive: the largest grid", "[match_any_skip_inactive][result]") {
  check_peers(match_any_skip_inactive);
}
TEST_CASE("match_any_by_leaders: the largest grid", "[match_any_by_leaders][result]") {
  check_peers(match_any_by_leaders);
}

TEST_CASE("atomic_aggregate_increment: the largest grid", "[atomic_aggregate_increment][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const SomeBlocks some(device, grid);
  const std::vector<unsigned> start(8, 100);
  const LargeInput<unsigned> which(device, "which", largest_n, few_values<unsigned>());
  const LargeInput<unsigned> active(device, "active", largest_n / 32, mask_of);
  const auto counters = device.upload("counters", start);
  auto tickets = device.reserved<unsigned>("tickets", largest_n);
  leave_untouched(some, tickets);
  device.launch(atomic_aggregate_increment, {.grid = grid, .block = block}, which, active, counters, tickets);
  std::vector<unsigned> after = start;
  std::vector<std::set<unsigned>> drawn(start.size());  // tickets, by counter
  for (const std::uint64_t b : some.numbers()) {
    const auto found = tickets.download(b * block, block);
    for (unsigned t = 0; t < block; ++t) {
      const std::size_t i = b * block + t;
      if (!takes_part(i)) {
        REQUIRE(found[t] == untouched);
        continue;
      }
      ++after[which[i]];
      drawn[which[i]].insert(found[t]);
    }
  }
  CHECK_THAT(counters, Holds(after));
  for (unsigned c = 0; c < start.size(); ++c) {  // dense and unique
    CHECK(drawn[c].size() == after[c] - start[c]);
    CHECK((drawn[c].empty() || (*drawn[c].begin() == start[c] && *drawn[c].rbegin() == after[c] - 1)));
  }
}

TEST_CASE("histogram_plain: the largest n", "[histogram_plain][result]") {
  check_histogram(histogram_plain, {.grid = few_blocks, .block = block, .n = largest_n});
}
TEST_CASE("histogram_aggregated: the largest n", "[histogram_aggregated][result]") {
  check_histogram(histogram_aggregated, {.grid = few_blocks, .block = block, .n = largest_n});
}
TEST_CASE("histogram_private: the largest n", "[histogram_private][result]") {
  check_histogram(histogram_private,
                  {.grid = few_blocks, .block = block, .shared_bytes = 8 * sizeof(unsigned), .n = largest_n},
                  8u);
}

TEST_CASE("compact_by_tickets: the largest n", "[compact_by_tickets][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const SomeBlocks some(device, few_blocks);
  const LargeInput<unsigned> in(device, "in", largest_n, few_values<unsigned>());
  const auto out = device.reserved<unsigned>("out", largest_n);
  const auto count = device.zeroed<unsigned>("count", 1);
  const Taken taken = taken_of(device, "in", [&] {
    device.launch(compact_by_tickets, {.grid = few_blocks, .block = block, .n = largest_n}, in, out, count,
                  largest_n);
  });
  auto kept = kept_of(all_of(in, taken));
  CHECK_THAT(count, Holds(static_cast<unsigned>(kept.size())));
  auto found = out.download(0, kept.size());
  std::sort(kept.begin(), kept.end());
  std::sort(found.begin(), found.end());
  CHECK_THAT(found, Requirement<std::vector<unsigned>>("is what is kept", [&](const auto& sorted) {
               if (sorted != kept)
                 fail("`out` does not hold the elements that are not 0, each once",
                      {.where = spelled(Case{.n = largest_n})});
             }));
  CHECK_THAT(taken, DividesElements(largest_n));
}

}  // namespace warpwise::ch07::largest
