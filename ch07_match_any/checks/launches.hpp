#pragma once
/// \file How the kernels of chapter 7 are launched, and what they must give, told once.

#include <algorithm>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include "ch07_match_any/checks/combinations.hpp"
#include "ch07_match_any/kernels.hpp"
#include "common/harness/check/matchers.hpp"

namespace warpwise::ch07 {

using namespace harness;

using MatchKernel = Kernel<void(const unsigned long long*, const unsigned*, unsigned*)>;
using HistogramKernel = Kernel<void(const unsigned*, unsigned*, unsigned)>;

/// As many threads as there are keys, in blocks of `block`. The number of warps must be a multiple of the
/// warps per block.
inline LaunchShape shape_of(const Combinations& all, unsigned block) {
  return {.grid = all.warps() / (block / 32), .block = block};
}

/// One counter in every sector of 32 bytes, so that the sectors of the atomic operations are the operations
/// themselves, lane by lane. (Lanes with the same address go one after the other, and each pass touches its
/// sector.)
constexpr unsigned words_apart = 8;
constexpr unsigned counter_count = 61;

/// What atomic_aggregate_increment counts for threads with some combinations: the counters are `words_apart`
/// apart, or neighbours.
struct Increments {
  std::vector<unsigned> which;     ///< for each thread, the index of its counter
  std::vector<unsigned> counters;  ///< before the launch; many are about to wrap around, some hold 0
};
inline unsigned apart_of(const Combinations& all) { return all.have_neighbours ? 1 : words_apart; }

/// Threads with the same key in a warp share a counter, also with many threads of other warps.
inline Increments increments_for(const Combinations& all) {
  Increments increments;
  for (const unsigned long long key : all.keys)
    increments.which.push_back(static_cast<unsigned>((key ^ key >> 32) % counter_count) * apart_of(all));
  for (unsigned c = 0; c < counter_count * apart_of(all); ++c)
    increments.counters.push_back(c / apart_of(all) % 2 == 0   ? -5 - c
                                  : c / apart_of(all) % 4 == 1 ? 0
                                                               : 100 * c);
  return increments;
}

/// n keys below `bins` * apart, all multiples of `apart`.
inline std::vector<unsigned> random_keys(unsigned n, unsigned bins, unsigned apart = 1) {
  std::vector<unsigned> keys = random_words(n, seed_of(n, bins));
  for (unsigned& key : keys) key = key % bins * apart;
  return keys;
}

/// Random elements, about one in `one_in` of them not 0. A few of those have only one bit set, or all.
inline std::vector<unsigned> sparse_elements(unsigned n, unsigned one_in) {
  std::vector<unsigned> values = random_words(n, seed_of(n, one_in));
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

/// The elements that are not 0.
inline std::vector<unsigned> kept_of(const std::vector<unsigned>& values) {
  std::vector<unsigned> kept;
  std::copy_if(values.begin(), values.end(), std::back_inserter(kept), [](unsigned v) { return v != 0; });
  return kept;
}

// --- What the kernels must give
// -----------------------------------------------------------------------------

/// The size of a launch on combinations, for sentences.
inline Case block_of(const Buffer<unsigned>& out) { return {.block = out.memory().latest_shape()->block.x}; }

inline void require_peers(const Buffer<unsigned>& peers, const Combinations& all, unsigned before) {
  const std::vector<unsigned> found = peers.download();
  for (unsigned i = 0; i < found.size(); ++i) {
    if (all.takes_part(i) || found[i] == before) continue;
    const std::string thread = std::to_string(i);
    fail("peers[" + thread + "] was written, but thread " + thread + " takes no part",
         {.where = spelled(block_of(peers))});
  }
  require(peers, Holds(expected_peers(all, before)).as_masks().where(block_of(peers)));
}
inline void require_tickets(const Buffer<unsigned>& tickets, const Increments& increments,
                            const Combinations& all) {
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
      if (tickets.is_written(i) && drawn[i] != untouched)
        wrong = "was written, but thread " + std::to_string(i) + " takes no part";
    } else if (k >= count) {
      wrong = "is " + std::to_string(drawn[i]) + ", but the " + std::to_string(count) +
              " tickets of counters[" + std::to_string(counter) + "] start at " + std::to_string(start) +
              " and are dense";
    } else if (times[counter][k]++ != 0) {
      wrong = "is " + std::to_string(drawn[i]) + ", which another thread has drawn from counters[" +
              std::to_string(counter) + "] too";
    }
    if (!wrong.empty())
      fail("tickets[" + std::to_string(i) + "] " + wrong, {.where = spelled(block_of(tickets))});
  }
}

