#pragma once
/// \file What the machine reports of a launch: where it happened, and the accesses to memory.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "../ptx/module.hpp"
#include "access_shape.hpp"
#include "lanes.hpp"
#include "memory.hpp"

namespace warpwise::simulator::machine {

/// Block barriers have the numbers 0 to 15 (PTX ISA 9.7.13.1, "bar").
inline constexpr std::uint32_t barriers_per_block = 16;

/// Index of an instruction in a Program; the same numbering for all functions of a module.
using Pc = std::uint32_t;

/// Instructions [begin, end).
struct PcRange {
  Pc begin = 0, end = 0;

  std::uint32_t size() const { return end - begin; }
  std::uint32_t index_of(Pc pc) const { return pc - begin; }
};

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
  PcRange reach{};                          ///< what the launch may execute lies in here
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

/// Access::used where a load is as wide as the program's.
inline constexpr std::uint32_t all_bytes = ~std::uint32_t{0};

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
  /// Has been asked for: where it is not, a rule may be as quick without it.
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

}  // namespace warpwise::simulator::machine
