#pragma once
/// \file Defects that the machine itself runs into.

#include <string>

#include "event.hpp"

namespace warpwise::simulator::machine {

/// A defect that the machine itself runs into. It never stops the host: the lane's access is skipped, or the
/// launch ends, as each kind says.
enum class FaultKind : std::uint8_t {
  out_of_bounds,  ///< access skipped; a load gives poison
  misaligned,     ///< likewise
  read_only,      ///< store to constant memory; skipped
  bad_free,       ///< free() of what no malloc() of a kernel gave, or a second time; nothing is freed
  block_barrier,  ///< part of the block waits at a barrier that the rest never reaches; launch ends
  sync_mask,      ///< `*.sync` with a mask that names a lane that does not come, or leaves out its caller
  sync_source,    ///< a shuffle reads from a lane that takes no part in it
  deadlock,       ///< every thread left waits for another; launch ends
  endless,        ///< a loop that changes nothing; launch ends
  budget,         ///< budget of instructions or of time spent; launch ends
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
  std::string text{};  ///< assertion's expression, unsupported name ...

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
  /// Says where others are.
  void set_other(Pc where) {
    other_pc = where;
    has_other_pc = true;
  }

  /// A block barrier that opens although its threads stand at different places.
  bool all_have_arrived() const { return has_other_pc && arrived >= expected; }
  /// False for the faults after which the machine goes on: it skips the access, or gives what hardware might.
  bool ends_launch() const {
    switch (kind) {
      case FaultKind::out_of_bounds:
      case FaultKind::misaligned:
      case FaultKind::read_only:
      case FaultKind::bad_free:
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

}  // namespace warpwise::simulator::machine
