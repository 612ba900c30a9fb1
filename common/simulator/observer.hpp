#pragma once
/// \file Who looks at a launch while it runs, and the events that the machine reports. Among them are the
/// faults that keep it from doing what an instruction asks; every other defect is found by observers, from
/// the events alone. Observers never execute.
///
/// How to write one: docs/simulator.md, "An observer of your own".

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "launch.hpp"

namespace warpwise::simulator {

// ---- Accesses to memory ----------------------------------------------------------------------------------

enum class AccessKind : std::uint8_t {
  load,
  store,
  atomic,     ///< `atom`: returns the old value
  reduction,  ///< `red`
};
constexpr bool is_atomic(AccessKind kind) {
  return kind == AccessKind::atomic || kind == AccessKind::reduction;
}

/// Memory semantics of an access (PTX ISA 8.4). volatile counts as relaxed at system scope. An atomic is
/// never weak: where its text has no word about it, it is relaxed.
enum class Ordering : std::uint8_t { weak, volatile_, relaxed, acquire, release, acq_rel };
enum class Scope : std::uint8_t { none, cta, cluster, gpu, sys };

/// Access::used where a load is as wide as the program's.
inline constexpr std::uint32_t all_bytes = ~std::uint32_t{0};

/// The two shapes that most accesses have: found first, so that counting and checking can be quick.
enum class AccessShape : std::uint8_t {
  uniform,      ///< every active lane has the same address
  consecutive,  ///< lane i has the address of lane 0 plus i times the bytes of a lane
  other,
};

/// The shape of an access of `bytes` a lane. `address` has 32 entries, those outside `lanes` are ignored.
/// Of one active lane, which has both shapes, it says `uniform`.
AccessShape shape_of(std::uint32_t bytes, LaneMask lanes, const std::uint64_t* address);

/// One memory instruction executed by a group of lanes; reported *before* memory changes.
/// Only lanes whose address is good are in `lanes`: the others were reported as faults first.
struct Access {
  Pc pc = 0;
  AccessKind kind = AccessKind::load;
  ptx::Space space = ptx::Space::global;  ///< resolved: never generic
  Ordering ordering = Ordering::weak;
  Scope scope = Scope::none;
  std::uint8_t bytes = 4;     ///< a lane, all elements of a vector together
  std::uint8_t elements = 1;  ///< 1, 2 or 4 (8)
  /// The store of a cp.async: other accesses must keep away until it lands, at an on_copy_wait.
  bool is_async = false;
  /// Loads only: bit i for byte i of what a lane asks for. The program looks at these alone; the compiler has
  /// added the others, which may lie outside the allocation.
  std::uint32_t used = all_bytes;
  LaneMask lanes = 0;
  /// For each lane of `lanes`: global: device address; shared: offset from the start of the block's shared
  /// memory; local: offset in the thread's local memory; constant and param: offset.
  const std::uint64_t* address = nullptr;
  /// Stores only: the bytes lane i is about to write are value + i * bytes. nullptr for loads and atomics.
  const std::byte* value = nullptr;
  /// Global only: the allocation of each lane's address; all lanes of most accesses share one.
  Allocation* const* allocation = nullptr;

  /// Behind the last byte that is used.
  std::uint32_t used_end() const {
    return used == all_bytes
               ? bytes
               : std::min<std::uint32_t>(bytes, static_cast<std::uint32_t>(std::bit_width(used)));
  }

  /// Found when an observer first asks, and kept for the others.
  AccessShape shape() const {
    if (!shape_) shape_ = shape_of(bytes, lanes, address);
    return *shape_;
  }
  /// The shape where somebody has asked for it, else `other`: a rule that is as quick without the shape need
  /// not find it.
  AccessShape known_shape() const { return shape_.value_or(AccessShape::other); }
  /// The same access by some of its lanes.
  Access of(LaneMask some) const {
    Access part = *this;
    part.lanes = some;
    part.shape_.reset();
    return part;
  }

