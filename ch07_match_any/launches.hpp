#pragma once
/// \file How the kernels of chapter 7 are launched.

#include "ch07_match_any/combinations.hpp"
#include "ch07_match_any/kernels.hpp"
#include "common/harness/in_out.hpp"
#include "common/harness/shapes.hpp"

namespace warpwise::ch07 {

using MatchKernel = harness::Kernel<void(const unsigned long long*, const unsigned*, unsigned*)>;
using HistogramKernel = harness::InOutKernel<unsigned>;

/// As many threads as there are keys, in blocks of `block`: the number of warps must be a multiple of the
/// warps a block.
inline harness::LaunchShape shape_of(const Combinations& all, unsigned block) {
  return {.grid = all.warps() / (block / 32), .block = block};
}

/// A counter in every sector of 32 bytes: then the sectors of the atomic operations are the operations
/// themselves, lane by lane. (Lanes with the same address go one after the other, and each pass touches its
/// sector.)
constexpr unsigned words_apart = 8;

/// What atomic_aggregate_increment gets: counters `words_apart` apart.
struct Increments {
  std::vector<unsigned> which;     ///< for each thread, the index of its counter
  std::vector<unsigned> active;    ///< one mask a warp
  std::vector<unsigned> counters;  ///< before the launch; one of them is about to wrap around
};

/// Threads with the same key in a warp share a counter, and so do many of other warps.
inline Increments increments_for(const Combinations& all) {
  constexpr unsigned count = 61;
  Increments increments{.which = {}, .active = all.active, .counters = {}};
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

/// Random elements of which about one in `one_in` is not 0; a few of those have one bit, or all.
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

inline harness::Launch run_match(harness::Device& device, const MatchKernel& kernel, const Combinations& all,
                                 unsigned block) {
  const auto keys = device.upload("keys", all.keys);
  const auto active = device.upload("active", all.active);
  const auto peers = device.zeroed<unsigned>("peers", all.keys.size());
  return device.launch(kernel, shape_of(all, block), keys, active, peers);
}

inline harness::Launch run_increment(harness::Device& device, const Combinations& all, unsigned block) {
  const Increments increments = increments_for(all);
  const auto which = device.upload("which", increments.which);
  const auto active = device.upload("active", increments.active);
  const auto counters = device.upload("counters", increments.counters);
  const auto tickets = device.poisoned<unsigned>("tickets", increments.which.size());
  return device.launch(atomic_aggregate_increment, shape_of(all, block), which, active, counters, tickets);
}

/// Keys in `bins` bins, each in a sector of its own.
inline harness::Launch run_histogram(harness::Device& device, const HistogramKernel& kernel, unsigned n,
                                     unsigned bins, const harness::LaunchShape& shape) {
  const auto keys = device.upload("keys", random_keys(n, bins, words_apart));
  const auto histogram = device.zeroed<unsigned>("histogram", std::size_t{bins} * words_apart);
  return device.launch(kernel, shape, keys, histogram, n);
}

/// As run_histogram with histogram_private; `shape` without its shared memory.
inline harness::Launch run_histogram_private(harness::Device& device, unsigned n, unsigned bins,
                                             harness::LaunchShape shape) {
  const unsigned words = bins * words_apart;
  shape.shared_bytes = words * sizeof(unsigned);
  const auto keys = device.upload("keys", random_keys(n, bins, words_apart));
  const auto histogram = device.zeroed<unsigned>("histogram", words);
  return device.launch(histogram_private, shape, keys, histogram, n, words);
}

/// About one element in `one_in` is kept. `launches`: for how many there is room in `out`, because on a GPU a
/// launch is repeated and timed, and the count goes on where the launch before has left it.
inline harness::Launch run_compaction(harness::Device& device, unsigned n, unsigned one_in,
                                      const harness::LaunchShape& shape, unsigned launches = 1) {
  const auto in = device.upload("in", sparse_elements(n, one_in));
  const auto out = device.poisoned<unsigned>("out", std::size_t{n} * launches);
  const auto count = device.zeroed<unsigned>("count", 1);
  return device.launch(compact_by_tickets, shape, in, out, count, n);
}

}  // namespace warpwise::ch07
