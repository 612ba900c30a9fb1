#pragma once
/// \file Runs a launch that had a race once more, to learn which order its two accesses lack. A barrier is
/// only advised where it would cure, and that is tried: while the launch runs again, the passings of each
/// place in the source where a barrier could stand are counted, thread by thread.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../global_memory.hpp"
#include "../launch.hpp"
#include "race_cell.hpp"

namespace warpwise::simulator::observe {

/// A place behind a line at which a barrier orders the two accesses of a race, and which all threads of the
/// block, or of the warp, pass equally often.
struct BarrierPlace {
  std::string file;
  std::uint32_t line = 0;
  bool is_for_warp = false;   ///< all threads of a warp pass it equally often, but not of the block
  bool ends_loop = false;     ///< the last place in the body of a loop
  bool needs_braces = false;  ///< the body of a loop that has none yet
  bool orders_all = false;    ///< also the other threads that meet in the two lines
};

/// A flag that the writing thread's block sets after the write, and the reading one's reads before the read.
struct FlagBetween {
  Pc set_pc = 0, read_pc = 0;
  std::uint32_t write_line = 0, read_line = 0;  ///< behind which a fence of the one and the other belongs
  bool is_set_fenced = false, is_read_fenced = false;
};

/// What a second run showed of a race. Lines are of the file in which the accesses are.
struct RaceOrder {
  bool is_known = false;           ///< the two accesses came again as before
  bool has_warp_barriers = false;  ///< the kernel has a __syncwarp()
  bool keeps_to_warps = false;     ///< its block is one warp, and it has no barrier of the block
  std::optional<BarrierPlace> barrier;
  std::uint32_t loop_line = 0;  ///< the accesses are of different rounds of the loop in this line
  bool is_next_call = false;    ///< ... of different calls of the function
  bool is_same_round = false;   ///< no place in the source parts them, and all threads go round equally often
  std::uint32_t condition = 0;  ///< the line of the `if` around what the idle thread does
  std::uint32_t keeps_away =
      0;  ///< of the `if` that keeps some threads from all places that would order the two
  std::optional<Touch> idle;      ///< what this side of the race does reaches no result
  bool idle_has_element = false;  ///< else it may be idle only because n is smaller than the block
  std::optional<FlagBetween> flag;
  struct Extent {
    std::uint64_t begin = 0, end = 0;
    std::uint32_t element_bytes = 0;
  };
  Extent first, second;  ///< what all threads of the block touch at the two instructions
};

/// In the order of `races`, each of which this launch has shown. All memory is afterwards as it was.
/// `before`: the memory from before the launch; null: as the launch has left it, which will do where its
/// course does not depend on what it has overwritten. Where it does, RaceOrder::is_known is false.
std::vector<RaceOrder> try_again(const Program& program, GlobalMemory& memory, const LaunchRequest& request,
                                 const LaunchOptions& options, const MemoryImage* before,
                                 std::span<const RaceSeen> races);

}  // namespace warpwise::simulator::observe
