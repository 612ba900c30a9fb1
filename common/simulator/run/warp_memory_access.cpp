/// \file From a memory instruction to checked addresses: space, bounds, alignment, faults, events.

#include "memory_rows.hpp"

#include <algorithm>
#include <bit>

#include "block.hpp"
#include "warp.hpp"
#include "worker.hpp"

namespace warpwise::simulator::run {

using ptx::Space;

/// The addresses of one memory instruction on their way to memory.
struct Warp::Addresses {
  alignas(64) Lanes<std::uint64_t> value;
  Allocation* allocation[warp_size];  ///< global memory only; filled where an observer wants accesses
};

namespace {

Space space_of(std::uint64_t address) {
  if (address - shared_window < window_bytes) return Space::shared;
  if (address - local_window < window_bytes) return Space::local;
  if (address - param_window < window_bytes) return Space::param;
  // Constant variables keep their host address behind the window's highest byte.
  return address >> 56 == constant_window >> 56 ? Space::constant : Space::global;
}

std::uint64_t window_of(Space space) {
  switch (space) {
    case Space::shared:
      return shared_window;
    case Space::local:
      return local_window;
    case Space::constant:
      return constant_window;
    default:
      return param_window;
  }
}

bool is_in_memory(Space space) { return space == Space::global || space == Space::constant; }

void poison_rows(const MemoryOperation& op, std::byte* frame, const Row* rows, LaneMask lanes) {
  alignas(16) std::byte value[32];
  std::fill(std::begin(value), std::end(value), poison);
  const Lanes<std::uint64_t> nowhere{};
  load_rows(without_ordering(op), frame, rows, {value, nowhere}, lanes, false);
}

/// The bytes between the first and the last that a load uses.
struct UsedRange {
  std::uint32_t first = 0, bytes = 0;
  std::uint32_t end() const { return first + bytes; }
};

UsedRange used_range(const MemoryOperation& op) {
  if (op.used_bytes == all_bytes || op.used_bytes == 0) return {0, op.bytes()};
  const auto first = static_cast<std::uint32_t>(std::countr_zero(op.used_bytes));
  const auto end = std::min(op.bytes(), static_cast<std::uint32_t>(std::bit_width(op.used_bytes)));
  return {first, end - first};
}

bool is_one_lane(LaneMask lanes) { return (lanes & (lanes - 1)) == 0; }

/// Addresses as wide as a Cell; those of one active lane, or of all lanes.
template <class Cell>
void add_offset(const Cell* base, Cell offset, LaneMask active, std::uint64_t* to) {
  if (is_one_lane(active)) {
    to[lowest_lane(active)] = static_cast<Cell>(base[lowest_lane(active)] + offset);
  } else {
    for (std::uint32_t i = 0; i < warp_size; ++i) to[i] = static_cast<Cell>(base[i] + offset);
  }
}

}  // namespace

void Warp::access(Group& group, const Instruction& instruction, Pc pc, LaneMask active) {
  const MemoryOperation& op = code_.memory[instruction.detail];
  const std::byte* rows = group.frame->rows;
  Addresses addresses;
  const std::byte* const base = rows + instruction.rows[address_row];
  const LaneMask needed = op.space == Space::generic ? all_lanes : active;
  if (op.address_width == Width::b64)
    add_offset(reinterpret_cast<const std::uint64_t*>(base), static_cast<std::uint64_t>(instruction.offset),
               needed, addresses.value);
  else
    add_offset(reinterpret_cast<const std::uint32_t*>(base), static_cast<std::uint32_t>(instruction.offset),
               needed, addresses.value);
  if (op.ordering != Ordering::weak) {
    group.note_poll(pc);
  }
  if (group.frame->undefined != nullptr) [[unlikely]] {
    const Row base_row = instruction.rows[address_row];
    excused_ = undefined_.use(*group.frame, pc, base_row, op.address_width, active, ValueUse::address);
    excused_at_ = executed_;
  }
  if (op.space != Space::generic) return access_space(group, instruction, pc, op.space, active, addresses);
  const auto space_of_lane = [&](std::uint32_t lane) { return space_of(addresses.value[lane]); };
  for_each_agreeing(active, space_of_lane, [&](LaneMask same) {
    const Space space = space_of_lane(lowest_lane(same));
    Addresses part = addresses;
    if (space != Space::global)
      for (std::uint64_t& value : part.value) value -= window_of(space);
    access_space(group, instruction, pc, space, same, part);
  });
}

void Warp::access_space(Group& group, const Instruction& instruction, Pc pc, Space space, LaneMask active,
                        Addresses& addresses) {
  const MemoryOperation& op = code_.memory[instruction.detail];
  std::byte* const rows = group.frame->rows;
  const std::uint32_t bytes = op.bytes();
  std::uint64_t* const value = addresses.value;
  const bool is_single = is_one_lane(active);
  const std::uint64_t some = value[lowest_lane(active)];
  std::uint64_t bits = some;
  if (!is_single) {
    // Lanes that take no part copy one that does, so that the loops need no mask.
    if (active != all_lanes)
      for (std::uint32_t i = 0; i < warp_size; ++i) value[i] = active >> i & 1 ? value[i] : some;
    for (std::uint32_t i = 0; i < warp_size; ++i) bits |= value[i];
  }
  bool is_good = (bits & (bytes - 1)) == 0;
  if (is_in_memory(space)) {
    std::uint64_t low = some, high = some;
    for (std::uint32_t i = 0; !is_single && i < warp_size; ++i) {
      low = std::min(low, value[i]);
      high = std::max(high, value[i]);
    }
    const std::uint64_t extent = high - low + bytes;
    Allocation*& last = worker_.last_allocation;
    if (last == nullptr || !last->contains(low, extent)) {
      Allocation* found = worker_.launch.memory.find(low);
      if (found != nullptr && found->contains(low, extent))
        last = found;
      else
        is_good = false;
    }
    is_good = is_good && (op.kind == AccessKind::load || !last->is_read_only);
    if (is_good && are_accesses_watched()) std::fill_n(addresses.allocation, warp_size, last);
  } else {
    // No address exceeds the bits of all: quicker to find than the largest, and nearly always enough.
    const std::uint64_t size = space_bytes(space);
    is_good = is_good && size >= bytes &&
              (bits <= size - bytes ||
               (!is_single && *std::max_element(value, value + warp_size) <= size - bytes)) &&
              (space != Space::param || op.kind == AccessKind::load);
    if (space == Space::shared && worker_.launch.has_shared_gaps)
      is_good = is_good && are_in_shared_part(value, is_single ? active : all_lanes, bytes);
  }
  if (!is_good) {
    const LaneMask good = check_each(op, pc, space, active, addresses);
    if (op.kind == AccessKind::load && good != active) {
      poison_rows(op, rows, instruction.rows.data(), active & ~good);
      if (group.frame->undefined != nullptr)
        undefined_.skip_load(*group.frame, op, instruction.rows.data(), active & ~good);
    }
    active = good;
    if (active == 0) return;
  }

  if (are_accesses_watched()) {
    Access event;
    event.pc = pc;
    event.kind = op.kind;
    event.space = space;
    event.ordering = op.ordering;
    event.scope = op.scope;
    event.bytes = static_cast<std::uint8_t>(bytes);
    event.elements = op.elements;
    event.is_async = op.is_async;
    event.used = op.used_bytes;
    event.lanes = active;
    event.address = value;
    alignas(64) std::byte packed[32 * warp_size];
    if (op.kind == AccessKind::store)
      event.value = pack_values(op, rows, instruction.rows.data(), active, packed);
    if (is_in_memory(space)) event.allocation = addresses.allocation;
    if (undefined_.are_followed()) undefined_.access(*group.frame, op, instruction.rows.data(), event);
    if (worker_.observers.on_operands.is_wanted())
      worker_.observers.on_operands(
          context_, Operands{.pc = pc, .lanes = active, .reached = active, .rows = rows, .access = &event});
    worker_.observers.on_access(context_, event);
  }

  LaneAddresses memory{nullptr, value};
  Lanes<std::uint64_t> local_offset;
  if (space == Space::shared) {
    memory.base = block_.shared();
  } else if (space == Space::param) {
    memory.base = worker_.launch.parameters.data();
  } else if (space == Space::local) {
    for (const std::uint32_t lane : lanes_in(active))
      local_offset[lane] = value[lane] + std::uint64_t{lane} * stack_.local_bytes();
    memory = {stack_.local(), local_offset};
  }
  const bool between_threads = is_in_memory(space);
  switch (op.kind) {
    case AccessKind::load:
      if (op.used_bytes != all_bytes) [[unlikely]]
        load_used_bytes(op, rows, instruction.rows.data(), memory, active);
      else
        load_rows(op, rows, instruction.rows.data(), memory, active, between_threads);
      break;
    case AccessKind::store:
      group.note_change();
      ++worker_.changes;
      store_rows(op, rows, instruction.rows.data(), memory, active, between_threads);
      break;
    default:
      group.note_poll(pc);
      if (perform_atomic(op, rows, instruction.rows.data(), memory, active, between_threads)) {
        group.note_change();
        ++worker_.changes;
      }
  }
}

/// Somebody asks for accesses, or for what is undefined in them.
bool Warp::are_accesses_watched() const {
  return worker_.observers.on_access.is_wanted() || worker_.observers.on_operands.is_wanted() ||
         undefined_.are_followed();
}

std::uint64_t Warp::space_bytes(Space space) const {
  if (space == Space::shared) return block_.shared_bytes();
  return space == Space::local ? stack_.local_bytes() : worker_.launch.parameters.size();
}

/// True where one variable of shared memory, or its dynamic part, holds the whole range.
[[gnu::noinline]] bool Warp::is_in_shared_part(std::uint64_t low, std::uint64_t high,
                                               std::uint32_t bytes) const {
  SharedPart& last = worker_.last_shared_part;
  if (last.contains(low, high, bytes)) return true;
  const std::vector<SharedPart>& parts = worker_.launch.shared_parts;
  const auto after =
      std::upper_bound(parts.begin(), parts.end(), low,
                       [](std::uint64_t at, const SharedPart& part) { return at < part.begin; });
  if (after == parts.begin() || !(after - 1)->contains(low, high, bytes)) return false;
  last = *(after - 1);
  return true;
}

/// Likewise for the lanes of a warp: all of them, or one. Kept out of access_space(): most kernels have no
/// gaps, and are slower with the loop there.
[[gnu::noinline]] bool Warp::are_in_shared_part(const std::uint64_t* value, LaneMask lanes,
                                                std::uint32_t bytes) const {
  std::uint64_t low = value[lowest_lane(lanes)], high = low;
  for (std::uint32_t i = 0; lanes == all_lanes && i < warp_size; ++i) {
    low = std::min(low, value[i]);
    high = std::max(high, value[i]);
  }
  return is_in_shared_part(low, high, bytes);
}

/// The slow way, after the quick checks of the whole warp failed: reports the bad lanes, one fault a kind,
/// and returns the good ones.
LaneMask Warp::check_each(const MemoryOperation& op, Pc pc, Space space, LaneMask active,
                          Addresses& addresses) {
  const std::uint32_t bytes = op.bytes();
  const UsedRange used = used_range(op);
  LaneMask outside = 0, misaligned = 0, read_only = 0;
  for (const std::uint32_t lane : lanes_in(active)) {
    const std::uint64_t at = addresses.value[lane];
    if (is_in_memory(space)) {
      Allocation* place = worker_.launch.memory.find(at + used.first);
      addresses.allocation[lane] = place;
      if (at % bytes != 0)
        misaligned |= lane_bit(lane);
      else if (place == nullptr || !place->contains(at + used.first, used.bytes))
        outside |= lane_bit(lane);
      else if (op.kind != AccessKind::load && place->is_read_only)
        read_only |= lane_bit(lane);
    } else if (at % bytes != 0) {
      misaligned |= lane_bit(lane);
    } else if (space == Space::shared
                   ? !is_in_shared_part(at + used.first, at + used.first, used.bytes)
                   : at > ~std::uint64_t{0} - bytes || at + used.end() > space_bytes(space)) {
      outside |= lane_bit(lane);
    } else if (space == Space::param && op.kind != AccessKind::load) {
      read_only |= lane_bit(lane);
    }
  }
  const auto report_kind = [&](FaultKind kind, LaneMask lanes) {
    if (excused_at_ == executed_) lanes &= ~excused_;
    if (lanes == 0) return;
    Fault fault{.kind = kind,
                .pc = pc,
                .lanes = lanes,
                .access = op.kind,
                .space = space,
                .bytes = static_cast<std::uint8_t>(bytes),
                .address = addresses.value[lowest_lane(lanes)]};
    if (space == Space::shared)
      fault.limit = block_.context().launch->asked_shared_bytes;
    else if (!is_in_memory(space))
      fault.limit = space_bytes(space);
    report(fault);
  };
  report_kind(FaultKind::misaligned, misaligned);
  report_kind(FaultKind::out_of_bounds, outside);
  report_kind(FaultKind::read_only, read_only);
  if ((outside | misaligned | read_only) != 0) worker_.launch.budget.spend_on_bad_access();
  return active & ~(outside | misaligned | read_only);
}

}  // namespace warpwise::simulator::run

