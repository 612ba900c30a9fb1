#pragma once
/// \file The lanes of one warp, kept as a few groups that are each at one place, and which of them runs next.
///
/// The group with the deepest call, then the lowest pc, runs; it stops where the next group waits, and both
/// go on as one. A divergent branch splits a group. Schedules that differ from this are here and nowhere
/// else.

#include <algorithm>
#include <array>
#include <vector>

#include "../launch.hpp"
#include "frame.hpp"

namespace warpwise::simulator::run {

struct Group {
  enum class State : std::uint8_t {
    ready,
    at_sync,     ///< waits at a `*.sync` for the lanes of `need`
    at_barrier,  ///< waits at block barrier `barrier`
  };
  Frame* frame = nullptr;
  Pc pc = 0;
  LaneMask mask = 0;
  State state = State::ready;
  std::uint8_t barrier = 0;
  bool has_yielded = false;  ///< polls without success: others first
  bool has_polled = false;   ///< did an atomic or a volatile load since the last backward branch
  LaneMask need = 0;
  std::uint32_t fruitless = 0;   ///< backward branches after polling, since it last changed memory
  std::uint32_t turns = 0;       ///< backward branches since it last made way
  std::uint32_t yields = 0;      ///< times it made way or was looked at, since it last changed memory
  std::uint64_t state_hash = 0;  ///< of place and registers, one of the times when it made way
  bool is_stuck = false;         ///< was twice in the very same state: only others can help it
  bool is_polling = false;       ///< made way because it polled; else because it looped for long
  Pc polled_pc = 0;              ///< its last atomic or volatile load

  bool can_run() const { return state == State::ready && !has_yielded; }
  void note_poll(Pc at) {
    has_polled = true;
    polled_pc = at;
  }
  void note_change() { fruitless = yields = 0; }
  /// Others changed memory: the state that it was seen in may not come again.
  void forget_state() {
    yields = 0;
    is_stuck = false;
  }
  /// A backward branch: false where the group has to make way, because it polls without success or for long.
  bool jump_back();

 private:
  void look_for_repetition();  // worker_deadlock.cpp
};

class Groups {
 public:
  explicit Groups(const Code& code) : code_(code) {}

  /// No group at first. `seed` decides what is left to chance.
  void begin(Schedule::Kind schedule, std::uint64_t seed);
  void clear() { count_ = 0; }

  Group* begin() { return groups_.data(); }
  Group* end() { return groups_.data() + count_; }
  const Group* begin() const { return groups_.data(); }
  const Group* end() const { return groups_.data() + count_; }
  bool is_empty() const { return count_ == 0; }
  bool has_ready() const {
    return std::any_of(begin(), end(), [](const Group& g) { return g.state == Group::State::ready; });
  }
  /// Each of `lanes` is in one group, and no other lane is in any.
  bool hold(LaneMask lanes) const;
  /// nullptr where the lane has exited.
  Group* of_lane(std::uint32_t lane);

  Group& add(Frame* frame, Pc pc, LaneMask mask);
  /// The last group takes its place: who holds a reference to either, here and in all that calls this or
  /// merge_ready(), lets go of it.
  void remove(Group& group);
  /// The lanes `away` of `group` become a group at `pc`.
  Group& split_off(Group& group, LaneMask away, Pc pc);
  /// Groups that are ready at the same place become one.
  void merge_ready();
  void meet() {
    if (count_ > 1) merge_ready();
  }
  /// The lanes of `group` leave the kernel.
  void exit(Group& group);

  Schedule::Kind schedule() const { return schedule_; }
  /// The group whose turn it is; nullptr where none can run. `exited`: lanes that nobody need wait for.
  Group* select(LaneMask exited);
  /// The group that runs stops here: another one waits, or its turn ends.
  Pc limit() const { return limit_; }
  void lower_limit(Pc pc) { limit_ = std::min(limit_, pc); }
  /// The lanes of `group` part, and under `lockstep` wait for each other at `pc` of its frame.
  void expect_meeting(const Group& group, Pc pc);
  /// The short way of what select() does where the two sides of an `if` meet again and there is no third
  /// group: `group`, the first, takes the lanes of the other and goes on.
  bool rejoin(Group& group);

 private:
  /// Where lanes that took different sides of a branch wait for each other.
  struct Meeting {
    Frame* frame = nullptr;
    Pc pc = 0;
    LaneMask lanes = 0;
  };

  Group* select_converged();
  Group* select_lockstep(LaneMask exited);
  Group* select_at_random();
  bool comes_before(const Group& a, const Group& b) const;
  bool is_at_exit(const Group& group) const;
  bool waits_at_meeting(const Group& group, LaneMask exited);
  void set_limit(const Group& chosen);
  std::uint64_t random();

  const Code& code_;
  std::array<Group, warp_size> groups_;
  std::uint32_t count_ = 0;
  Pc limit_ = 0;
  Schedule::Kind schedule_ = Schedule::Kind::converged;
  std::uint64_t random_state_ = 0;
  std::vector<Meeting> meetings_;
};

}  // namespace warpwise::simulator::run