 private:
  mutable std::optional<AccessShape> shape_;
};

/// What the lanes of a `shfl` got. Both rows have 32 entries, of which those of `lanes` mean something.
struct Shuffle {
  Pc pc = 0;
  LaneMask lanes = 0;
  const std::uint8_t* source = nullptr;  ///< lane i reads from lane source[i], which may be itself
  const std::uint32_t* value = nullptr;  ///< and gets value[i]
};

/// Where the operands of an instruction are that a group of lanes is about to execute: a row each, of 32
/// cells, in the decoded instruction (decode/code.hpp). Reported before anything changes.
struct Operands {
  Pc pc = 0;
  LaneMask lanes = 0;    ///< that execute it
  LaneMask reached = 0;  ///< that have come to it: those whose guard does not hold, too
  const std::byte* rows = nullptr;
  /// Of a `*.sync`: all lanes that execute it together; there is an event for each place where some of them
  /// stand. 0 in the event in which they come to it, of which only the guard means something.
  LaneMask together = 0;
  /// Of an access to memory: as on_access has it. nullptr in the event that says who has come to it.
  const Access* access = nullptr;
};

// ---- Defects that the machine itself meets ---------------------------------------------------------------

/// Block barriers have the numbers 0 to 15 (PTX ISA 9.7.13.1, "bar").
inline constexpr std::uint32_t barriers_per_block = 16;

/// A row for each defect that the machine itself runs into. None stops the host: the launch ends, or goes on
/// as the row says. The columns: the fault, the kind of finding that it is, the status that its launch gets,
/// and whether the launch ends there.
#define WARPWISE_FAULTS(X)                                                                    \
  /* the access is skipped; a load gives poison */                                            \
  X(out_of_bounds, out_of_bounds, memory_fault, false)                                        \
  X(misaligned, misaligned, memory_fault, false)                                              \
  /* a store to constant memory, which is skipped */                                          \
  X(read_only, out_of_bounds, memory_fault, false)                                            \
  /* free() of what no malloc() of a kernel gave, or a second time; nothing is freed */       \
  X(bad_free, out_of_bounds, memory_fault, false)                                             \
  /* part of the block waits at a barrier that the rest never reaches; one that opens with */ \
  /* threads at different places ends nothing: all_have_arrived() */                          \
  X(block_barrier, barrier, deadlock, true)                                                   \
  /* `*.sync` with a mask that names a lane that never arrives, or leaves out its caller */   \
  /* (those that have come go on) */                                                          \
  X(sync_mask, sync, sync_fault, false)                                                       \
  /* a shuffle reads from a lane that takes no part in it, and gets poison or 0 */            \
  X(sync_source, sync, sync_fault, false)                                                     \
  /* every remaining thread is waiting for another */                                         \
  X(deadlock, deadlock, deadlock, true)                                                       \
  /* a loop that changes nothing */                                                           \
  X(endless, timeout, deadlock, true)                                                         \
  /* the budget of instructions or of time is spent */                                        \
  X(budget, timeout, budget_spent, true)                                                      \
  X(trap, launch, trapped, true)                                                              \
  X(assertion, launch, assertion_failed, true)                                                \
  /* recursion too deep, local memory exhausted */                                            \
  X(stack, launch, memory_fault, true)                                                        \
  /* an instruction or call that the machine does not know */                                 \
  X(unsupported, unsupported, unsupported, true)

#define WARPWISE_ENUMERATOR(kind, finding, status, ends) kind,
enum class FaultKind : std::uint8_t { WARPWISE_FAULTS(WARPWISE_ENUMERATOR) };
#undef WARPWISE_ENUMERATOR

struct Fault {
  FaultKind kind = FaultKind::trap;
  Pc pc = 0;
  LaneMask lanes = 0;
  // Memory faults:
  AccessKind access = AccessKind::load;
  ptx::Space space = ptx::Space::global;
  std::uint8_t bytes = 0;
  std::uint64_t address = 0;  ///< of the lowest lane: as Access::address; generic addresses as they are
  std::uint64_t limit = 0;    ///< bytes that the program has in that space (shared, local, param)
  // Synchronisation faults:
  LaneMask mask = 0;             ///< the membermask
  LaneMask missing = 0;          ///< lanes of it that exited or wait elsewhere
  std::optional<Pc> other_pc{};  ///< where one of the missing lanes waits
  bool is_open = false;          ///< a shuffle from a lane that is not there, on which nothing depends so far
  std::uint32_t barrier = 0;     ///< number of the block barrier
  std::uint32_t arrived = 0;     ///< threads that wait at it
  std::uint32_t expected = 0;
  std::string text{};  ///< assertion's expression, unsupported name ...
  /// Of a kernel that is stopped: source `index`, 0 or 1, of the `setp` at a pc of the same function, as it
  /// is in the lowest lane. To be asked during the event.
  std::function<std::uint64_t(Pc, std::uint32_t /*index*/)> compared{};

