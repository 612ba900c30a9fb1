/// \file The counting rules against measured truth, and their shortcuts against the rules.

#include <algorithm>
#include <random>

#include "../../observer.hpp"
#include "common/testing/catch.hpp"
#include "memory_patterns.hpp"

using namespace warpwise::simulator;

namespace {

using Addresses = std::array<std::uint64_t, warp_size>;

Addresses every(std::uint64_t step, std::uint64_t first = 0) {
  Addresses address{};
  for (std::uint32_t lane = 0; lane < address.size(); ++lane) address[lane] = first + lane * step;
  return address;
}

}  // namespace

TEST_CASE("every measured pattern is counted as the hardware counted it") {
  const auto patterns = testing::read_memory_patterns();
  REQUIRE(patterns.size() == 208);
  for (const auto& pattern : patterns) {
    INFO(pattern.instruction << ", " << pattern.bytes << " bytes, " << pattern.title << ", lanes " << std::hex
                             << pattern.lanes);
    const AccessShape shape = shape_of(pattern.bytes, pattern.lanes, pattern.address.data());
    const AccessKind kind = pattern.kind();
    if (pattern.is_shared()) {
      const SharedCost measured{pattern.first, pattern.second};
      CHECK(shared_cost(kind, pattern.bytes, pattern.lanes, pattern.address.data()) == measured);
      CHECK(shared_cost(kind, pattern.bytes, pattern.lanes, pattern.address.data(), shape) == measured);
    } else {
      CHECK(pattern.second == 1);
      CHECK(global_sectors(kind, pattern.bytes, pattern.lanes, pattern.address.data()) == pattern.first);
      CHECK(global_sectors(kind, pattern.bytes, pattern.lanes, pattern.address.data(), shape) ==
            pattern.first);
    }
  }
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
      CHECK(shared_cost(kind, bytes, lanes, address.data(), shape) ==
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
        CHECK(shared_cost(AccessKind::load, 4, lanes, address.data()) == SharedCost{fullest, fullest - 1});
      }
    }
  }
}
