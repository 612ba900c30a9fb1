#include "memory_rows.hpp"

#include <cstring>

namespace warpwise::simulator::run {

namespace {

/// A compare-and-swap loop around the pure function; one word of 2, 4 or 8 bytes.
template <class T>
T update_between_threads(std::byte* place, AtomicFunction function, std::uint64_t operand,
                         std::uint64_t compare) {
  T* word = reinterpret_cast<T*>(place);
  T old = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    T wanted = static_cast<T>(function(old, operand, compare));
    if (__atomic_compare_exchange_n(word, &old, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      return old;
  }
}

template <class T>
T update_alone(std::byte* place, AtomicFunction function, std::uint64_t operand, std::uint64_t compare) {
  T old;
  std::memcpy(&old, place, sizeof old);
  const T wanted = static_cast<T>(function(old, operand, compare));
  std::memcpy(place, &wanted, sizeof wanted);
  return old;
}

std::uint64_t cell(const std::byte* frame, Row row, Width width, std::uint32_t lane) {
  return width == Width::b64 ? reinterpret_cast<const std::uint64_t*>(frame + row)[lane]
                             : reinterpret_cast<const std::uint32_t*>(frame + row)[lane];
}

template <class T>
bool run(const MemoryOperation& op, std::byte* frame, const Row* rows, LaneAddresses memory, LaneMask active,
         bool between_threads) {
  const AtomicFunction function = between_threads ? op.atomic_global : op.atomic;
  bool has_changed = false;
  for (; active != 0; active &= active - 1) {
    const std::uint32_t lane = lowest_lane(active);
    // `atom.cas d, [a], b, c` compares with b and writes c.
    const std::uint64_t b = cell(frame, rows[1], op.width, lane);
    const std::uint64_t operand = op.is_cas ? cell(frame, rows[2], op.width, lane) : b;
    std::byte* place = memory.at(lane);
    const T old = between_threads ? update_between_threads<T>(place, function, operand, b)
                                  : update_alone<T>(place, function, operand, b);
    has_changed |= static_cast<T>(function(old, operand, b)) != old;
    if (!op.has_result) continue;
    if (op.result_width == Width::b64)
      row_of<std::uint64_t>(frame, rows[0])[lane] = old;
    else
      row_of<std::uint32_t>(frame, rows[0])[lane] = static_cast<std::uint32_t>(old);
  }
  return has_changed;
}

Word128 wide_cell(const std::byte* frame, Row row, std::uint32_t lane) {
  const auto* halves = reinterpret_cast<const std::uint64_t*>(frame + row);
  return Word128{halves[warp_size + lane]} << 64 | halves[lane];
}

/// atom.exch.b128 and atom.cas.b128; indivisible in every space, since they are rare.
bool run_wide(const MemoryOperation& op, std::byte* frame, const Row* rows, LaneAddresses memory,
              LaneMask active) {
  bool has_changed = false;
  for (; active != 0; active &= active - 1) {
    const std::uint32_t lane = lowest_lane(active);
    const Word128 b = wide_cell(frame, rows[1], lane);
    const Word128 wanted = op.is_cas ? wide_cell(frame, rows[2], lane) : b;
    std::byte* place = memory.at(lane);
    const Word128 old = op.is_cas ? compare_and_swap(place, b, wanted) : exchange(place, wanted);
    has_changed |= (!op.is_cas || old == b) && old != wanted;
    auto* result = row_of<std::uint64_t>(frame, rows[0]);
    result[lane] = static_cast<std::uint64_t>(old);
    result[warp_size + lane] = static_cast<std::uint64_t>(old >> 64);
  }
  return has_changed;
}

}  // namespace

bool perform_atomic(const MemoryOperation& op, std::byte* frame, const Row* rows, LaneAddresses memory,
                    LaneMask active, bool between_threads) {
  switch (op.element_bytes) {
    case 2:
      return run<std::uint16_t>(op, frame, rows, memory, active, between_threads);
    case 8:
      return run<std::uint64_t>(op, frame, rows, memory, active, between_threads);
    case 16:
      return run_wide(op, frame, rows, memory, active);
    default:
      return run<std::uint32_t>(op, frame, rows, memory, active, between_threads);
  }
}

}  // namespace warpwise::simulator::run