namespace warpwise::simulator {

namespace {

AccessShape shape_of_full_warp(std::uint64_t bytes, const std::uint64_t* address) {
  const std::uint64_t first = address[0];
  const std::uint64_t step = address[1] - first;
  if (step != 0 && step != bytes) return AccessShape::other;
  // No early exit: without one the compiler compares several lanes at a time.
  std::uint64_t difference = 0;
  for (std::uint32_t lane = 0; lane < warp_size; ++lane) difference |= address[lane] ^ (first + step * lane);
  if (difference != 0) return AccessShape::other;
  return step == 0 ? AccessShape::uniform : AccessShape::consecutive;
}

}  // namespace

AccessShape shape_of(std::uint32_t bytes, LaneMask lanes, const std::uint64_t* address) {
  if ((lanes & (lanes - 1)) == 0) return AccessShape::uniform;
  if (lanes == all_lanes) return shape_of_full_warp(bytes, address);
  const std::uint32_t first = lowest_lane(lanes);
  bool is_uniform = true;
  bool is_consecutive = true;
  for (const std::uint32_t lane : lanes_in(lanes & (lanes - 1))) {
    is_uniform &= address[lane] == address[first];
    is_consecutive &= address[lane] == address[first] + std::uint64_t{lane - first} * bytes;
    if (!is_uniform && !is_consecutive) return AccessShape::other;
  }
  return is_uniform ? AccessShape::uniform : AccessShape::consecutive;
}

}  // namespace warpwise::simulator
