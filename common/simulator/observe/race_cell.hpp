#pragma once
/// \file The rule of races, and what is remembered of one piece of memory to apply it. After FastTrack
/// (Flanagan and Freund, PLDI 2009): not all accesses are kept, only the last ones that matter.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../observer.hpp"
#include "happens_before.hpp"
#include "program_facts.hpp"

namespace warpwise::simulator::observe {

/// One access to one piece of memory.
struct Touch {
  Moment when;
  std::uint32_t pc = 0;
  bool is_strong = false;            ///< volatile, relaxed, acquire, release or atomic
  bool is_block_scope = false;       ///< strong for its own block alone, as atomicAdd_block()
  bool is_of_several_words = false;  ///< strong, and its lanes touched more than one place
};

/// Two threads that conflict. `second` is the access that was made now.
struct Race {
  Touch first, second;
  bool first_writes = false, second_writes = false;
  std::uint64_t address = 0;  ///< as Access::address
};

/// A race as it came about: `first` was made first.
struct RaceSeen {
  Race race;
  ptx::Space space = ptx::Space::shared;
};

/// Stamps stand for accesses; 0 is none. What they say is the shadow's business.
template <class Stamp>
struct RaceCell {
  Stamp write = 0;        ///< the last one
  Stamp other_write = 0;  ///< one that a later strong write of another thread displaced
  Stamp read = 0, other_read = 0;
};

/// Whether a strong access is one to data, as opposed to a flag, a ticket, a status: docs/findings.md, "What
/// counts as a race". Of a read, its value tells.
inline bool reads_data(const Touch& read, StrongUse use) {
  return use == StrongUse::passes_on || (use == StrongUse::decides && read.is_of_several_words);
}

/// Whether two strong accesses of different threads, one of them a write, need an order as plain ones do.
/// Kept out of the way of those.
[[gnu::noinline]] inline bool strong_ones_need_order(const Touch& a, const Touch& b, const StrongUses& uses) {
  if ((a.is_block_scope || b.is_block_scope) && a.when.block != b.when.block) return true;
  const StrongUse of_a = uses.of(a.pc), of_b = uses.of(b.pc);
  if (of_a == StrongUse::synchronises || of_b == StrongUse::synchronises) return false;
  if (of_a == StrongUse::writes && of_b == StrongUse::writes)
    return (a.is_of_several_words && b.is_of_several_words) || !uses.can_wait();
  return of_a == StrongUse::writes ? reads_data(b, of_b) : reads_data(a, of_a);
}

/// Whether two accesses of different threads, one of them a write, need an order.
inline bool needs_order(const Touch& a, const Touch& b, const StrongUses& uses) {
  return !a.is_strong || !b.is_strong || strong_ones_need_order(a, b, uses);
}

/// The first of the `length` bytes at `address` in which `me`, of the store `access`, stores another value
/// than `other` did; `length`: none. What `other` stored is in memory, `there`, by now, unless both are lanes
/// of one instruction. `there` is null where memory ends before.
inline std::uint64_t first_difference(const Access& access, const Touch& me, const Touch& other,
                                      std::uint64_t address, std::uint64_t length, const std::byte* there) {
  const auto value_of = [&](std::uint32_t lane) {
    return access.value + std::size_t{lane} * access.bytes + (address - access.address[lane]);
  };
  const std::byte* const mine = value_of(me.when.lane);
  const bool is_same_instruction = other.pc == me.pc && other.when.block == me.when.block &&
                                   other.when.warp == me.when.warp && other.when.time == me.when.time &&
                                   (access.lanes >> other.when.lane & 1) != 0;
  const std::byte* theirs = there;
  if (is_same_instruction) {
    const std::uint64_t start = access.address[other.when.lane];
    if (start <= address && address < start + access.bytes) theirs = value_of(other.when.lane);
  }
  if (theirs == nullptr) return 0;
  return static_cast<std::uint64_t>(std::mismatch(mine, mine + length, theirs).first - mine);
}

/// Enters `me` into `cell`; calls `shadow.on_race(other, other_writes)` for each race with what is there.
/// `shadow` also says: uses; of a stamp: is_live (false: everybody knows of it), touch_of; and of a touch:
/// is_ordered (before `me`, with all that the program says), is_ordered_quickly (from the warp's own
/// barriers).
template <class Stamp, class Shadow>
void enter(RaceCell<Stamp>& cell, Stamp stamp, const Touch& me, bool is_write, Shadow& shadow) {
  const auto check = [&](Stamp other_stamp, bool other_writes) {
    if (!shadow.is_live(other_stamp)) return;
    const Touch other = shadow.touch_of(other_stamp);
    if (other.when.is_same_thread(me.when) || !needs_order(other, me, shadow.uses)) return;
    if (!shadow.is_ordered(other)) shadow.on_race(other, other_writes);
  };
  const auto is_behind_me = [&](Stamp other_stamp) {
    if (!shadow.is_live(other_stamp)) return true;
    const Touch other = shadow.touch_of(other_stamp);
    return other.when.is_same_thread(me.when) || shadow.is_ordered_quickly(other);
  };

  check(cell.write, true);
  check(cell.other_write, true);
  if (!is_write) {
    // The first reader and the last one; one that is ordered before me is found through me.
    if (is_behind_me(cell.read)) {
      cell.read = stamp;
    } else {
      cell.other_read = stamp;
    }
    return;
  }
  check(cell.read, false);
  check(cell.other_read, false);
  if (!me.is_strong) {
    cell = {stamp, 0, 0, 0};
    return;
  }
  // A plain write stays in sight behind the atomics that follow it.
  if (shadow.is_live(cell.write)) {
    const Touch last = shadow.touch_of(cell.write);
    if (!last.is_strong || (!shadow.is_live(cell.other_write) && !last.when.is_same_thread(me.when))) {
      cell.other_write = cell.write;
    }
  }
  cell.write = stamp;
}

}  // namespace warpwise::simulator::observe
