/// \file The counting rules against what an H200 counted, and their shortcuts against the rules.

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../observer.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::simulator;

namespace {

/// A line of a file of patterns: what an H200's counters said of one instruction.
struct MemoryPattern {
  std::string instruction;  ///< "ld.shared" ...
  std::string title;
  std::uint32_t bytes = 0;
  LaneMask lanes = 0;
  std::uint32_t first = 0;   ///< wavefronts (shared) or sectors (global)
  std::uint32_t second = 0;  ///< bank conflicts (shared) or requests (global)
  std::array<std::uint64_t, warp_size> address{};

  bool is_shared() const { return instruction.ends_with("shared"); }
  AccessKind kind() const;
};

MemoryPattern read_pattern(const std::string& line) {
  std::istringstream columns(line);
  std::array<std::string, 7> column;
  for (std::string& text : column) {
    if (!std::getline(columns, text, ';')) throw std::runtime_error("too few columns: " + line);
  }
  MemoryPattern pattern;
  pattern.instruction = column[0];
  pattern.bytes = static_cast<std::uint32_t>(std::stoul(column[1]));
  pattern.lanes = static_cast<LaneMask>(std::stoul(column[2], nullptr, 16));
  pattern.title = column[3];
  pattern.first = static_cast<std::uint32_t>(std::stoul(column[4]));
  pattern.second = static_cast<std::uint32_t>(std::stoul(column[5]));
  std::istringstream offsets(column[6]);
  for (std::uint64_t& offset : pattern.address) {
    if (!(offsets >> offset)) throw std::runtime_error("fewer than 32 offsets: " + line);
  }
  return pattern;
}

AccessKind MemoryPattern::kind() const {
  if (instruction.starts_with("ld")) return AccessKind::load;
  if (instruction.starts_with("st")) return AccessKind::store;
  return instruction.starts_with("red") ? AccessKind::reduction : AccessKind::atomic;
}

/// Throws std::runtime_error where the file, below the simulator's folder, is missing or a line of it is not
/// as its header says.
std::vector<MemoryPattern> read_patterns(const std::string& path) {
  std::ifstream file(std::string(WARPWISE_SOURCE_DIR "/../") + path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<MemoryPattern> patterns;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') patterns.push_back(read_pattern(line));
  }
  return patterns;
}

using Addresses = std::array<std::uint64_t, warp_size>;

Addresses every(std::uint64_t step, std::uint64_t first = 0) {
  Addresses address{};
  for (std::uint32_t lane = 0; lane < address.size(); ++lane) address[lane] = first + lane * step;
  return address;
}

/// Whether the rules say of `pattern` what the hardware said.
bool agrees(const MemoryPattern& pattern) {
  const AccessKind kind = pattern.kind();
  const std::uint64_t* const address = pattern.address.data();
  const AccessShape shape = shape_of(pattern.bytes, pattern.lanes, address);
  if (pattern.is_shared()) {
    const SharedCost measured{pattern.first, pattern.second};
    return shared_cost(kind, pattern.bytes, pattern.lanes, address) == measured &&
           shared_cost(kind, pattern.bytes, pattern.lanes, address, shape) == measured;
  }
  return pattern.second == 1 &&
         global_sectors(kind, pattern.bytes, pattern.lanes, address) == pattern.first &&
         global_sectors(kind, pattern.bytes, pattern.lanes, address, shape) == pattern.first;
}

/// How many are not counted as the hardware counted them; names each.
std::size_t count_differing(const std::vector<MemoryPattern>& patterns) {
  std::size_t differing = 0;
  for (const MemoryPattern& pattern : patterns) {
    if (agrees(pattern)) continue;
    ++differing;
    WARN(pattern.instruction << ", " << pattern.bytes << " bytes, " << pattern.title << ", lanes " << std::hex
                             << pattern.lanes << std::dec << ": measured " << pattern.first << " and "
                             << pattern.second);
  }
  return differing;
}

}  // namespace

TEST_CASE("every pattern from which the rules were found is counted as the hardware counted it") {
  const auto patterns = read_patterns("observe/tests/data/h200_memory_patterns.csv");
  REQUIRE(patterns.size() == 208);
  CHECK(count_differing(patterns) == 0);
}

