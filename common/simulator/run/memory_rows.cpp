#include "memory_rows.hpp"

#include <array>
#include <atomic>
#include <cstring>

namespace warpwise::simulator::run {

namespace {

// Sixteen bytes of memory at once, while other host threads use them.

__extension__ using Word128 = unsigned __int128;

/// Stores `wanted` where `place` (a multiple of 16) holds `expected`; returns what it held. x86-64 has had
/// the instruction since its second generation, and GCC uses it only where an option allows it.
#ifdef __x86_64__
__attribute__((target("cx16")))
#endif
Word128
compare_and_swap(std::byte* place, Word128 expected, Word128 wanted) {
  return __sync_val_compare_and_swap(reinterpret_cast<Word128*>(place), expected, wanted);
}

/// Stores `wanted`; returns what `place` held.
Word128 exchange(std::byte* place, Word128 wanted) {
  Word128 old = 0;
  for (;;) {
    const Word128 found = compare_and_swap(place, old, wanted);
    if (found == old) return found;
    old = found;
  }
}

template <class T>
bool are_consecutive(const std::uint64_t* offset) {
  std::uint64_t difference = 0;
  for (std::uint32_t i = 0; i < warp_size; ++i) difference |= (offset[i] - offset[0]) ^ (i * sizeof(T));
  return difference == 0;
}

template <class Visit>
void for_each_lane(LaneMask active, const Visit& visit) {
  if (active == all_lanes) {
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) visit(lane);
  } else {
    for (; active != 0; active &= active - 1) visit(lowest_lane(active));
  }
}

template <class Memory, class Register>
void load(Register* to, LaneAddresses memory, std::uint64_t element, std::uint32_t elements, LaneMask active,
          bool is_atomic) {
  const std::uint64_t skipped = element * sizeof(Memory);
  if (is_atomic) {
    for_each_lane(active, [&](std::uint32_t lane) {
      auto* place = reinterpret_cast<Memory*>(memory.at(lane, skipped));
      to[lane] = static_cast<Register>(__atomic_load_n(place, __ATOMIC_RELAXED));
    });
    return;
  }
  if constexpr (sizeof(Memory) == sizeof(Register)) {
    if (active == all_lanes && elements == 1 && are_consecutive<Memory>(memory.offset)) {
      std::memcpy(to, memory.at(0, skipped), sizeof(Register) * warp_size);
      return;
    }
  }
  for_each_lane(active, [&](std::uint32_t lane) {
    Memory value;
    std::memcpy(&value, memory.at(lane, skipped), sizeof value);
    to[lane] = static_cast<Register>(value);
  });
}

template <class Memory, class Register>
void store(const Register* from, LaneAddresses memory, std::uint64_t element, std::uint32_t elements,
           LaneMask active, bool is_atomic) {
  const std::uint64_t skipped = element * sizeof(Memory);
  if (is_atomic) {
    for_each_lane(active, [&](std::uint32_t lane) {
      __atomic_store_n(reinterpret_cast<Memory*>(memory.at(lane, skipped)), static_cast<Memory>(from[lane]),
                       __ATOMIC_RELAXED);
    });
    return;
  }
  if constexpr (sizeof(Memory) == sizeof(Register)) {
    if (active == all_lanes && elements == 1 && are_consecutive<Memory>(memory.offset)) {
      std::memcpy(memory.at(0, skipped), from, sizeof(Register) * warp_size);
      return;
    }
  }
  for_each_lane(active, [&](std::uint32_t lane) {
    const Memory value = static_cast<Memory>(from[lane]);
    std::memcpy(memory.at(lane, skipped), &value, sizeof value);
  });
}

/// b128 rows hold the low halves of all lanes, then the high halves.
void move_wide(std::byte* row, LaneAddresses memory, std::uint64_t element, LaneMask active, bool is_load) {
  auto* halves = reinterpret_cast<std::uint64_t*>(row);
  for (; active != 0; active &= active - 1) {
    const std::uint32_t lane = lowest_lane(active);
    std::byte* place = memory.at(lane, element * 16);
    for (std::uint32_t half = 0; half < 2; ++half) {
      std::uint64_t& cell = halves[half * warp_size + lane];
      if (is_load)
        std::memcpy(&cell, place + half * 8, 8);
      else
        std::memcpy(place + half * 8, &cell, 8);
    }
  }
}

template <class Register>
void load_element(const MemoryOperation& op, Register* to, LaneAddresses memory, std::uint64_t element,
                  LaneMask active, bool is_atomic) {
  switch (op.element_bytes) {
    case 1:
      return op.is_signed ? load<std::int8_t>(to, memory, element, op.elements, active, is_atomic)
                          : load<std::uint8_t>(to, memory, element, op.elements, active, is_atomic);
    case 2:
      return op.is_signed ? load<std::int16_t>(to, memory, element, op.elements, active, is_atomic)
                          : load<std::uint16_t>(to, memory, element, op.elements, active, is_atomic);
    case 4:
      return op.is_signed ? load<std::int32_t>(to, memory, element, op.elements, active, is_atomic)
                          : load<std::uint32_t>(to, memory, element, op.elements, active, is_atomic);
    default:
      return load<std::uint64_t>(to, memory, element, op.elements, active, is_atomic);
  }
}

template <class Register>
void store_element(const MemoryOperation& op, const Register* from, LaneAddresses memory,
                   std::uint64_t element, LaneMask active, bool is_atomic) {
  switch (op.element_bytes) {
    case 1:
      return store<std::uint8_t>(from, memory, element, op.elements, active, is_atomic);
    case 2:
      return store<std::uint16_t>(from, memory, element, op.elements, active, is_atomic);
    case 4:
      return store<std::uint32_t>(from, memory, element, op.elements, active, is_atomic);
    default:
      return store<std::uint64_t>(from, memory, element, op.elements, active, is_atomic);
  }
}

template <class Word>
void load_word(std::byte* to, std::byte* place) {
  const Word value = __atomic_load_n(reinterpret_cast<Word*>(place), __ATOMIC_RELAXED);
  std::memcpy(to, &value, sizeof value);
}

template <class Word>
void store_word(std::byte* place, const std::byte* from) {
  Word value;
  std::memcpy(&value, from, sizeof value);
  __atomic_store_n(reinterpret_cast<Word*>(place), value, __ATOMIC_RELAXED);
}

// PTX promises that each element of a vector is moved in one piece. GPUs move all that a lane asks for in one
// piece, up to 16 bytes, and programs rely on it: CUB's look-back reads a status and its value with one
// ld.relaxed.v2.

void load_in_one_piece(std::byte* to, std::byte* place, std::uint32_t bytes) {
  switch (bytes) {
    case 2:
      return load_word<std::uint16_t>(to, place);
    case 4:
      return load_word<std::uint32_t>(to, place);
    case 8:
      return load_word<std::uint64_t>(to, place);
    default:
      for (std::uint32_t at = 0; at < bytes; at += sizeof(Word128)) {
        const Word128 value = compare_and_swap(place + at, 0, 0);
        std::memcpy(to + at, &value, sizeof value);
      }
  }
}

void store_in_one_piece(std::byte* place, const std::byte* from, std::uint32_t bytes) {
  switch (bytes) {
    case 2:
      return store_word<std::uint16_t>(place, from);
    case 4:
      return store_word<std::uint32_t>(place, from);
    case 8:
      return store_word<std::uint64_t>(place, from);
    default:
      for (std::uint32_t at = 0; at < bytes; at += sizeof(Word128)) {
        Word128 value;
        std::memcpy(&value, from + at, sizeof value);
        exchange(place + at, value);
      }
  }
}

void load_vectors(const MemoryOperation& op, std::byte* frame, const Row* rows, LaneAddresses memory,
                  LaneMask active) {
  PackedLanes vectors(op.bytes());
  for_each_lane(active, [&](std::uint32_t lane) {
    load_in_one_piece(&vectors.bytes[vectors.offset[lane]], memory.at(lane), op.bytes());
  });
  load_rows(without_ordering(op), frame, rows, vectors.places(), active, false);
}

void store_vectors(const MemoryOperation& op, const std::byte* frame, const Row* rows, LaneAddresses memory,
                   LaneMask active) {
  PackedLanes vectors(op.bytes());
  store_rows(without_ordering(op), frame, rows, vectors.places(), active, false);
  for_each_lane(active, [&](std::uint32_t lane) {
    store_in_one_piece(memory.at(lane), &vectors.bytes[vectors.offset[lane]], op.bytes());
  });
}

bool is_vector(const MemoryOperation& op) { return op.elements > 1 || op.width == Width::b128; }

}  // namespace

