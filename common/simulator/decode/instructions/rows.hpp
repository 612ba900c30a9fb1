#pragma once
/// \file Turns a pure function of one lane's values into a loop over the rows of a warp.
///
/// `vectorised<f>()` is for functions without branches or calls: f is computed for all 32 lanes, and blended
/// where some are inactive, so that the compiler can use vector instructions. `lane_by_lane<f>()` calls f for
/// the active lanes only: for everything slow.

#include <bit>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "lane_operations.hpp"
#include "values.hpp"

// For the compiler: no lane's result is another's operand. Clang has no such pragma.
#ifdef __clang__
#define WARPWISE_LANES_ARE_INDEPENDENT
#else
#define WARPWISE_LANES_ARE_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace warpwise::simulator::decode::instructions {

/// 1 << lane as a table: comparing against it vectorises without variable shifts.
inline constexpr std::array<LaneMask, warp_size> lane_bits = [] {
  std::array<LaneMask, warp_size> bits{};
  for (std::uint32_t i = 0; i < warp_size; ++i) bits[i] = lane_bit(i);
  return bits;
}();

/// Packs one byte (0 or 1) a lane into a mask: the product moves bit 0 of byte k to bit 56 + k. Every `setp`
/// ends here: where the processor has an instruction that does it, that one.
inline LaneMask mask_of(const Lanes<std::uint8_t>& flags) {
#if defined(__AVX2__)
  // Not by <immintrin.h>, which is long to read.
  using Bytes = char __attribute__((vector_size(warp_size)));
  Bytes bytes_of_warp;
  std::memcpy(&bytes_of_warp, flags, sizeof bytes_of_warp);
  return static_cast<LaneMask>(__builtin_ia32_pmovmskb256(Bytes(bytes_of_warp > 0)));
#else
  LaneMask mask = 0;
  for (std::uint32_t group = 0; group < 4; ++group) {
    std::uint64_t bytes;
    std::memcpy(&bytes, flags + 8 * group, 8);
    mask |= static_cast<LaneMask>(bytes * 0x0102040810204080u >> 56) << (8 * group);
  }
  return mask;
#endif
}

/// A row read as values of T.
template <class T>
struct Source {
  const Cell<T>* cells;
  Source(std::byte* frame, Row row) : cells(row_of<Cell<T>>(frame, row)) {}
  T operator[](std::uint32_t lane) const { return value_in<T>(cells[lane]); }
};
template <>
struct Source<bool> {
  LaneMask mask;
  Source(std::byte* frame, Row row) : mask(*row_of<LaneMask>(frame, row)) {}
  bool operator[](std::uint32_t lane) const { return (mask & lane_bits[lane]) != 0; }
};
template <>
struct Source<Bits128> {
  const std::uint64_t* cells;
  Source(std::byte* frame, Row row) : cells(row_of<std::uint64_t>(frame, row)) {}
  Bits128 operator[](std::uint32_t lane) const { return {cells[lane], cells[warp_size + lane]}; }
};

/// Writes `value(lane)` for the lanes of `active`. A destination is either one of the sources or apart from
/// them, so that no lane depends on another: that is what `ivdep` promises.
template <class D, class F>
void write_row(std::byte* frame, Row row, LaneMask active, F value) {
  if constexpr (std::is_same_v<D, bool>) {
    Lanes<std::uint8_t> flags;
    for (std::uint32_t i = 0; i < warp_size; ++i) flags[i] = value(i);
    LaneMask& mask = *row_of<LaneMask>(frame, row);
    mask = (mask & ~active) | (mask_of(flags) & active);
  } else if constexpr (std::is_same_v<D, Bits128>) {
    auto* cells = row_of<std::uint64_t>(frame, row);
    for (std::uint32_t i = 0; i < warp_size; ++i) {
      if ((active & lane_bits[i]) == 0) continue;
      const Bits128 r = value(i);
      cells[i] = r.low;
      cells[warp_size + i] = r.high;
    }
  } else {
    auto* cells = row_of<Cell<D>>(frame, row);
    if (active == all_lanes) {
      WARPWISE_LANES_ARE_INDEPENDENT
      for (std::uint32_t i = 0; i < warp_size; ++i) cells[i] = cell_of<D>(value(i));
    } else {
      WARPWISE_LANES_ARE_INDEPENDENT
      for (std::uint32_t i = 0; i < warp_size; ++i) {
        const Cell<D> r = cell_of<D>(value(i));
        cells[i] = (active & lane_bits[i]) != 0 ? r : cells[i];
      }
    }
  }
}

