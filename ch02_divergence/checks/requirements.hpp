#pragma once
/// \file What the checks of chapter 2 share: inputs, what the kernels should make of them, and limits.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ch02_divergence/operations.hpp"
#include "common/harness/check/inputs.hpp"
#include "common/harness/check/matchers.hpp"
#include "common/simulator/ptx.hpp"

namespace warpwise::ch02 {

using namespace harness;

// --- What the kernels compute -----------------------------------------------------------------------------

inline std::vector<unsigned> alternated(const std::vector<unsigned>& values) {
  std::vector<unsigned> results;
  for (std::size_t i = 0; i < values.size(); ++i)
    results.push_back(i % 2 == 0 ? stir(values[i]) : shake(values[i]));
  return results;
}

/// Each stretch of `block` elements with its elements >= 0 first.
inline std::vector<unsigned> partitioned(const std::vector<int>& values, unsigned block) {
  std::vector<unsigned> results;
  for (std::size_t begin = 0; begin < values.size(); begin += block) {
    const std::size_t end = std::min<std::size_t>(begin + block, values.size());
    for (std::size_t i = begin; i < end; ++i)
      if (values[i] >= 0) results.push_back(stir(static_cast<unsigned>(values[i])));
    for (std::size_t i = begin; i < end; ++i)
      if (values[i] < 0) results.push_back(shake(static_cast<unsigned>(values[i])));
  }
  return results;
}

/// n whole numbers of both signs, from -500 to 500.
inline std::vector<int> random_signed(unsigned n, std::uint64_t seed) {
  const std::vector<float> values = random_integers(n, seed, -500, 500);
  return {values.begin(), values.end()};
}

struct Matches {
  std::vector<int> home_goals, away_goals, home_points, away_points;
};

/// From 0 to `most` goals for each side (with 3, a quarter of the matches are draws), and from 0 to 60 points
/// so far.
inline Matches random_matches(unsigned n, std::uint64_t seed, int most = 3) {
  const auto draw = [&](std::uint64_t which, int high) {
    const std::vector<float> values = random_integers(n, seed_of(seed, which), 0, high);
    return std::vector<int>(values.begin(), values.end());
  };
  return {draw(1, most), draw(2, most), draw(3, 60), draw(4, 60)};
}

inline int points_for(int goals, int others) { return goals > others ? 3 : goals == others ? 1 : 0; }
inline Matches scored(Matches matches) {
  for (std::size_t i = 0; i < matches.home_goals.size(); ++i) {
    matches.home_points[i] += points_for(matches.home_goals[i], matches.away_goals[i]);
    matches.away_points[i] += points_for(matches.away_goals[i], matches.home_goals[i]);
  }
  return matches;
}
/// The points are ints afterwards, too.
inline bool can_be_scored(const Matches& matches) {
  constexpr int most = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < matches.home_goals.size(); ++i)
    if (matches.home_points[i] > most - points_for(matches.home_goals[i], matches.away_goals[i]) ||
        matches.away_points[i] > most - points_for(matches.away_goals[i], matches.home_goals[i]))
      return false;
  return true;
}

/// out[i] is stir(in[i]) for even i, and shake(in[i]) for odd i.
inline Requirement<Buffer<unsigned>> EqualsAlternated(const std::vector<unsigned>& in) {
  return {"is stir or shake by turns", [&in](const Buffer<unsigned>& out) {
            ask_with_other_values<unsigned>(
                out.memory(), {in}, [&](const auto& values) { require(out, Holds(alternated(values))); });
          }};
}
/// Each stretch of `block` elements: stir(x) of those that are 0 or more, then shake(x) of the negative ones.
inline Requirement<Buffer<unsigned>> EqualsPartitioned(const std::vector<int>& in, unsigned block) {
  return {"is partitioned", [&in, block](const Buffer<unsigned>& out) {
            ask_with_other_values<int>(out.memory(), {in}, [&](const auto& values) {
              require(out, Holds(partitioned(values, block)));
            });
          }};
}

/// Matches on a device.
struct ScoreBoard {
  ScoreBoard(Device& device, const Matches& matches)
      : home_goals(device.upload("home_goals", matches.home_goals)),
        away_goals(device.upload("away_goals", matches.away_goals)),
        home_points(device.upload("home_points", matches.home_points)),
        away_points(device.upload("away_points", matches.away_points)) {}
  Buffer<int> home_goals, away_goals, home_points, away_points;
};
/// The points of both sides are those after the matches; `before` them there were these.
inline Requirement<ScoreBoard> HoldsPointsAfter(const Matches& before) {
  return {
      "holds the points", [before](const ScoreBoard& board) {
        const auto require_points = [&](const Matches& after) {
          require(board.home_points, Holds(after.home_points));
          require(board.away_points, Holds(after.away_points));
        };
        if (!is_undecided([&] { require_points(scored(before)); })) return;
        const auto ask_of = [&](std::string array, std::vector<int> Matches::*which) {
          const auto with = [&, which](const std::vector<int>& values) {
            Matches matches = before;
            matches.*which = values;
            return matches;
          };
          Input<int> input{before.*which, array, [&](const auto& all) { return can_be_scored(with(all)); }};
          if (array.ends_with("goals"))
            input.fitted = [](int any) { return static_cast<int>(static_cast<unsigned>(any) % 1001); };
          ask_again_with_other_values<int>(board.home_points.memory(), input,
                                           [&](const auto& values) { require_points(scored(with(values))); });
        };
        ask_of("home_goals", &Matches::home_goals);
        ask_of("away_goals", &Matches::away_goals);
        ask_of("home_points", &Matches::home_points);
        ask_of("away_points", &Matches::away_points);
      }};
}

