/// \file Instructions of PTX that are several accesses to memory, one after the other.

#include <bit>

#include "block.hpp"
#include "worker.hpp"

namespace warpwise::simulator::run {

namespace {

/// Index of AsyncCopy::loads.
std::size_t load_of(std::uint32_t bytes) { return static_cast<std::size_t>(std::countr_zero(bytes)); }

}  // namespace

/// Lanes read all bytes, some of them or none; what they do not read is zero.
void Warp::copy_async(Group& group, const AsyncCopy& copy, Pc pc, LaneMask active) {
  std::byte* const rows = group.frame->rows;
  auto* const data = row_of<std::uint64_t>(rows, copy.data);
  for (const std::uint32_t lane : lanes_in(active)) data[lane] = data[warp_size + lane] = 0;
  Frame& frame = *group.frame;
  if (frame.undefined != nullptr) undefined_.define(frame, copy.data, Width::b128, active);
  const auto use = [&](Row row, Width width, ValueUse what) {
    if (row != no_row && frame.undefined != nullptr) undefined_.use(frame, pc, row, width, active, what);
  };
  use(copy.ignored, Width::pred, ValueUse::branch);
  use(copy.size, Width::b32, ValueUse::address);

  LaneMask whole = active, partial = 0;
  if (copy.ignored != no_row) {
    const LaneMask ignored = *row_of<LaneMask>(rows, copy.ignored);
    whole &= copy.is_ignored_negated ? ignored : ~ignored;
  }
  if (copy.size != no_row) {
    const auto* size = row_of<std::uint32_t>(rows, copy.size);
    for (const std::uint32_t lane : lanes_in(active)) {
      if (size[lane] == copy.bytes) continue;
      whole &= ~lane_bit(lane);
      if (size[lane] == 0) continue;
      if (size[lane] > copy.bytes) {
        return report({.kind = FaultKind::trap,
                       .pc = pc,
                       .lanes = lane_bit(lane),
                       .text = "cp.async with a src-size above its cp-size"});
      }
      partial |= lane_bit(lane);
    }
  }
  if (whole != 0) access(group, copy.loads[load_of(copy.bytes)], pc, whole);
  const auto size_of = [&](std::uint32_t lane) { return row_of<std::uint32_t>(rows, copy.size)[lane]; };
  for_each_agreeing(partial, size_of,
                    [&](LaneMask same) { read_pieces(group, copy, size_of(lowest_lane(same)), pc, same); });
  access(group, copy.store, pc, active);
}

/// The first `bytes` of the source into the zeros of AsyncCopy::data, in aligned pieces: 12 are 8 and 4.
void Warp::read_pieces(Group& group, const AsyncCopy& copy, std::uint32_t bytes, Pc pc, LaneMask lanes) {
  std::byte* const rows = group.frame->rows;
  auto* const data = row_of<std::uint64_t>(rows, copy.data);
  const auto* const piece = row_of<std::uint64_t>(rows, copy.piece);
  for (std::uint32_t done = 0; done < bytes;) {
    const std::uint32_t next = std::bit_floor(bytes - done);
    Instruction load = copy.loads[load_of(next)];
    load.offset += done;
    access(group, load, pc, lanes);
    for (const std::uint32_t lane : lanes_in(lanes))
      data[done / 8 * warp_size + lane] |= piece[lane] << done % 8 * 8;
    if (group.frame->undefined != nullptr) undefined_.join(*group.frame, copy.data, copy.piece, done, lanes);
    done += next;
  }
}

void Warp::vector_atomic(Group& group, const VectorAtomic& vector, Pc pc, LaneMask active) {
  const Instruction& first = vector.elements.front();
  const std::byte* const rows = group.frame->rows;
  LaneMask misaligned = 0;
  std::uint64_t bad_address = 0;
  for (const std::uint32_t lane : lanes_in(active)) {
    const std::byte* base = rows + first.rows[address_row];
    const std::uint64_t start = vector.address_width == Width::b64
                                    ? reinterpret_cast<const std::uint64_t*>(base)[lane]
                                    : reinterpret_cast<const std::uint32_t*>(base)[lane];
    const std::uint64_t address = start + static_cast<std::uint64_t>(first.offset);
    if (address % vector.bytes == 0) continue;
    if (misaligned == 0) bad_address = address;
    misaligned |= lane_bit(lane);
  }
  if (misaligned != 0) {
    report({.kind = FaultKind::misaligned,
            .pc = pc,
            .lanes = misaligned,
            .access = code_.memory[first.detail].kind,
            .bytes = static_cast<std::uint8_t>(vector.bytes),
            .address = bad_address});
    active &= ~misaligned;
  }
  if (active == 0) return;
  for (const Instruction& element : vector.elements) access(group, element, pc, active);
}

}  // namespace warpwise::simulator::run