void load_rows(const MemoryOperation& op, std::byte* frame, const Row* rows, LaneAddresses memory,
               LaneMask active, bool is_shared_between_threads) {
  const bool is_atomic = is_shared_between_threads && op.ordering != Ordering::weak;
  if (is_atomic && is_vector(op)) {
    load_vectors(op, frame, rows, memory, active);
    if (op.ordering == Ordering::acquire) std::atomic_thread_fence(std::memory_order_acquire);
    return;
  }
  for (std::uint32_t e = 0; e < op.elements; ++e) {
    if (op.width == Width::b128)
      move_wide(frame + rows[e], memory, e, active, true);
    else if (op.width == Width::b64)
      load_element(op, row_of<std::uint64_t>(frame, rows[e]), memory, e, active, is_atomic);
    else
      load_element(op, row_of<std::uint32_t>(frame, rows[e]), memory, e, active, is_atomic);
  }
  if (op.ordering == Ordering::acquire) std::atomic_thread_fence(std::memory_order_acquire);
}

void load_used_bytes(const MemoryOperation& op, std::byte* frame, const Row* rows, LaneAddresses memory,
                     LaneMask active) {
  PackedLanes vectors(op.bytes());
  vectors.bytes.fill(poison);
  for_each_lane(active, [&](std::uint32_t lane) {
    for (std::uint32_t i = 0; i < op.bytes(); ++i)
      if ((op.used_bytes >> i & 1) != 0) vectors.bytes[vectors.offset[lane] + i] = *memory.at(lane, i);
  });
  load_rows(without_ordering(op), frame, rows, vectors.places(), active, false);
}