inline void require_kept(const Buffer<unsigned>& out, const std::vector<unsigned>& values) {
  const auto require_that = [&](bool holds, const std::string& sentence) {
    if (!holds) fail(sentence, {.where = spelled(case_of(out.memory(), values.size(), 0))});
  };
  std::vector<unsigned> kept = kept_of(values), found = out.download();
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(kept.size());
  const auto hole = std::find(found.begin(), end, untouched);
  require_that(hole == end,
               "out[" + std::to_string(hole - found.begin()) +
                   "] was not written: the tickets are not dense, or two elements drew the same");
  require_that(std::all_of(end, found.end(), [](unsigned v) { return v == untouched; }),
               "something was written after the " + std::to_string(kept.size()) + " kept elements");
  std::sort(found.begin(), end);
  std::sort(kept.begin(), kept.end());
  require_that(std::equal(kept.begin(), kept.end(), found.begin()),
               "`out` does not hold the elements of `in` that are not 0, each as often as `in`");
}

/// What __match_any_sync gives each thread that takes part; the others have left what was there.
inline Requirement<Buffer<unsigned>> NamesThePeers(const Combinations& all, unsigned before = untouched) {
  return {"names the lanes with the same key", [=](const Buffer<unsigned>& peers) {
            ask_with_other_values<unsigned long long>(peers.memory(), {all.keys, "keys"},
                                                      [&](const auto& keys) {
                                                        require_peers(peers, {keys, all.active}, before);
                                                      });
          }};
}
/// Each counter has grown by the number of threads that it belongs to.
inline Requirement<Buffer<unsigned>> CountsTheThreads(const Combinations& all) {
  return {"counts the threads", [=](const Buffer<unsigned>& counters) {
            require(counters, Holds(incremented(increments_for(all), all)).where(block_of(counters)));
          }};
}
/// The tickets of each counter are unique and dense, and a thread that takes no part has none.
inline Requirement<Buffer<unsigned>> AreTicketsOf(const Combinations& all) {
  return {"are the tickets of the counters", [=](const Buffer<unsigned>& tickets) {
            const Increments own = increments_for(all);
            const auto counter_of = [&](unsigned any) { return any % counter_count * apart_of(all); };
            ask_with_other_values<unsigned>(tickets.memory(), {own.which, "which", {}, counter_of},
                                            [&](const auto& which) {
                                              require_tickets(tickets, {which, own.counters}, all);
                                            });
          }};
}
/// Every bin has grown from what it was at the start by the number of keys that equal its index.
inline Requirement<Buffer<unsigned>> CountsTheKeys(const std::vector<unsigned>& keys,
                                                   const std::vector<unsigned>& start) {
  const auto bin_of = [bins = static_cast<unsigned>(start.size())](unsigned any) { return any % bins; };
  return {
      "counts the keys", [=](const Buffer<unsigned>& histogram) {
        ask_with_other_values<unsigned>(
            histogram.memory(), {keys, "keys", {}, bin_of}, [&](const auto& values) {
              require(
                  histogram,
                  Holds(histogram_of(values, start)).where(case_of(histogram.memory(), values.size(), 0)));
            });
      }};
}
/// Of `out`, in which every element was `untouched`: it holds the elements that are not 0, in any order, and
/// nothing after them.
inline Requirement<Buffer<unsigned>> HoldsWhatIsKept(const std::vector<unsigned>& values) {
  const auto can_be_told = [](const std::vector<unsigned>& elements) {
    return std::find(elements.begin(), elements.end(), untouched) == elements.end();
  };
  return {"holds what is kept", [=](const Buffer<unsigned>& out) {
            ask_with_other_values<unsigned>(out.memory(), {values, "in", can_be_told},
                                            [&](const auto& elements) { require_kept(out, elements); });
          }};
}
/// Of `count`: the number of these elements.
inline Requirement<Buffer<unsigned>> CountsWhatIsKept(const std::vector<unsigned>& values) {
  return {"counts what is kept", [=](const Buffer<unsigned>& count) {
            require(count, Holds(static_cast<unsigned>(kept_of(values).size()))
                               .where(case_of(count.memory(), values.size(), 0)));
          }};
}

// --- Launches
// -----------------------------------------------------------------------------------------------

inline Written<unsigned> launch_match(Device& device, const MatchKernel& kernel, const Combinations& all,
                                      unsigned block) {
  const auto keys = device.upload("keys", all.keys);
  const auto active = device.upload("active", all.active);
  auto peers = device.upload("peers", std::vector<unsigned>(all.keys.size(), untouched));
  Launch launch = device.launch(kernel, shape_of(all, block), keys, active, peers);
  return {std::move(launch), std::move(peers)};
}

