#pragma once
/// \file One activation of a function by lanes of a warp, and the pool that frames are taken from.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "../decode/code.hpp"
#include "../observer.hpp"

namespace warpwise::simulator::run {

using namespace decode;  // what runs is what decoding has made

// ---- undefined_values.cpp: which bits of a frame are undefined, and where they come from

/// Number of an UndefinedOrigin among those of the block (Origins), with a flag.
using OriginId = std::uint32_t;
/// Of a register that nobody has set: the first instruction that computes with it becomes its origin.
inline constexpr OriginId not_read_yet = 0;
/// Flag: bytes that nobody wrote, beside others that somebody did, copied along with them: padding. Storing
/// them is no use; computing with them is.
inline constexpr OriginId padding_flag = OriginId{1} << 31;
/// Flag: the bits around a bit-field, in a word that is copied as it is. Whatever takes something out of it
/// clears the flag.
inline constexpr OriginId bit_field_flag = OriginId{1} << 30;
inline constexpr OriginId origin_flags = padding_flag | bit_field_flag;

/// The frame once more: a set bit stands for an undefined one. Made for frames that hold an undefined value,
/// so that the others cost nothing.
class Shadow {
 public:
  explicit Shadow(const FrameLayout& layout);

  /// No value of the frame is undefined.
  bool is_empty() const { return rows_ == 0; }
  /// False: all of the row (or of the area of a parameter, by its start) is defined.
  bool holds(Row row) const { return is_held_[row / row_unit]; }
  void clear();

  /// In the frame's layout. Behind it lie max_rows rows of scratch: see scratch().
  std::byte* bits() { return reinterpret_cast<std::byte*>(bits_.data()); }
  Row scratch(std::size_t i) const { return frame_bytes_ + static_cast<Row>(i) * widest_row; }
  /// Lanes of which some bit is undefined.
  LaneMask lanes(Row row, Width width);
  OriginId origin(Row row, Width width, std::uint32_t lane) const {
    return origins_[place(row, width, lane)];
  }
  void set_origin(Row row, Width width, std::uint32_t lane, OriginId origin) {
    origins_[place(row, width, lane)] = origin;
  }

  /// All bits of these lanes.
  void define(Row row, Width width, LaneMask lanes);
  void undefine(Row row, Width width, LaneMask lanes, OriginId origin);
  /// To be called when the bits of a row have been changed.
  void settle(Row row, Width width) { hold(row, bytes_of(width), lanes(row, width) != 0); }

  /// The place of a parameter or an argument, for one lane.
  bool is_undefined(const LanePlace& place, std::uint32_t lane);
  void settle(const LanePlace& place);
  OriginId& origin(const LanePlace& place, std::uint32_t lane) {
    // A register's place has the origins of its row: one behind the other, however wide the cells are.
    const std::size_t step = place.stride == 8 ? row_unit : place.stride;
    return origins_[(place.start + lane * step) / row_unit];
  }
  void define(const LanePlace& place, LaneMask lanes);

 private:
  static constexpr Row row_unit = 4;
  static constexpr Row widest_row = 16 * warp_size;

  /// A predicate has one origin for all lanes, the last that was set.
  static std::size_t place(Row row, Width width, std::uint32_t lane) {
    return row / row_unit + (width == Width::pred ? 0 : lane);
  }
  /// clear() goes through the parts of the frame that held something: frames are large, and each warp clears
  /// one.
  static constexpr Row part_bytes = 4096;
  void hold(Row row, std::uint32_t bytes, bool holds) {
    rows_ += static_cast<std::uint32_t>(holds) - static_cast<std::uint32_t>(is_held_[row / row_unit]);
    is_held_[row / row_unit] = holds;
    if (holds)
      for (Row part = row / part_bytes; part <= (row + bytes - 1) / part_bytes; ++part)
        has_held_[part] = true;
  }

  std::uint32_t frame_bytes_;
  std::uint32_t rows_ = 0;  ///< that hold something undefined
  std::vector<std::uint64_t> bits_;
  std::vector<OriginId> origins_;  ///< one for each 4 bytes of the frame
  std::vector<bool> is_held_;      ///< likewise
  std::vector<bool> has_held_;     ///< by part: in the others all bits are 0
};

/// As cell_in() has it; of 128 bits both halves get the value.
void set_cell(std::byte* rows, Row row, Width width, std::uint32_t lane, std::uint64_t value);

// ---- frame.cpp

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
  /// Somebody follows its values: one is undefined, or operands are reported. Warp::watch() takes it back.
  bool is_watched = false;

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

/// Frames of one worker, reused from block to block, and where they are few from launch to launch:
/// immediates are written only when a frame is made.
class FramePool {
 public:
  /// The one that an earlier launch of the code has left, or a new one.
  static std::shared_ptr<FramePool> of(const Code& code);
  /// Nobody uses a frame of it any more.
  static void leave(std::shared_ptr<FramePool> pool);
  explicit FramePool(const Code& code) : code_(code), free_(code.functions.size()) {}
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;
  Frame* take(std::uint32_t function);
  void give(Frame* frame) { free_[frame->index].push_back(frame); }

 private:
  struct AlignedDelete {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  static constexpr std::size_t most_kept = std::size_t{1} << 24;
  const Code& code_;
  std::size_t bytes_ = 0;
  std::vector<std::vector<Frame*>> free_;
  std::vector<std::unique_ptr<Frame>> all_;
  std::vector<std::unique_ptr<std::byte[], AlignedDelete>> storage_;
};

/// Fills `row` of `width` with one value for all lanes.
void fill_row(std::byte* rows, Row row, Width width, std::uint64_t bits);

struct LaunchState;  // worker.hpp
/// What a warp finds in a frame when it takes it: special registers, addresses, kernel parameters.
void fill_frame(Frame& frame, const LaunchState& launch, const WarpContext& warp);
/// A kernel's frame that this warp has used for another block: no instruction writes to the other rows.
void refill_frame(Frame& frame, const WarpContext& warp);

}  // namespace warpwise::simulator::run
