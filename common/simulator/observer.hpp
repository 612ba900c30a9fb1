#pragma once
/// \file Who looks at a launch while it runs. The machine never diagnoses; observers never execute.
///
/// How to write one: docs/simulator.md, "An observer of your own".

#include <type_traits>
#include <vector>

#include "fault.hpp"
#include "undefined_use.hpp"

namespace warpwise::simulator::machine {

/// Receives the events of the blocks that one host thread runs. Blocks of one worker may interleave (they
/// take turns where one waits for another), so per-block state is keyed by BlockContext::slot.
class Observer {
 public:
  virtual ~Observer() = default;

  virtual void on_block_begin(const BlockContext&) {}
  virtual void on_block_end(const BlockContext&) {}
  /// Instructions first..last (both included) executed in one go by `lanes`. Guarded instructions are
  /// reported alone, with the lanes whose guard held.
  virtual void on_run(const WarpContext&, Pc /*first*/, Pc /*last*/, LaneMask /*lanes*/) {}
  /// A branch with a guard; `taken` is a subset of `active`. Divergent if neither empty nor equal.
  virtual void on_branch(const WarpContext&, Pc, LaneMask /*active*/, LaneMask /*taken*/) {}
  virtual void on_access(const WarpContext&, const Access&) {}
  /// Lanes arrive at block barrier `barrier` (bar.sync, bar.arrive, bar.red).
  virtual void on_barrier_arrive(const WarpContext&, Pc, std::uint32_t /*barrier*/, LaneMask) {}
  /// The barrier opens for `lanes_by_warp[w]` of each warp w. `is_whole_block`: every thread that has not
  /// exited.
  virtual void on_barrier_release(const BlockContext&, std::uint32_t /*barrier*/,
                                  std::span<const LaneMask> /*lanes_by_warp*/, bool /*is_whole_block*/) {}
  /// The copies that each of `lanes` has started, and not committed yet, are its next group.
  virtual void on_copy_commit(const WarpContext&, LaneMask /*lanes*/) {}
  /// Of each of `lanes` all groups have landed but the last `left`.
  virtual void on_copy_wait(const WarpContext&, std::uint32_t /*left*/, LaneMask /*lanes*/) {}
  /// `bar.warp.sync`: all of `lanes` have met.
  virtual void on_warp_barrier(const WarpContext&, Pc, LaneMask /*lanes*/) {}
  /// Another `*.sync` instruction, likewise.
  virtual void on_collective(const WarpContext&, Pc, LaneMask /*lanes*/) {}
  /// A shuffle, before its on_collective: who got whose value.
  virtual void on_shuffle(const WarpContext&, const Shuffle&) {}
  /// selp: those of `lanes` in which the predicate holds get the first operand, the others the second.
  virtual void on_select(const WarpContext&, Pc, LaneMask /*lanes*/, LaneMask /*first*/) {}
  /// membar / fence, executed by `lanes`.
  virtual void on_fence(const WarpContext&, Pc, Scope, LaneMask /*lanes*/) {}
  virtual void on_fault(const WarpContext&, const Fault&) {}
  /// Something depends on a value that nobody has set. Undefined values are followed only where an observer
  /// wants this event.
  virtual void on_undefined_use(const WarpContext&, const UndefinedUse&) {}
};

/// One event and the observers that want it. Calling it reports the event to each, in the order of adding.
template <auto on_event>
class Event {
 public:
  template <class... Arguments>
  void operator()(const Arguments&... arguments) const {
    for (Observer* const observer : observers_) (observer->*on_event)(arguments...);
  }
  bool is_wanted() const { return !observers_.empty(); }

  /// Adds `observer` where `own` is its own function, not the empty one that it inherits from Observer.
  template <class Class, class... Parameters>
  void add(Observer& observer, void (Class::*)(Parameters...)) {
    if constexpr (!std::is_same_v<Class, Observer>) observers_.push_back(&observer);
  }

 private:
  std::vector<Observer*> observers_;
};

/// The observers of one host thread, sorted by the events that they override: nobody is called in vain.
class ObserverList {
 public:
  Event<&Observer::on_block_begin> on_block_begin;
  Event<&Observer::on_block_end> on_block_end;
  Event<&Observer::on_run> on_run;
  Event<&Observer::on_branch> on_branch;
  Event<&Observer::on_access> on_access;
  Event<&Observer::on_barrier_arrive> on_barrier_arrive;
  Event<&Observer::on_barrier_release> on_barrier_release;
  Event<&Observer::on_copy_commit> on_copy_commit;
  Event<&Observer::on_copy_wait> on_copy_wait;
  Event<&Observer::on_warp_barrier> on_warp_barrier;
  Event<&Observer::on_collective> on_collective;
  Event<&Observer::on_shuffle> on_shuffle;
  Event<&Observer::on_select> on_select;
  Event<&Observer::on_fence> on_fence;
  Event<&Observer::on_fault> on_fault;
  Event<&Observer::on_undefined_use> on_undefined_use;

  /// `observer` is not owned. Its class is final, so that what it overrides can be seen here.
  template <class Own>
  void add(Own& observer) {
    static_assert(std::is_final_v<Own>, "an observer's class is final: its functions name its events");
    on_block_begin.add(observer, &Own::on_block_begin);
    on_block_end.add(observer, &Own::on_block_end);
    on_run.add(observer, &Own::on_run);
    on_branch.add(observer, &Own::on_branch);
    on_access.add(observer, &Own::on_access);
    on_barrier_arrive.add(observer, &Own::on_barrier_arrive);
    on_barrier_release.add(observer, &Own::on_barrier_release);
    on_copy_commit.add(observer, &Own::on_copy_commit);
    on_copy_wait.add(observer, &Own::on_copy_wait);
    on_warp_barrier.add(observer, &Own::on_warp_barrier);
    on_collective.add(observer, &Own::on_collective);
    on_shuffle.add(observer, &Own::on_shuffle);
    on_select.add(observer, &Own::on_select);
    on_fence.add(observer, &Own::on_fence);
    on_fault.add(observer, &Own::on_fault);
    on_undefined_use.add(observer, &Own::on_undefined_use);
  }
};

/// Observes launches: has observers for each host thread of a launch, and puts what they saw together.
class Observation {
 public:
  virtual ~Observation() = default;
  /// Before the first block; `slots` bounds BlockContext::slot.
  virtual void begin(const LaunchContext&, std::uint32_t /*slots*/) {}
  /// Once for each host thread, before any of them starts: adds its observers, which the Observation owns.
  virtual void add_observers(ObserverList& of_thread) = 0;
  /// After the last block, on the calling thread.
  virtual void end() {}
};

}  // namespace warpwise::simulator::machine