/// A launch, and the arrays that it wrote.
struct Drawn {
  Launch launch;
  Buffer<unsigned> counters, tickets;
};
/// `of_absent`: the threads that take no part have a counter, too.
inline Drawn launch_increment(Device& device, const Combinations& all, unsigned block,
                              bool of_absent = true) {
  const Increments increments = increments_for(all);
  const auto which = of_absent
                         ? device.upload("which", increments.which)
                         : device.upload_where("which_of_active_lanes", increments.which, [&](std::size_t i) {
                             return all.takes_part(static_cast<unsigned>(i));
                           });
  const auto active = device.upload("active", all.active);
  auto counters = device.upload("counters", increments.counters);
  // Where nothing is written before, a store of what lies there shows.
  auto tickets = of_absent
                     ? device.upload("tickets", std::vector<unsigned>(increments.which.size(), untouched))
                     : device.poisoned<unsigned>("tickets", increments.which.size());
  Launch launch =
      device.launch(atomic_aggregate_increment, shape_of(all, block), which, active, counters, tickets);
  return {std::move(launch), std::move(counters), std::move(tickets)};
}

/// On a histogram that has `start` in it.
inline Written<unsigned> launch_histogram(Device& device, const HistogramKernel& kernel,
                                          const std::vector<unsigned>& values,
                                          const std::vector<unsigned>& start, const LaunchShape& shape) {
  const auto keys = device.upload("keys", values);
  auto histogram = device.upload("histogram", start);
  Launch launch = device.launch(kernel, shape, keys, histogram, static_cast<unsigned>(values.size()));
  return {std::move(launch), std::move(histogram)};
}
/// The same by histogram_private: `shape` without its shared memory.
inline Written<unsigned> launch_private(Device& device, const std::vector<unsigned>& values,
                                        const std::vector<unsigned>& start, const LaunchShape& shape) {
  const auto keys = device.upload("keys", values);
  auto histogram = device.upload("histogram", start);
  const auto bins = static_cast<unsigned>(start.size());
  LaunchShape with_bins = shape;
  with_bins.shared_bytes = bins * sizeof(unsigned);
  Launch launch = device.launch(histogram_private, with_bins, keys, histogram,
                                static_cast<unsigned>(values.size()), bins);
  return {std::move(launch), std::move(histogram)};
}

/// A launch, and the arrays that it wrote.
struct Compacted {
  Launch launch;
  Buffer<unsigned> out, count;
};
/// `out` has room for `launches` launches, because on a GPU a launch is repeated and timed, and each
/// continues the count of the one before.
inline Compacted launch_compaction(Device& device, const std::vector<unsigned>& values,
                                   const LaunchShape& shape, unsigned launches = 1) {
  const auto in = device.upload("in", values);
  auto out = device.upload("out", std::vector<unsigned>(values.size() * launches, untouched));
  auto count = device.zeroed<unsigned>("count", 1);
  Launch launch =
      device.launch(compact_by_tickets, shape, in, out, count, static_cast<unsigned>(values.size()));
  return {std::move(launch), std::move(out), std::move(count)};
}

// --- What the launches with atomics spend ---

/// Atomic operations on global memory: see words_apart.
inline Count atomics(const Launch& launch) { return launch.count(&Counters::global_atomic_sectors); }

/// Each element is read once, and by all warps.
inline void check_loads(const LaunchAndWork& run, unsigned n) {
  CHECK_THAT(run.launch.count(&Counters::global_load_sectors),
             AtMost(n / 8.0, "global load sectors", "each element is read once, 8 to a sector"));
  CHECK_THAT(run.work, IsSharedOut(4.0 * n));
}

/// Besides the atomics: a round for each distinct value takes two shuffles for a 64-bit key, a vote, and two
/// more to hand something back. A warp's round takes four more for what all lanes have in common. Fewer are
/// enough if a match finds all lanes.
inline Requirement<Amount> AreRoundsFor(double distinct, double warps) {
  return AtMost(
      5 * distinct + 4 * warps, "shuffles and votes",
      "a match, or a round for each distinct value among the 32, finds all lanes with the same one");
}

/// For RegisterKernels. The sectors of atomics are the operations themselves: see words_apart.
inline void show_atomics(std::ostream& out, const Launch& launch) {
  out << "  atomic operations on global memory: " << launch.counters().global_atomic_sectors << '\n';
}

}  // namespace warpwise::ch07