void store_rows(const MemoryOperation& op, const std::byte* frame, const Row* rows, LaneAddresses memory,
                LaneMask active, bool is_shared_between_threads) {
  const bool is_atomic = is_shared_between_threads && op.ordering != Ordering::weak;
  if (op.ordering == Ordering::release) std::atomic_thread_fence(std::memory_order_release);
  if (is_atomic && is_vector(op)) return store_vectors(op, frame, rows, memory, active);
  for (std::uint32_t e = 0; e < op.elements; ++e) {
    const std::byte* row = frame + rows[e];
    if (op.width == Width::b128)
      move_wide(const_cast<std::byte*>(row), memory, e, active, false);
    else if (op.width == Width::b64)
      store_element(op, reinterpret_cast<const std::uint64_t*>(row), memory, e, active, is_atomic);
    else
      store_element(op, reinterpret_cast<const std::uint32_t*>(row), memory, e, active, is_atomic);
  }
}

const std::byte* pack_values(const MemoryOperation& op, const std::byte* frame, const Row* rows,
                             LaneMask active, std::byte* to) {
  const bool is_plain = op.elements == 1 && ((op.width == Width::b32 && op.element_bytes == 4) ||
                                             (op.width == Width::b64 && op.element_bytes == 8));
  if (is_plain) return frame + rows[0];
  Lanes<std::uint64_t> offset;
  for (std::uint32_t i = 0; i < warp_size; ++i) offset[i] = std::uint64_t{i} * op.bytes();
  store_rows(without_ordering(op), frame, rows, {to, offset}, active, false);
  return to;
}

// ---- Atomics

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
