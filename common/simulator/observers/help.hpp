#pragma once
/// \file One sentence on how to mend each kind of defect.

#include <cstdint>
#include <string>

namespace warpwise::simulator {

/// What went wrong, more finely than FindingKind.
enum class Situation : std::uint8_t {
  race_in_warp,
  race_in_warp_volatile,
  race_in_block,
  race_in_instruction,
  race_with_atomic,
  race_in_block_global,
  race_between_blocks,
  race_between_blocks_with_atomic,
  race_between_blocks_update,
  copy_under_way,
  unwritten_shared,
  unwritten_global,
  unwritten_local,
  global_out_of_bounds,
  shared_out_of_bounds,
  other_out_of_bounds,
  null_pointer,
  misaligned,
  read_only,
  barrier_not_reached,
  barriers_differ,
  mask_without_caller,
  mask_with_absent,
  shuffle_from_absent,
  deadlock,
  budget,
  trap,
  assertion,
  stack,
  unsupported,
};

std::string help_for(Situation situation);

}  // namespace warpwise::simulator