// Measured after the rules were written, by tests/patterns/measure_patterns.sh.
TEST_CASE("every fresh pattern is counted as the hardware counted it") {
  const auto patterns = read_patterns("tests/patterns/fresh_patterns.csv");
  REQUIRE(patterns.size() >= 200);
  CHECK(count_differing(patterns) == 0);
}

TEST_CASE("shapes") {
  const Addresses words = every(4, 128);
  const Addresses same = every(0, 128);
  const Addresses pairs = every(8, 128);
  CHECK(shape_of(4, all_lanes, words.data()) == AccessShape::consecutive);
  CHECK(shape_of(8, all_lanes, pairs.data()) == AccessShape::consecutive);
  CHECK(shape_of(4, all_lanes, pairs.data()) == AccessShape::other);
  CHECK(shape_of(4, all_lanes, same.data()) == AccessShape::uniform);
  CHECK(shape_of(4, 0xffff0000u, words.data()) == AccessShape::consecutive);
  CHECK(shape_of(4, 0x55555555u, words.data()) == AccessShape::consecutive);
  CHECK(shape_of(4, 0x00010000u, words.data()) == AccessShape::uniform);
  Addresses swapped = words;
  std::swap(swapped[30], swapped[31]);
  CHECK(shape_of(4, all_lanes, swapped.data()) == AccessShape::other);
  CHECK(shape_of(4, 0x3fffffffu, swapped.data()) == AccessShape::consecutive);
}

TEST_CASE("no lane, no cost") {
  const Addresses words = every(4);
  CHECK(shared_cost(AccessKind::load, 4, 0, words.data()) == SharedCost{});
  CHECK(shared_cost(AccessKind::atomic, 8, 0, words.data()) == SharedCost{});
  CHECK(global_sectors(AccessKind::load, 4, 0, words.data()) == 0);
  CHECK(global_sectors(AccessKind::atomic, 4, 0, words.data()) == 0);
}

TEST_CASE("shortcuts give what the rules give") {
  std::mt19937 random(20261120);
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t bytes = 1u << random() % 5;
    const std::uint64_t step = random() % 4 == 0 ? 0 : bytes * (random() % 3 + (random() % 4 == 0));
    const Addresses address = every(step, std::uint64_t{bytes} * (random() % 64));
    const LaneMask lanes = random() % 2 == 0 ? all_lanes : random();
    if (lanes == 0) continue;
    const AccessShape shape = shape_of(bytes, lanes, address.data());
    for (const AccessKind kind : {AccessKind::load, AccessKind::store, AccessKind::atomic}) {
      if (kind == AccessKind::atomic && bytes > 8) continue;
      INFO(bytes << " bytes, step " << step << ", lanes " << lanes);
      for (const AccessShape known : {shape, AccessShape::other})
        CHECK(shared_cost(kind, bytes, lanes, address.data(), known) ==
              shared_cost(kind, bytes, lanes, address.data()));
      CHECK(global_sectors(kind, bytes, lanes, address.data(), shape) ==
            global_sectors(kind, bytes, lanes, address.data()));
    }
  }
}

TEST_CASE("lanes a constant step apart cost as many wavefronts as their fullest bank has words") {
  for (std::uint64_t words = 1; words <= 96; ++words) {
    const Addresses up = every(4 * words), down = every(0 - 4 * words, 16384);
    for (const Addresses& address : {up, down}) {
      for (const LaneMask lanes :
           {0xffffffffu, 0x0000ffffu, 0x00ffff00u, 0x00000007u, 0xc0000000u, 0x55555555u}) {
        std::array<std::uint32_t, 32> in_bank{};
        for (std::uint32_t lane = 0; lane < address.size(); ++lane)
          if ((lanes >> lane & 1) != 0) ++in_bank[address[lane] / 4 % in_bank.size()];
        const std::uint32_t fullest = *std::max_element(in_bank.begin(), in_bank.end());
        INFO(words << " words, lanes " << std::hex << lanes);
        const SharedCost expected{fullest, fullest - 1};
        CHECK(shared_cost(AccessKind::load, 4, lanes, address.data()) == expected);
        CHECK(shared_cost(AccessKind::load, 4, lanes, address.data(), AccessShape::other) == expected);
      }
    }
  }
}
