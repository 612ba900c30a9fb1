#pragma once
/// \file How scan_device and find_ahead are launched: what the blocks tell each other, as if others had
/// published it, and what they must leave.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ch06_scan/checks/launches.hpp"

namespace warpwise::ch06 {

/// The launch was not ended early; else `sentence`.
inline harness::Requirement<Launch> Completes(std::string sentence) {
  return {"completes", [=](const Launch& launch) {
            if (!launch.completed()) harness::fail(sentence, {.findings = launch.findings()});
          }};
}
inline harness::Requirement<Launch> NeverEnds(std::string sentence) {
  return {"never ends", [=](const Launch& launch) {
            if (launch.completed()) harness::fail(sentence);
          }};
}
/// A word of `states`, as lookback.hpp makes it; else `sentence`.
inline harness::Requirement<unsigned long long> IsWord(unsigned long long word, std::string sentence) {
  return {"is " + std::to_string(word), [=](unsigned long long found) {
            if (found != word) harness::fail(sentence);
          }};
}

// word_of of lookback.hpp.
constexpr unsigned long long word_of(unsigned status, int value) {
  return static_cast<unsigned long long>(status) << 32 | static_cast<unsigned>(value);
}
constexpr unsigned long long word_of_total(int value, unsigned launch = 0) {
  return word_of(2 * launch + 1, value);
}
constexpr unsigned long long word_of_prefix(int value, unsigned launch = 0) {
  return word_of(2 * launch + 2, value);
}

/// A launch, and an earlier one, of which a tile finds words: they differ in few bits, or around 2^31, where
/// the status starts again at 0, as the number of the launch does at 2^32.
inline harness::Generator<std::pair<unsigned, unsigned>> launches_and_earlier_ones() {
  return Catch::Generators::values<std::pair<unsigned, unsigned>>({{1, 0},
                                                                   {256, 0},
                                                                   {1u << 16, 0},
                                                                   {1u << 24, 0},
                                                                   {(1u << 24) + 1, 1u << 24},
                                                                   {0x7fffffffu, 0x7ffffffeu},
                                                                   {0x80000000u, 0x7fffffffu},
                                                                   {0x80000001u, 0x7fffffffu},
                                                                   {0xffffffffu, 0xfffffffeu}});
}

/// What is known of tiles 0 to tile - 1: prefixes up to `nearest`, totals after it; and the sum of all.
struct Published {
  Published(unsigned tile, unsigned nearest) {
    for (unsigned t = 0; t < tile; ++t) {
      const int value = t < nearest ? 77777 : t == nearest ? 1000 : static_cast<int>(t * t);
      words.push_back(t <= nearest ? word_of_prefix(value) : word_of_total(value));
      if (t >= nearest) sum += value;
    }
  }
  std::vector<unsigned long long> words;
  int sum = 0;
};

inline harness::Requirement<int> IsSumAhead(int sum, std::string advice) {
  return {"is " + std::to_string(sum), [=](int found) {
            if (found != sum)
              harness::fail("ahead is " + std::to_string(found) + ", expected " + std::to_string(sum) + " (" +
                            advice + ")");
          }};
}

/// Launches run block after block, the same way every time.
inline harness::OtherOptions block_after_block(harness::SimulatedDevice& device) {
  return harness::OtherOptions(device, [](auto& options) { options.launch.threads = 1; });
}

/// What scan_device needs besides its arrays, and uses from launch to launch.
struct ScanScratch {
  ScanScratch(Device& device, unsigned blocks)
      : states(device.zeroed<unsigned long long>("states", blocks)),
        drawn(device.zeroed<unsigned long long>("drawn", 1)) {}
  /// Scans the first n elements of `in`.
  Launch launch(Device& device, const Buffer<int>& in, const Buffer<int>& out, unsigned n) const {
    return device.launch(scan_device, {.grid = tiles_for(n), .block = tile_threads}, in, out, n, states,
                         drawn);
  }
  Buffer<unsigned long long> states;
  Buffer<unsigned long long> drawn;
};
/// What scan_device or find_ahead leaves: the scratch memory after launch `number`, whose tiles have these
/// totals and which found `before`. Its number is used up, and each tile has a word of this launch, its total
/// or its prefix. Or nothing has happened, if there is no tile.
inline harness::Requirement<ScanScratch> IsLeftForNext(unsigned number,
                                                       std::vector<unsigned long long> before,
                                                       std::vector<int> totals, harness::Case where) {
  return {"is left for the next launch", [=](const ScanScratch& scratch) {
            const bool has_drawn = !totals.empty() || scratch.drawn.download()[0] != std::uint64_t{number}
                                                                                         << 32;
            if (has_drawn)
              harness::require(scratch.drawn,
                               harness::Holds(std::vector{(std::uint64_t{number} + 1) << 32}).where(where));
            int prefix = 0;
            const auto words = scratch.states.download();
            for (unsigned t = 0; t < words.size(); ++t) {
              const bool is_drawn = t < totals.size();
              const int total = is_drawn ? totals[t] : 0;
              prefix += total;
              const bool is_known =
                  words[t] == word_of_total(total, number) || words[t] == word_of_prefix(prefix, number);
              if (!is_drawn && words[t] == before[t]) continue;
              if (is_known && (is_drawn || (t == 0 && totals.empty() && has_drawn))) continue;
              harness::fail(
                  "states[" + std::to_string(t) + "] has the status " + std::to_string(words[t] >> 32) +
                      " and the value " + std::to_string(static_cast<int>(words[t])) + " after launch " +
                      std::to_string(number) +
                      (is_drawn ? ", expected its total, " + std::to_string(total) + ", or its prefix, " +
                                      std::to_string(prefix)
                                : ", in which no block has drawn this tile: the next launch may take it for "
                                  "its own"),
                  {.where = harness::spelled(where)});
            }
          }};
}

inline Written<int> scan_array(Device& device, const std::vector<int>& values) {
  const auto n = static_cast<unsigned>(values.size());
  const auto in = device.upload("in", values);
  auto out = device.poisoned<int>("out", n);
  Launch launch = ScanScratch(device, tiles_for(n)).launch(device, in, out, n);
  return {std::move(launch), std::move(out)};
}

inline Written<int> find_sums_ahead(Device& device, const std::vector<int>& totals,
                                    const ScanScratch& scratch) {
  const auto tiles = static_cast<unsigned>(totals.size());
  const auto in = device.upload("totals", totals);
  auto ahead = device.poisoned<int>("ahead", tiles);
  Launch launch =
      device.launch(find_ahead, {.grid = tiles, .block = 32}, in, ahead, scratch.states, scratch.drawn);
  return {std::move(launch), std::move(ahead)};
}

/// One warp that draws `tile` in launch `number`, as if others had published `words` for those ahead of it.
struct OneLook {
  static constexpr int total = 321;
  OneLook(harness::SimulatedDevice& device, unsigned tile, std::vector<unsigned long long> words,
          unsigned long long number = 0, int own = total)
      : states((words.push_back(0), device.upload("states", words))),  // 0: nothing is known of its own
        sums(device.zeroed<int>("ahead", tile + 1)),
        launch(device.launch(find_ahead, {.grid = 1, .block = 32, .may_end_early = true},
                             device.upload("totals", std::vector<int>(tile + 1, own)), sums, states,
                             device.upload("drawn", std::vector<unsigned long long>{number << 32 | tile}))) {}

  unsigned long long published() const { return states.download().back(); }
  int ahead() const { return sums.download().back(); }

  Buffer<unsigned long long> states;
  Buffer<int> sums;
  Launch launch;
};

}  // namespace warpwise::ch06
