/// \file What chapter 7 asks at the largest n: of the grid some blocks run alone (any_size.hpp).

#include <algorithm>
#include <map>
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

/// Counters that lie far apart: the first, 2^0 … 2^30, and one that is the same float as 2^24. The addresses
/// of the first and the last have the same lower 32 bits.
constexpr unsigned far_counters = 33;
unsigned far_counter(unsigned draw) {
  return draw == 0 ? 0 : draw == far_counters - 1 ? (1u << 24) + 1 : 1u << (draw - 1);
}
std::function<unsigned(std::size_t)> far_values() {
  return
      [few = numbers_by_index<unsigned>(0, far_counters - 1)](std::size_t i) { return far_counter(few(i)); };
}
/// All of them start at 100.
Buffer<unsigned> far_buffer(SimulatedDevice& device, const std::string& name) {
  auto buffer = device.reserved<unsigned>(name, largest_n + 1);
  for (unsigned c = 0; c < far_counters; ++c) buffer.upload(std::vector{100u}, far_counter(c));
  return buffer;
}

/// What was there before.
template <class T>
void leave_untouched(const SomeBlocks& some, Buffer<T>& out) {
  for (const std::uint64_t b : some.numbers()) out.upload(std::vector<T>(block, untouched), b * block);
}

void check_peers(const MatchKernel& kernel) {
  SimulatedDevice& device = simulated_at_any_size();
  const SomeBlocks some(device, grid, numbers_in_code());
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
void check_far_histogram(const Kernel<void(const unsigned*, unsigned*, unsigned)>& kernel) {
  SimulatedDevice& device = simulated_at_any_size();
  const LaunchShape shape{.grid = few_blocks, .block = block, .n = largest_n};
  const SomeBlocks some(device, shape.grid.x, numbers_in_code());
  const LargeInput<unsigned> keys(device, "keys", largest_n, far_values());
  const auto histogram = far_buffer(device, "histogram");
  const Taken taken =
      taken_of(device, "keys", [&] { device.launch(kernel, shape, keys, histogram, largest_n); });
  const std::vector<unsigned> all = all_of(keys, taken);
  for (unsigned c = 0; c < far_counters; ++c) {
    const unsigned key = far_counter(c);
    CHECK_THAT(histogram,
               Holds(100u + static_cast<unsigned>(std::count(all.begin(), all.end(), key))).at(key));
  }
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
  const SomeBlocks some(device, grid, numbers_in_code());
  const LargeInput<unsigned> which(device, "which", largest_n, far_values());
  const LargeInput<unsigned> active(device, "active", largest_n / 32, mask_of);
  const auto counters = far_buffer(device, "counters");
  auto tickets = device.reserved<unsigned>("tickets", largest_n);
  leave_untouched(some, tickets);
  device.launch(atomic_aggregate_increment, {.grid = grid, .block = block}, which, active, counters, tickets);
  std::map<unsigned, std::vector<unsigned>> drawn;  // tickets, by counter
  for (const std::uint64_t b : some.numbers()) {
    const auto found = tickets.download(b * block, block);
    for (unsigned t = 0; t < block; ++t) {
      const std::size_t i = b * block + t;
      if (!takes_part(i)) {
        REQUIRE(found[t] == untouched);
        continue;
      }
      drawn[which[i]].push_back(found[t]);
    }
  }
  for (auto& [counter, tickets_of_it] : drawn) {
    CHECK_THAT(counters, Holds(100u + static_cast<unsigned>(tickets_of_it.size())).at(counter));
    std::sort(tickets_of_it.begin(), tickets_of_it.end());
    for (unsigned k = 0; k < tickets_of_it.size(); ++k)
      REQUIRE(tickets_of_it[k] == 100 + k);  // dense, unique
  }
}

TEST_CASE("histogram_plain: the largest n", "[histogram_plain][result]") {
  check_far_histogram(histogram_plain);
}
TEST_CASE("histogram_aggregated: the largest n", "[histogram_aggregated][result]") {
  check_far_histogram(histogram_aggregated);
}
TEST_CASE("histogram_private: the largest n", "[histogram_private][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const LaunchShape shape{
      .grid = few_blocks, .block = block, .shared_bytes = 8 * sizeof(unsigned), .n = largest_n};
  const SomeBlocks some(device, shape.grid.x, numbers_in_code());
  const std::vector<unsigned> start(8, 100);
  const LargeInput<unsigned> keys(device, "keys", largest_n, few_values<unsigned>());
  const auto histogram = device.upload("histogram", start);
  const Taken taken = taken_of(
      device, "keys", [&] { device.launch(histogram_private, shape, keys, histogram, largest_n, 8u); });
  CHECK_THAT(histogram, Holds(histogram_of(all_of(keys, taken), start)));
  CHECK_THAT(taken, DividesElements(largest_n));
}

TEST_CASE("compact_by_tickets: the largest n", "[compact_by_tickets][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const SomeBlocks some(device, few_blocks, numbers_in_code());
  const LargeInput<unsigned> in(device, "in", largest_n, few_values<unsigned>());
  const auto out = device.reserved<unsigned>("out", largest_n);
  constexpr unsigned drawn = (1u << 29) + 1;  // by the blocks that do not run
  const auto count = device.upload("count", std::vector<unsigned>{drawn});
  const Taken taken = taken_of(device, "in", [&] {
    device.launch(compact_by_tickets, {.grid = few_blocks, .block = block, .n = largest_n}, in, out, count,
                  largest_n);
  });
  auto kept = kept_of(all_of(in, taken));
  CHECK_THAT(count, Holds(drawn + static_cast<unsigned>(kept.size())));
  auto found = out.download(drawn, kept.size());
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
