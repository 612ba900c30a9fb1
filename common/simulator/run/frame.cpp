#include "frame.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "worker.hpp"

namespace warpwise::simulator::run {

void fill_row(std::byte* rows, Row row, Width width, std::uint64_t bits) {
  switch (width) {
    case Width::pred:
      *row_of<LaneMask>(rows, row) = bits != 0 ? all_lanes : 0;
      break;
    case Width::b32:
      std::fill_n(row_of<std::uint32_t>(rows, row), warp_size, static_cast<std::uint32_t>(bits));
      break;
    case Width::b64:
      std::fill_n(row_of<std::uint64_t>(rows, row), warp_size, bits);
      break;
    case Width::b128:
      std::fill_n(row_of<std::uint64_t>(rows, row), warp_size, bits);
      std::fill_n(row_of<std::uint64_t>(rows, row) + warp_size, warp_size, 0);
      break;
  }
}

Shadow& Frame::make_shadow() {
  if (shadow == nullptr) shadow = std::make_unique<Shadow>(function->layout);
  undefined = shadow.get();
  is_watched = true;
  return *shadow;
}

void Frame::leave_unset(LaneMask of) {
  for (const FrameLayout::Unset& row : function->layout.unset)
    make_shadow().undefine(row.row, row.width, of, not_read_yet);
}

void Frame::forget_undefined() {
  if (undefined != nullptr) undefined->clear();
  undefined = nullptr;
}

std::shared_ptr<FramePool> FramePool::of(const Code& code) {
  auto left = std::static_pointer_cast<FramePool>(std::exchange(code.frames, nullptr));
  return left != nullptr ? left : std::make_shared<FramePool>(code);
}

void FramePool::leave(std::shared_ptr<FramePool> pool) {
  if (pool->bytes_ > most_kept) return;
  for (auto& free : pool->free_) free.clear();
  for (const auto& frame : pool->all_) pool->give(frame.get());
  pool->code_.frames = std::move(pool);
}

Frame* FramePool::take(std::uint32_t function) {
  if (!free_[function].empty()) {
    Frame* frame = free_[function].back();
    free_[function].pop_back();
    frame->forget_undefined();
    return frame;
  }
  const DecodedFunction& decoded = code_.functions[function];
  const std::size_t bytes = std::max<std::size_t>(decoded.layout.bytes, 64);
  bytes_ += bytes;
  storage_.emplace_back(new (std::align_val_t{64}) std::byte[bytes]);
  Frame* frame = all_.emplace_back(std::make_unique<Frame>()).get();
  frame->rows = storage_.back().get();
  std::memset(frame->rows, 0, bytes);
  frame->function = &decoded;
  frame->index = function;
  for (const FrameLayout::Immediate& immediate : decoded.layout.immediates)
    fill_row(frame->rows, immediate.row, immediate.width, immediate.bits);
  return frame;
}

namespace {

/// Value of a special register that is the same in all lanes; the others are filled lane by lane.
std::uint64_t uniform_value(Special special, const BlockContext& block, std::uint32_t warp) {
  const LaunchContext& launch = *block.launch;
  switch (special) {
    case Special::ntid_x:
      return launch.block.x;
    case Special::ntid_y:
      return launch.block.y;
    case Special::ntid_z:
      return launch.block.z;
    case Special::ctaid_x:
      return block.index.x;
    case Special::ctaid_y:
      return block.index.y;
    case Special::ctaid_z:
      return block.index.z;
    case Special::nctaid_x:
      return launch.grid.x;
    case Special::nctaid_y:
      return launch.grid.y;
    case Special::nctaid_z:
      return launch.grid.z;
    case Special::warpid:
      return warp;
    case Special::nwarpid:
      return max_block_threads / warp_size;
    case Special::nsmid:
      return 1;
    case Special::gridid:
      return 1;
    case Special::one:
      return 1;
    case Special::lanes_in_warp:
      return warp_size;
    case Special::total_smem_size:
      return launch.asked_shared_bytes;
    case Special::reserved_smem_begin:
    case Special::reserved_smem_0:
      return launch.shared_bytes - reserved_shared_bytes;
    case Special::reserved_smem_1:
      return launch.shared_bytes - reserved_shared_bytes / 2;
    case Special::reserved_smem_end:
      return launch.shared_bytes;
    case Special::reserved_smem_cap:
      return reserved_shared_bytes;
    default:
      return 0;
  }
}

std::uint64_t lane_value(Special special, const Dim3& block, std::uint32_t warp, std::uint32_t lane) {
  const std::uint32_t thread = warp * warp_size + lane;
  switch (special) {
    case Special::tid_x:
      return thread % block.x;
    case Special::tid_y:
      return thread / block.x % block.y;
    case Special::tid_z:
      return thread / block.x / block.y;
    case Special::laneid:
      return lane;
    case Special::lanemask_eq:
      return lane_bit(lane);
    case Special::lanemask_lt:
      return lane_bit(lane) - 1;
    case Special::lanemask_le:
      return (std::uint64_t{2} << lane) - 1;
    case Special::lanemask_gt:
      return ~((std::uint64_t{2} << lane) - 1) & all_lanes;
    case Special::lanemask_ge:
      return ~(lane_bit(lane) - 1) & all_lanes;
    default:
      return 0;
  }
}

bool differs_between_lanes(Special special) {
  return special <= Special::tid_z || special == Special::laneid ||
         (special >= Special::lanemask_eq && special <= Special::lanemask_ge);
}

void fill_special(std::byte* rows, const FrameLayout::SpecialRow& row, const BlockContext& block,
                  std::uint32_t warp) {
  if (!differs_between_lanes(row.special))
    return fill_row(rows, row.row, row.width, uniform_value(row.special, block, warp));
  for (std::uint32_t lane = 0; lane < warp_size; ++lane)
    set_cell(rows, row.row, row.width, lane, lane_value(row.special, block.launch->block, warp, lane));
}

std::uint64_t parameter_value(const std::byte* from, std::uint8_t bytes, bool is_signed) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, bytes);
  if (is_signed && bytes < 8 && (value >> (8 * bytes - 1) & 1)) value |= ~std::uint64_t{0} << (8 * bytes);
  return value;
}

