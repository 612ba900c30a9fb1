#pragma once
/// \file What the machine tells of itself. The machine never diagnoses; observers never execute.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "../ptx/module.hpp"
#include "lanes.hpp"
#include "memory.hpp"

namespace warpwise::simulator::machine {

/// Block barriers have the numbers 0 to 15 (PTX ISA 9.7.13.1, "bar").
inline constexpr std::uint32_t barriers_per_block = 16;

/// Index of an instruction in a Program; the same numbering for all functions of a module.
using Pc = std::uint32_t;

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t volume() const { return std::uint64_t{x} * y * z; }
};

class Program;  // program.hpp: pc -> instruction, source line, function

/// One launch, as observers see it.
struct LaunchContext {
  const Program* program = nullptr;
  GlobalMemory* memory = nullptr;
  std::string kernel;
  Dim3 grid, block;
  std::uint32_t asked_shared_bytes = 0;     ///< of a block: static + dynamic, as the program asked
  std::uint32_t shared_bytes = 0;           ///< the same with gaps between variables, and the system's
  std::uint32_t reserved_shared_bytes = 0;  ///< of them, at their end, the system's
};

/// One block while it runs.
struct BlockContext {
  const LaunchContext* launch = nullptr;
  std::uint64_t linear = 0;  ///< x fastest
  Dim3 index;
  std::uint32_t threads = 0;
  std::uint32_t warps = 0;
  std::span<const std::byte> shared;  ///< contents, as they are now
  std::uint32_t barriers_passed = 0;  ///< releases of a barrier that all threads of the block took part in
  /// For observers: index of a slot that no other block uses at the same time, below `slots` of the launch.
  std::uint32_t slot = 0;
};

/// One warp of a block: handed to every event. Linear thread number = 32 * warp + lane.
struct WarpContext {
  const BlockContext* block = nullptr;
  std::uint32_t warp = 0;
  LaneMask exited = 0;  ///< lanes that have left the kernel, or never existed
};

enum class AccessKind : std::uint8_t {
  load,
  store,
  atomic,     ///< `atom`: returns the old value
  reduction,  ///< `red`
};

/// Memory semantics of an access (PTX ISA 8.4). volatile counts as relaxed at system scope.
enum class Ordering : std::uint8_t { weak, volatile_, relaxed, acquire, release, acq_rel };
enum class Scope : std::uint8_t { none, cta, cluster, gpu, sys };

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
  LaneMask lanes = 0;
  /// For each lane of `lanes`: global: device address; shared: offset from the start of the block's shared
  /// memory; local: offset in the thread's local memory; constant and param: offset.
  const std::uint64_t* address = nullptr;
  /// Stores only: the bytes lane i is about to write are value + i * bytes. nullptr for loads and atomics.
  const std::byte* value = nullptr;
  /// Global only: the allocation of each lane's address; all lanes of most accesses share one.
  Allocation* const* allocation = nullptr;
};

/// A defect that the machine itself runs into. It never stops the host: the lane's access is skipped, or the
/// launch ends, as each kind says.
enum class FaultKind : std::uint8_t {
  out_of_bounds,  ///< access skipped; a load gives poison
  misaligned,     ///< likewise
  read_only,      ///< store to constant memory; skipped
  block_barrier,  ///< part of the block waits at a barrier that the rest never reaches; launch ends
  sync_mask,      ///< `*.sync` with a mask that names a lane that does not come, or leaves out its caller
  sync_source,    ///< a shuffle reads from a lane that takes no part in it
  deadlock,       ///< every thread left waits for another; launch ends
  budget,         ///< instruction budget spent; launch ends
  trap,           ///< `trap`; launch ends
  assertion,      ///< assert() failed; launch ends
  stack,          ///< recursion too deep, local memory exhausted; launch ends
  unsupported,    ///< an instruction or call that the machine does not know; launch ends
};

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
  LaneMask mask = 0;     ///< the membermask
  LaneMask missing = 0;  ///< lanes of it that exited or wait elsewhere
  Pc other_pc = 0;       ///< where one of the missing lanes waits
  bool has_other_pc = false;
  std::uint32_t barrier = 0;  ///< number of the block barrier
  std::uint32_t arrived = 0;  ///< threads that wait at it
  std::uint32_t expected = 0;
  std::string text;  ///< assertion's expression, unsupported name ...

  /// A block barrier that opens although its threads stand at different places.
  bool all_have_arrived() const { return has_other_pc && arrived >= expected; }
  /// False for the faults after which the machine goes on: it skips the access, or gives what hardware might.
  bool ends_launch() const {
    switch (kind) {
      case FaultKind::out_of_bounds:
      case FaultKind::misaligned:
      case FaultKind::read_only:
      case FaultKind::sync_mask:
      case FaultKind::sync_source:
        return false;
      case FaultKind::block_barrier:
        return !all_have_arrived();
      default:
        return true;
    }
  }
};

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
  /// membar / fence, executed by `lanes`.
  virtual void on_fence(const WarpContext&, Pc, Scope, LaneMask /*lanes*/) {}
  virtual void on_fault(const WarpContext&, const Fault&) {}
};

/// Observes one launch: makes an Observer for each host thread, and puts what they saw together.
class Observation {
 public:
  virtual ~Observation() = default;
  /// Called once before the first block; `slots` bounds BlockContext::slot.
  virtual void begin(const LaunchContext&, std::uint32_t slots) = 0;
  /// One for each host thread; called before any of them starts. Owned by the Observation.
  virtual Observer& make_worker() = 0;
  /// After the last block, on the calling thread.
  virtual void end() = 0;
};

}  // namespace warpwise::simulator::machine
