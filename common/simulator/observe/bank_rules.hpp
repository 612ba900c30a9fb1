#pragma once
/// \file What a shared-memory access costs: wavefronts and bank conflicts, as an H200 counts them.
/// Shared memory has 32 banks of 4-byte words; word w lies in bank w mod 32 (CUDA C++ programming guide,
/// "Shared memory"). The rules beyond that sentence were found by measuring: docs/simulator.md, "Counters".

#include <cstdint>

#include "../machine/access_shape.hpp"
#include "../machine/observer.hpp"

namespace warpwise::simulator {

struct SharedCost {
  std::uint32_t wavefronts = 0;      ///< passes through the data pipe
  std::uint32_t bank_conflicts = 0;  ///< wavefronts beyond those that the width of the access needs

  bool operator==(const SharedCost&) const = default;
};

/// Cost of one warp instruction that moves `bytes` (1 to 16) a lane, each lane of `lanes` at `address[lane]`
/// (offset in shared memory, a multiple of `bytes`; 32 entries, those outside `lanes` are ignored).
/// No lane, no cost. `shape` is shape_of the same access.
SharedCost shared_cost(machine::AccessKind kind, std::uint32_t bytes, machine::LaneMask lanes,
                       const std::uint64_t* address, machine::AccessShape shape);
SharedCost shared_cost(machine::AccessKind kind, std::uint32_t bytes, machine::LaneMask lanes,
                       const std::uint64_t* address);

}  // namespace warpwise::simulator