/// Like memory, so that nobody reads a lucky zero.
void poison_registers(Frame& frame) {
  for (const FrameLayout::Unset& unset : frame.function->layout.unset)
    std::memset(frame.rows + unset.row, std::to_integer<int>(poison), bytes_of(unset.width));
}

bool differs_between_blocks(Special special) {
  return special >= Special::ctaid_x && special <= Special::ctaid_z;
}

}  // namespace

void refill_frame(Frame& frame, const WarpContext& warp) {
  poison_registers(frame);
  for (const FrameLayout::SpecialRow& row : frame.function->layout.specials)
    if (differs_between_blocks(row.special)) fill_special(frame.rows, row, *warp.block, warp.warp);
}

void fill_frame(Frame& frame, const LaunchState& launch, const WarpContext& warp) {
  const FrameLayout& layout = frame.function->layout;
  poison_registers(frame);
  for (const FrameLayout::SpecialRow& row : layout.specials) {
    if (row.special == Special::dynamic_smem_size)
      fill_row(frame.rows, row.row, row.width, launch.request.dynamic_shared_bytes);
    else if (row.special == Special::grid_workspace_high)
      fill_row(frame.rows, row.row, row.width, launch.grid_workspace >> 32);
    else if (row.special == Special::grid_workspace_low)
      fill_row(frame.rows, row.row, row.width, launch.grid_workspace & 0xffff'ffff);
    else
      fill_special(frame.rows, row, *warp.block, warp.warp);
  }
  for (const FrameLayout::AddressRow& row : layout.dynamic_addresses)
    fill_row(frame.rows, row.row, row.width,
             launch.dynamic_shared_start + static_cast<std::uint64_t>(row.offset));
  if (frame.depth != 0) return;
  for (const FrameLayout::AddressRow& row : layout.local_addresses)
    fill_row(frame.rows, row.row, row.width, static_cast<std::uint64_t>(row.offset));
  for (const FrameLayout::KernelParameterRow& row : layout.kernel_parameters)
    fill_row(frame.rows, row.row, row.width,
             parameter_value(launch.parameters.data() + row.offset, row.bytes, row.is_signed));
}

}  // namespace warpwise::simulator::run