// --- What the techniques are held against ------------------------------------------------------------------

/// Of a launch whose blocks are all full.
inline Requirement<Launch> HasNoDivergentBranches() {
  return {"has no divergent branches", [](const Launch& launch) {
            require(launch.count(&Counters::divergent_branches),
                    AtMost(0, "divergent branches with blocks of " + std::to_string(launch.shape().block.x),
                           "all blocks are full, so that every condition can be the same for all lanes of a "
                           "warp"));
          }};
}

/// Where the last block is not full its guards may split a warp: at the load, at the store, and where a group
/// ends. A condition on the elements splits each warp of all blocks, which shows where there are many.
inline Requirement<Launch> DivergesInGuardsAlone(unsigned n) {
  return {"diverges in guards alone", [=](const Launch& launch) {
            if (n < 32 * 2 * branches_of_guards) return;
            require(launch.count(&Counters::divergent_branches),
                    AtMost(branches_of_guards, "divergent branches for " + std::to_string(n) + " elements",
                           "only the guards of the last block may split a warp"));
          }};
}

/// Whether the instruction is one of `stir` or `shake`.
inline bool is_of_an_operation(const warpwise::simulator::Program& program, warpwise::simulator::Pc pc) {
  const auto line = warpwise::simulator::ptx::source_of(program.module(), program.text_of(pc).location);
  return std::string_view(line.file).ends_with("operations.hpp");
}

/// counted(), with the instructions of the operations.
template <class In>
Counted<unsigned> counted_operations(SimulatedDevice& device,
                                     Written<unsigned> (*launch)(Device&, const std::vector<In>&, unsigned,
                                                                 unsigned),
                                     const std::vector<In>& in, unsigned block, unsigned grid = 0) {
  std::optional<Written<unsigned>> written;
  Work work = work_of(
      device, [&] { written.emplace(launch(device, in, block, grid)); }, is_of_an_operation);
  return {{std::move(written->launch), std::move(work)}, std::move(written->out)};
}

/// Runs of `stir` or `shake` by each warp. A warp that splits between the two counts for both, and so does
/// one that computes both and keeps one. Rounded, because the compiler may add an instruction to move a
/// result.
inline std::vector<unsigned> runs_by_warp(const LaunchAndWork& run) {
  std::vector<unsigned> runs;
  for (const WarpWork& warp : run.work.warps)
    runs.push_back(static_cast<unsigned>(
        std::lround(static_cast<double>(warp.chosen_instructions) / operation_instructions)));
  return runs;
}
inline Measured runs_per_block(const LaunchAndWork& run) {
  const std::vector<unsigned> runs = runs_by_warp(run);
  return per_block(run.launch, std::accumulate(runs.begin(), runs.end(), std::uint64_t{0}));
}
inline std::string runs_of(const LaunchAndWork& run) {
  return "runs of stir or shake by the warps of a block of " + std::to_string(run.launch.shape().block.x);
}

/// In a block, `more` runs of an operation than it has warps at most, and `by_a_warp` by each of them.
inline Requirement<LaunchAndWork> RunsFewOperations(unsigned more, unsigned by_a_warp, std::string why) {
  return {"runs few operations", [=](const LaunchAndWork& run) {
            const unsigned block = run.launch.shape().block.x;
            require(runs_per_block(run), AtMost(block / 32 + more, runs_of(run), why));
            const std::vector<unsigned> runs = runs_by_warp(run);
            const auto busiest = std::ranges::max_element(runs);
            require(Measured(*busiest), AtMost(by_a_warp,
                                               "runs of stir or shake by warp " +
                                                   std::to_string((busiest - runs.begin()) % (block / 32)) +
                                                   " alone, in a block of " + std::to_string(block),
                                               "the warps share the work out"));
          }};
}
/// As many runs as there are warps of elements, or the operations were not called and nothing was counted.
inline Requirement<LaunchAndWork> RunsAnOperationForEachWarp() {
  return {"runs enough operations", [](const LaunchAndWork& run) {
            require(runs_per_block(run),
                    AtLeast(run.launch.shape().block.x / 32, runs_of(run),
                            "every element needs one; call the functions of operations.hpp"));
          }};
}

}  // namespace warpwise::ch02
