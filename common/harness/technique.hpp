#pragma once
/// \file What several chapters ask of a technique: which counters show it, and limits that hold everywhere.

#include <bit>
#include <cstdint>
#include <string_view>

#include "expectations.hpp"
#include "launch.hpp"

namespace warpwise::harness {

using simulator::Counters;

/// Levels of a tree of pairs over `values` values, a power of two: each level halves them.
constexpr unsigned tree_levels(unsigned values) { return static_cast<unsigned>(std::countr_zero(values)); }

/// Times at which a block or a warp lets values pass from one thread to another: its barriers and shuffles.
std::uint64_t exchanges(const Counters& counters);
std::uint64_t atomic_requests(const Counters& counters);  ///< on shared and global memory
std::uint64_t shared_requests(const Counters& counters);  ///< loads, stores and atomics
std::uint64_t shared_load_and_store_wavefronts(const Counters& counters);
std::uint64_t shared_load_and_store_conflicts(const Counters& counters);

/// `count` of a launch, for each of its blocks or warps.
double per_block(const Launch& launch, std::uint64_t count);
double per_warp(const Launch& launch, std::uint64_t count);

/// 32 neighbouring 4-byte elements fill 4 sectors of 32 bytes, and a warp asks for them at once: n / 32
/// requests and n / 8 sectors, or fewer.
void expect_each_element_is_read_once(const Counters& counters, unsigned n,
                                      std::string_view why_sectors = "each element is read once");
void expect_no_atomics(const Counters& counters,
                       std::string_view why = "atomics on one word add one value after the other: no tree");
void expect_no_shared_memory(const Counters& counters, std::string_view why);
void expect_block_barriers_at_most(const Launch& launch, double limit_a_block, std::string_view why);

/// What a tree in shared memory costs each block of `launch`, which reads n elements: one block barrier after
/// the load and one a level, since each level reads what the level before has written; each element is read
/// once; no atomics.
void expect_one_tree_a_block(const Launch& launch, unsigned n);

/// A tree, and not one thread that adds everything: that one has a single exchange, after the load. In a tree
/// of pairs the number of values that a thread has seen doubles at best with each exchange, and a safe
/// exchange is a barrier of the block or the warp between write and read, or a shuffle. Asks for as many in
/// each block as a tree over its threads has levels. (In a block of 32 the warp's own barriers count once for
/// each exchange; in larger ones they count for each warp.)
void expect_a_tree(const Launch& launch);

}  // namespace warpwise::harness