  static Fault sync_mask(Pc pc, LaneMask lanes, LaneMask mask, LaneMask missing) {
    return {.kind = FaultKind::sync_mask, .pc = pc, .lanes = lanes, .mask = mask, .missing = missing};
  }
  static Fault block_barrier(Pc pc, LaneMask lanes, std::uint32_t barrier, std::uint32_t arrived,
                             std::uint32_t expected) {
    return {.kind = FaultKind::block_barrier,
            .pc = pc,
            .lanes = lanes,
            .barrier = barrier,
            .arrived = arrived,
            .expected = expected};
  }
  /// A block barrier that opens although its threads stand at different places: the launch goes on.
  bool all_have_arrived() const {
    return kind == FaultKind::block_barrier && other_pc && arrived >= expected;
  }
#define WARPWISE_STATUS(kind, finding, status, ends) LaunchStatus::status,
#define WARPWISE_ENDS(kind, finding, status, ends) ends,
  LaunchStatus status() const {
    static constexpr LaunchStatus by_kind[] = {WARPWISE_FAULTS(WARPWISE_STATUS)};
    return all_have_arrived() ? LaunchStatus::sync_fault : by_kind[static_cast<std::size_t>(kind)];
  }
  bool ends_launch() const {
    static constexpr bool by_kind[] = {WARPWISE_FAULTS(WARPWISE_ENDS)};
    return by_kind[static_cast<std::size_t>(kind)] && !all_have_arrived();
  }
#undef WARPWISE_STATUS
#undef WARPWISE_ENDS
};

/// Where a thread of the block first met an undefined value.
struct UndefinedOrigin {
  Pc pc = 0;                 ///< the load, or the first instruction that computes with the register
  bool is_register = false;  ///< no instruction had written the register; else nobody had written the memory
  std::uint32_t thread = 0;  ///< linear in the block
  bool is_absent_lane = false;  ///< a shuffle from a lane that took no part
  // Of memory:
  ptx::Space space = ptx::Space::global;
  std::uint64_t address = 0;  ///< as Access::address
};

/// What depends on the value.
enum class ValueUse : std::uint8_t {
  branch,    ///< a branch, or a predicate in front of an instruction with side effects
  address,   ///< of memory, or of a function
  store,     ///< it becomes the contents of global memory
  atomic,    ///< an atomic uses it, or changes it in memory
  exchange,  ///< it names lanes of a shuffle, vote or match, or is what a block barrier exchanges
};

/// An instruction of some lanes that uses undefined values of one origin.
struct UndefinedUse {
  Pc pc = 0;
  ValueUse use = ValueUse::branch;
  LaneMask lanes = 0;
  UndefinedOrigin origin;
};

// ---- Observers -------------------------------------------------------------------------------------------

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
  /// membar / fence, executed by `lanes`.
  virtual void on_fence(const WarpContext&, Pc, Scope, LaneMask /*lanes*/) {}
  virtual void on_fault(const WarpContext&, const Fault&) {}
  /// An instruction is about to be executed. Instructions are executed one by one where an observer wants
  /// this event.
  virtual void on_operands(const WarpContext&, const Operands&) {}
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
  Event<&Observer::on_fence> on_fence;
  Event<&Observer::on_fault> on_fault;
  Event<&Observer::on_operands> on_operands;
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
    on_fence.add(observer, &Own::on_fence);
    on_fault.add(observer, &Own::on_fault);
    on_operands.add(observer, &Own::on_operands);
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

// ---- What an access costs --------------------------------------------------------------------------------

/// What an access to shared memory costs, as an H200 counts it. Shared memory has 32 banks of 4-byte words;
/// word w lies in bank w mod 32 (CUDA C++ programming guide, "Shared memory"). The rules beyond that sentence
/// were found by measuring: docs/simulator.md, "Counters".
struct SharedCost {
  std::uint32_t wavefronts = 0;      ///< passes through the data pipe
  std::uint32_t bank_conflicts = 0;  ///< wavefronts beyond those that the width of the access needs

  bool operator==(const SharedCost&) const = default;
};

/// Cost of one warp instruction that moves `bytes` (1 to 16) a lane, each lane of `lanes` at `address[lane]`
/// (offset in shared memory, a multiple of `bytes`; 32 entries, those outside `lanes` are ignored).
/// No lane, no cost. The same is found sooner where `shape` is shape_of the access; `other` is always right.
SharedCost shared_cost(AccessKind kind, std::uint32_t bytes, LaneMask lanes, const std::uint64_t* address,
                       AccessShape shape);
SharedCost shared_cost(AccessKind kind, std::uint32_t bytes, LaneMask lanes, const std::uint64_t* address);

/// How many sectors an access to global memory moves, as an H200 counts them. A sector is an aligned piece of
/// 32 bytes, a quarter of a cache line (Nsight Compute documentation, "Memory tables"). Of one warp
/// instruction (which is one request) that moves `bytes` a lane, each lane of `lanes` at `address[lane]` (a
/// multiple of `bytes`; 32 entries, those outside `lanes` are ignored). No lane, none. `shape` as above.
std::uint32_t global_sectors(AccessKind kind, std::uint32_t bytes, LaneMask lanes,
                             const std::uint64_t* address, AccessShape shape);
std::uint32_t global_sectors(AccessKind kind, std::uint32_t bytes, LaneMask lanes,
                             const std::uint64_t* address);

}  // namespace warpwise::simulator