/// As write_row, but `value` is called for active lanes alone.
template <class D, class F>
void write_lanes(std::byte* frame, Row row, LaneMask active, F value) {
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const std::uint32_t i = lowest_lane(rest);
    if constexpr (std::is_same_v<D, bool>) {
      LaneMask& mask = *row_of<LaneMask>(frame, row);
      mask = value(i) ? mask | lane_bit(i) : mask & ~lane_bit(i);
    } else {
      row_of<Cell<D>>(frame, row)[i] = cell_of<D>(value(i));
    }
  }
}

/// The operation with this function, a destination of D and sources of S.
template <class D, class... S>
LaneOperation operation_with(LaneFunction function) {
  LaneOperation result;
  result.run = function;
  result.operands = 1 + sizeof...(S);
  result.widths = {width_of<D>(), width_of<S>()...};
  result.immediate_types = {ptx::Type::none, immediate_type_of<S>()...};
  return result;
}

template <auto f>
struct Loop;

template <class D, class... S, D (*f)(S...)>
struct Loop<f> {
  static void vectorised(std::byte* frame, const Row* rows, LaneMask active) {
    run(frame, rows, active, std::index_sequence_for<S...>{}, [](auto... all) { write_row<D>(all...); });
  }
  static void lane_by_lane(std::byte* frame, const Row* rows, LaneMask active) {
    run(frame, rows, active, std::index_sequence_for<S...>{}, [](auto... all) { write_lanes<D>(all...); });
  }
  static LaneOperation operation(LaneFunction function) { return operation_with<D, S...>(function); }

 private:
  template <std::size_t... k, class Write>
  static void run(std::byte* frame, const Row* rows, LaneMask active, std::index_sequence<k...>,
                  Write write) {
    const std::tuple<Source<S>...> sources{Source<S>(frame, rows[k + 1])...};
    write(frame, rows[0], active, [&](std::uint32_t lane) { return f(std::get<k>(sources)[lane]...); });
  }
};

/// The operation `d = f(a, b, ...)`: rows, widths and immediate types follow from f's signature.
template <auto f>
LaneOperation vectorised() {
  return Loop<f>::operation(Loop<f>::vectorised);
}
template <auto f>
LaneOperation lane_by_lane() {
  return Loop<f>::operation(Loop<f>::lane_by_lane);
}

/// A modifier as a row, and back: an enumeration, or a struct that fills a row.
template <class M>
Row row_from(M modifier) {
  if constexpr (std::is_enum_v<M>)
    return static_cast<Row>(modifier);
  else
    return std::bit_cast<Row>(modifier);
}
template <class M>
M modifier_in(const Row* rows) {
  if constexpr (std::is_enum_v<M>)
    return static_cast<M>(rows[modifier_row]);
  else
    return std::bit_cast<M>(rows[modifier_row]);
}

template <auto f>
struct ModifiedLoop;

template <class D, class M, class... S, D (*f)(M, S...)>
struct ModifiedLoop<f> {
  static LaneOperation operation(M modifier) {
    LaneOperation result = operation_with<D, S...>(run);
    result.modifier = row_from(modifier);
    return result;
  }

 private:
  static void run(std::byte* frame, const Row* rows, LaneMask active) {
    run_all(frame, rows, active, std::index_sequence_for<S...>{});
  }
  template <std::size_t... k>
  static void run_all(std::byte* frame, const Row* rows, LaneMask active, std::index_sequence<k...>) {
    const M modifier = modifier_in<M>(rows);
    const std::tuple<Source<S>...> sources{Source<S>(frame, rows[k + 1])...};
    write_lanes<D>(frame, rows[0], active,
                   [&](std::uint32_t lane) { return f(modifier, std::get<k>(sources)[lane]...); });
  }
};

/// `d = f(modifier, a, b, ...)`, lane by lane: for what has many forms, is rare or slow, and would take long
/// to compile with a loop for each form.
template <auto f, class M>
LaneOperation lane_by_lane(M modifier) {
  return ModifiedLoop<f>::operation(modifier);
}

}  // namespace warpwise::simulator::decode::instructions
