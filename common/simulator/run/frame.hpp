#pragma once
/// \file One activation of a function by lanes of a warp, and the pool that frames are taken from.

#include <memory>
#include <new>
#include <vector>

#include "../decode/code.hpp"
#include "shadow.hpp"

namespace warpwise::simulator::run {

/// Lanes of a warp that are in the same function at the same call depth share one frame: each has its own
/// column of cells. Where a lane came from is therefore kept lane by lane.
struct Frame {
  const DecodedFunction* function = nullptr;
  std::uint32_t index = 0;  ///< of the function in Code::functions
  std::uint32_t depth = 0;  ///< 0: the kernel itself
  LaneMask lanes = 0;       ///< lanes in this activation
  std::byte* rows = nullptr;
  Frame* caller[warp_size] = {};
  const Call* call[warp_size] = {};
  Pc return_pc[warp_size] = {};
  std::uint32_t local_base[warp_size] = {};  ///< where the function's depot starts in the lane's local memory
  Shadow* undefined = nullptr;               ///< `shadow` while some value of the frame is undefined
  std::unique_ptr<Shadow> shadow;            ///< made when it is first needed

  /// To set undefined bits in; settle() comes after.
  Shadow& make_shadow();
  void settle() {
    if (undefined != nullptr && undefined->is_empty()) undefined = nullptr;
  }
  /// `of` lanes meet the function's registers that nobody has set yet.
  void leave_unset(LaneMask of);
  /// Everything is defined again.
  void forget_undefined();
};

/// Frames of one worker, reused from block to block: immediates are written only when a frame is made.
class FramePool {
 public:
  explicit FramePool(const Code& code) : code_(code), free_(code.functions.size()) {}
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;
  Frame* take(std::uint32_t function);
  void give(Frame* frame) { free_[frame->index].push_back(frame); }

 private:
  struct AlignedDelete {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  const Code& code_;
  std::vector<std::vector<Frame*>> free_;
  std::vector<std::unique_ptr<Frame>> all_;
  std::vector<std::unique_ptr<std::byte[], AlignedDelete>> storage_;
};

/// Fills `row` of `width` with one value for all lanes.
void fill_row(std::byte* rows, Row row, Width width, std::uint64_t bits);
/// The same for one lane.
void fill_cell(std::byte* rows, Row row, Width width, std::uint32_t lane, std::uint64_t bits);

struct LaunchState;  // launch_state.hpp
/// What a warp finds in a frame when it takes it: special registers, addresses, kernel parameters.
void fill_frame(Frame& frame, const LaunchState& launch, const WarpContext& warp);
/// A kernel's frame that this warp has used for another block: no instruction writes to the other rows.
void refill_frame(Frame& frame, const WarpContext& warp);

}  // namespace warpwise::simulator::run
