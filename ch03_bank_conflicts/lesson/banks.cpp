/// \file How many words a warp's access needs from each bank, as a picture, and what the tree of chapter 2
/// costs, as a table. Nothing is assumed about conflicts: the wavefronts are those that the simulator
/// counts (common/simulator/observe/observer_bank_rules.cpp).

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>

#include "common/simulator/observer.hpp"

namespace {

using namespace warpwise::simulator;

constexpr unsigned warp_size = 32, banks = 32;

/// The word that a thread of the block reads.
using WordOf = unsigned (*)(unsigned thread);

SharedCost cost_of(unsigned first_thread, unsigned active, auto word_of) {
  std::uint64_t address[warp_size] = {};
  LaneMask lanes = 0;
  for (unsigned lane = 0; lane < warp_size && first_thread + lane < active; ++lane) {
    address[lane] = 4 * std::uint64_t{word_of(first_thread + lane)};
    lanes |= lane_bit(lane);
  }
  return shared_cost(AccessKind::load, 4, lanes, address);
}

void draw(const char* name, WordOf word_of) {
  std::set<unsigned> words[banks];
  for (unsigned lane = 0; lane < warp_size; ++lane) words[word_of(lane) % banks].insert(word_of(lane));
  std::string picture;
  for (const auto& in_bank : words) picture += ".123456789abcdefghijklmnopqrstuvw"[in_bank.size()];
  std::printf("%-10s  %s  %10u\n", name, picture.c_str(), cost_of(0, warp_size, word_of).wavefronts);
}

/// One level of a tree over a block of 256: the first `active` threads use the words `distance` apart.
struct Level {
  unsigned stride, active, distance;
};

void print_row(const char* name, const Level (&levels)[8], unsigned (*value)(const Level&), bool has_sum) {
  std::printf("%-23s", name);
  unsigned sum = 0;
  for (const Level& level : levels) {
    std::printf("%5u", value(level));
    sum += value(level);
  }
  if (has_sum)
    std::printf("%7u\n", sum);
  else
    std::printf("    all\n");
}

/// What it costs if every thread that adds accesses its own value once. The partners' values are `stride`
/// further on, and so in banks that are just as different from each other.
SharedCost cost_of_level(const Level& level) {
  SharedCost sum;
  for (unsigned first = 0; first < level.active; first += warp_size) {
    const SharedCost cost =
        cost_of(first, level.active, [&](unsigned thread) { return level.distance * thread; });
    sum.wavefronts += cost.wavefronts;
    sum.bank_conflicts += cost.bank_conflicts;
  }
  return sum;
}

void print_tree(const char* name, const Level (&levels)[8]) {
  std::printf("\n%s\n", name);
  print_row(
      "  stride", levels, [](const Level& level) { return level.stride; }, false);
  print_row(
      "  wavefronts per access", levels, [](const Level& level) { return cost_of_level(level).wavefronts; },
      true);
  print_row(
      "  bank conflicts", levels, [](const Level& level) { return cost_of_level(level).bank_conflicts; },
      true);
}

}  // namespace

int main() {
  std::printf("lane reads  words in bank 0 ... 31 (w = 32)   wavefronts\n");
  draw("lane", [](unsigned lane) { return lane; });
  draw("2 * lane", [](unsigned lane) { return 2 * lane; });
  draw("3 * lane", [](unsigned lane) { return 3 * lane; });
  draw("4 * lane", [](unsigned lane) { return 4 * lane; });
  draw("32 * lane", [](unsigned lane) { return 32 * lane; });
  draw("33 * lane", [](unsigned lane) { return 33 * lane; });
  draw("lane / 2", [](unsigned lane) { return lane / 2; });
  draw("7", [](unsigned) { return 7u; });

  Level contiguous[8];
  for (unsigned level = 0; level < 8; ++level) {
    const unsigned rising = 1u << level;
    contiguous[level] = {.stride = rising, .active = 128u >> level, .distance = 2 * rising};
  }
  print_tree("chapter 2: thread t adds at word 2 * stride * t", contiguous);
}
