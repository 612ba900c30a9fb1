#pragma once
/// \file How the kernels of chapter 7 are launched.

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "ch07_match_any/checks/combinations.hpp"
#include "ch07_match_any/kernels.hpp"
#include "common/harness/check/expectations.hpp"
#include "common/harness/device/device.hpp"

namespace warpwise::ch07 {

using MatchKernel = harness::Kernel<void(const unsigned long long*, const unsigned*, unsigned*)>;

/// As many threads as there are keys, in blocks of `block`. The number of warps must be a multiple of the
/// warps per block.
inline harness::LaunchShape shape_of(const Combinations& all, unsigned block) {
  return {.grid = all.warps() / (block / 32), .block = block};
}

/// One counter in every sector of 32 bytes, so that the sectors of the atomic operations are the operations
/// themselves, lane by lane. (Lanes with the same address go one after the other, and each pass touches its
/// sector.)
constexpr unsigned words_apart = 8;

/// What atomic_aggregate_increment counts for threads with some combinations: the counters are `words_apart`
/// apart.
struct Increments {
  std::vector<unsigned> which;     ///< for each thread, the index of its counter
  std::vector<unsigned> counters;  ///< before the launch; one of them is about to wrap around
};

/// Threads with the same key in a warp share a counter, also with many threads of other warps.
inline Increments increments_for(const Combinations& all) {
  constexpr unsigned count = 61;
  Increments increments;
  for (const unsigned long long key : all.keys)
    increments.which.push_back(static_cast<unsigned>((key ^ key >> 32) % count) * words_apart);
  for (unsigned c = 0; c < count * words_apart; ++c) increments.counters.push_back(100 * c - 5);
  return increments;
}

/// n keys below `bins` * apart, all multiples of `apart`.
inline std::vector<unsigned> random_keys(unsigned n, unsigned bins, unsigned apart = 1) {
  std::vector<unsigned> keys = harness::random_words(n, harness::seed_of(n, bins));
  for (unsigned& key : keys) key = key % bins * apart;
  return keys;
}

/// Random elements, about one in `one_in` of them not 0. A few of those have only one bit set, or all.
inline std::vector<unsigned> sparse_elements(unsigned n, unsigned one_in) {
  std::vector<unsigned> values = harness::random_words(n, harness::seed_of(n, one_in));
  for (unsigned& value : values) {
    const unsigned draw = value >> 8;
    if (value % one_in != 0)
      value = 0;
    else if (draw % 4 == 0)
      value = 1u << draw / 4 % 32;
    else if (draw % 16 == 1 || value == 0)
      value = ~0u;
  }
  return values;
}

inline std::vector<unsigned> histogram_of(const std::vector<unsigned>& keys, std::vector<unsigned> start) {
  for (const unsigned key : keys) ++start[key];
  return start;
}

/// The value that a thread that takes no part must leave as it is: neither a mask of its warp nor 0.
constexpr unsigned untouched = 0xdeadbeefu;

/// The counters after the launch.
inline std::vector<unsigned> incremented(const Increments& increments, const Combinations& all) {
  std::vector<unsigned> counters = increments.counters;
  for (unsigned i = 0; i < increments.which.size(); ++i)
    if (all.takes_part(i)) ++counters[increments.which[i]];
  return counters;
}

/// The tickets of each counter are unique and dense, and a thread that takes no part has none.
inline void expect_tickets(const harness::Buffer<unsigned>& tickets, const Increments& increments,
                           const Combinations& all, const std::string& where) {
  const std::vector<unsigned> drawn = tickets.download();
  std::vector<std::vector<unsigned>> times(increments.counters.size());  // that ticket start + k was given
  for (unsigned i = 0; i < drawn.size(); ++i)
    if (all.takes_part(i)) times[increments.which[i]].push_back(0);
  for (unsigned i = 0; i < drawn.size(); ++i) {
    const unsigned counter = increments.which[i];
    const unsigned start = increments.counters[counter], k = drawn[i] - start;
    const std::size_t count = times[counter].size();
    std::string wrong;
    if (!all.takes_part(i)) {
      if (drawn[i] != untouched) wrong = "was written, but thread " + std::to_string(i) + " takes no part";
    } else if (k >= count) {
      wrong = "is " + std::to_string(drawn[i]) + ", but the " + std::to_string(count) +
              " tickets of counters[" + std::to_string(counter) + "] start at " + std::to_string(start) +
              " and are dense";
    } else if (times[counter][k]++ != 0) {
      wrong = "is " + std::to_string(drawn[i]) + ", which another thread has drawn from counters[" +
              std::to_string(counter) + "] too";
    }
    if (!wrong.empty()) harness::expect_that(false, where + "tickets[" + std::to_string(i) + "] " + wrong);
  }
}

/// `out`, in which every element was `untouched`, holds the elements of `values` that are not 0, in any
/// order, and nothing after them; `count` is their number.
inline void expect_kept(const std::vector<unsigned>& values, const harness::Buffer<unsigned>& out,
                        const harness::Buffer<unsigned>& count, const harness::Case& at) {
  using harness::expect_that;
  std::vector<unsigned> kept;
  std::copy_if(values.begin(), values.end(), std::back_inserter(kept), [](unsigned v) { return v != 0; });
  harness::expect_equal(count, static_cast<unsigned>(kept.size()), at);
  std::vector<unsigned> found = out.download();
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(kept.size());
  const std::string where = spelled(at);
  const auto hole = std::find(found.begin(), end, untouched);
  expect_that(hole == end, where + ": out[" + std::to_string(hole - found.begin()) +
                               "] was not written: the tickets are not dense, or two elements drew the same");
  expect_that(std::all_of(end, found.end(), [](unsigned v) { return v == untouched; }),
              where + ": something was written after the " + std::to_string(kept.size()) + " kept elements");
  std::sort(found.begin(), end);
  std::sort(kept.begin(), kept.end());
  expect_that(std::equal(kept.begin(), kept.end(), found.begin()),
              where + ": `out` does not hold the elements of `in` that are not 0, each as often as `in`");
}

// These functions launch and compare, so that no launch is counted or searched for findings that is wrong;
// unless the launch is timed, which is repeated and keeps adding.

inline harness::Launch run_match(harness::Device& device, const MatchKernel& kernel, const Combinations& all,
                                 unsigned block, const std::string& note = {}) {
  const auto keys = device.upload("keys", all.keys);
  const auto active = device.upload("active", all.active);
  const auto peers = device.upload("peers", std::vector<unsigned>(all.keys.size(), untouched));
  harness::Launch launch = device.launch(kernel, shape_of(all, block), keys, active, peers);
  if (launch.is_timed()) return launch;
  const harness::Case where{.block = block, .note = note};
  const std::vector<unsigned> found = peers.download();
  for (unsigned i = 0; i < found.size(); ++i) {
    if (all.takes_part(i) || found[i] == untouched) continue;
    const std::string thread = std::to_string(i);
    harness::expect_that(false, where,
                         "peers[" + thread + "] was written, but thread " + thread + " takes no part");
  }
  harness::expect_equal(peers, expected_peers(all, untouched), where);
  return launch;
}

inline harness::Launch run_increment(harness::Device& device, const Combinations& all, unsigned block,
                                     const std::string& note = {}) {
  const Increments increments = increments_for(all);
  const auto which = device.upload("which", increments.which);
  const auto active = device.upload("active", all.active);
  const auto counters = device.upload("counters", increments.counters);
  const auto tickets = device.upload("tickets", std::vector<unsigned>(increments.which.size(), untouched));
  harness::Launch launch =
      device.launch(atomic_aggregate_increment, shape_of(all, block), which, active, counters, tickets);
  if (!launch.is_timed()) {
    const harness::Case where{.block = block, .note = note};
    harness::expect_equal(counters, incremented(increments, all), where);
    expect_tickets(tickets, increments, all, spelled(where) + ": ");
  }
  return launch;
}

/// How a histogram's kernel is launched; `shape` without its shared memory.
using HistogramLaunch = harness::Launch (*)(harness::Device& device, harness::LaunchShape shape,
                                            const harness::Buffer<unsigned>& keys,
                                            const harness::Buffer<unsigned>& histogram, unsigned n,
                                            unsigned bins);
template <const auto& kernel>
harness::Launch global_histogram(harness::Device& device, harness::LaunchShape shape,
                                 const harness::Buffer<unsigned>& keys,
                                 const harness::Buffer<unsigned>& histogram, unsigned n, unsigned) {
  return device.launch(kernel, shape, keys, histogram, n);
}
inline harness::Launch private_histogram(harness::Device& device, harness::LaunchShape shape,
                                         const harness::Buffer<unsigned>& keys,
                                         const harness::Buffer<unsigned>& histogram, unsigned n,
                                         unsigned bins) {
  shape.shared_bytes = bins * sizeof(unsigned);
  return device.launch(histogram_private, shape, keys, histogram, n, bins);
}

/// Keys in `bins` bins, each bin in a sector of its own.
inline harness::Launch run_histogram(harness::Device& device, HistogramLaunch count, unsigned n,
                                     unsigned bins, const harness::LaunchShape& shape) {
  const unsigned words = bins * words_apart;
  const std::vector<unsigned> values = random_keys(n, bins, words_apart);
  const auto keys = device.upload("keys", values);
  const auto histogram = device.zeroed<unsigned>("histogram", words);
  harness::Launch launch = count(device, shape, keys, histogram, n, words);
  if (!launch.is_timed())
    harness::expect_equal(histogram, histogram_of(values, std::vector<unsigned>(words)), case_of(n, shape));
  return launch;
}

/// About one element in `one_in` is kept. `out` has room for `launches` launches, because on a GPU a launch
/// is repeated and timed, and each continues the count of the one before.
inline harness::Launch run_compaction(harness::Device& device, unsigned n, unsigned one_in,
                                      const harness::LaunchShape& shape, unsigned launches = 1,
                                      const std::string& note = {}) {
  const std::vector<unsigned> values = sparse_elements(n, one_in);
  const auto in = device.upload("in", values);
  const auto out = device.upload("out", std::vector<unsigned>(std::size_t{n} * launches, untouched));
  const auto count = device.zeroed<unsigned>("count", 1);
  harness::Launch launch = device.launch(compact_by_tickets, shape, in, out, count, n);
  if (!launch.is_timed()) expect_kept(values, out, count, case_of(n, shape, note));
  return launch;
}

}  // namespace warpwise::ch07
