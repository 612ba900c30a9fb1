#pragma once
/// \file Runs one lane-wise instruction by its spelling: "add.s32". Operands are registers made up from the
/// widths that the operation asks for.

#include <cmath>
#include <cstring>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "common/simulator/decode/instructions/lane_operations.hpp"
#include "common/simulator/decode/instructions/values.hpp"
#include "common/testing/catch.hpp"

namespace warpwise::simulator::decode::instructions::lane_test {

using instructions::BFloat;
using instructions::Bits128;
using instructions::Half;
using instructions::Two;

/// An instruction with `operands` plain register operands of no particular type.
inline ptx::Instruction instruction_of(const std::string& spelling, std::size_t operands) {
  std::istringstream text(spelling);
  std::string opcode;
  std::getline(text, opcode, '.');
  ptx::Instruction result(opcode);
  for (std::string part; std::getline(text, part, '.');) result.modifiers.push_back(part);
  result.operands.resize(operands);
  for (auto& operand : result.operands) operand.kind = ptx::Operand::Kind::reg, operand.reg = 1'000'000;
  return result;
}

/// A function with one register of each of these types.
inline ptx::Function function_with(std::initializer_list<ptx::Type> types) {
  ptx::Function function;
  for (const ptx::Type type : types) function.registers.push_back({"%r", type});
  return function;
}

inline LaneOperation find(const std::string& spelling, std::size_t operands) {
  const auto found = find_lane_operation(instruction_of(spelling, operands), {});
  REQUIRE(found.has_value());
  return *found;
}

/// `%p|%q` as the first operand, in front of the plain ones.
inline void make_first_a_pair(ptx::Instruction& instruction) {
  ptx::Operand pair;
  pair.kind = ptx::Operand::Kind::vector;
  pair.is_pair = true;
  pair.elements = {instruction.operands[0], instruction.operands[0]};
  instruction.operands[0] = pair;
}

/// One warp's rows: 512 bytes each, enough for b128.
class Frame {
 public:
  Frame() : bytes_(16 * 512 / 8, 0x5a5a5a5a5a5a5a5au) {}
  std::byte* data() { return reinterpret_cast<std::byte*>(bytes_.data()); }
  static Row row(std::size_t i) { return static_cast<Row>(512 * i); }

  template <class T>
  void set(std::size_t i, std::uint32_t lane, T value) {
    if constexpr (std::is_same_v<T, bool>) {
      LaneMask& mask = *row_of<LaneMask>(data(), row(i));
      mask = value ? mask | lane_bit(lane) : mask & ~lane_bit(lane);
    } else if constexpr (sizeof(T) <= 8) {
      // The unused upper part of a cell is unspecified: junk, so that nobody counts on zeros.
      auto cell = static_cast<instructions::Cell<T>>(0xa5a5a5a5a5a5a5a5u);
      std::memcpy(&cell, &value, sizeof value);
      row_of<instructions::Cell<T>>(data(), row(i))[lane] = cell;
    } else {
      row_of<std::uint64_t>(data(), row(i))[lane] = value.low;
      row_of<std::uint64_t>(data(), row(i))[warp_size + lane] = value.high;
    }
  }
  template <class T>
  T get(std::size_t i, std::uint32_t lane) {
    if constexpr (std::is_same_v<T, bool>) {
      return (*row_of<LaneMask>(data(), row(i)) & lane_bit(lane)) != 0;
    } else if constexpr (sizeof(T) <= 8) {
      T value;
      std::memcpy(static_cast<void*>(&value), &row_of<instructions::Cell<T>>(data(), row(i))[lane],
                  sizeof value);
      return value;
    } else {
      return {row_of<std::uint64_t>(data(), row(i))[lane],
              row_of<std::uint64_t>(data(), row(i))[warp_size + lane]};
    }
  }
  void run(const LaneOperation& operation, LaneMask active = all_lanes) {
    Row rows[max_rows + 1];
    for (std::size_t i = 0; i < max_rows + 1; ++i) rows[i] = row(i);
    if (operation.modifier) rows[modifier_row] = *operation.modifier;
    operation.run(data(), rows, active);
  }

 private:
  std::vector<std::uint64_t> bytes_;
};

template <class T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value < 8 ? sizeof value : 8);
  return bits;
}

/// Values at which arithmetic goes wrong: of T's bits, and a few in between.
template <class T>
std::vector<T> edges() {
  if constexpr (std::is_same_v<T, bool>) {
    return {false, true};
  }
  std::vector<std::uint64_t> bits = {0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 100, 255, 256, 0x5a, 0x12345678};
  const int width = 8 * sizeof(T);
  for (const std::uint64_t b : std::vector<std::uint64_t>(bits)) bits.push_back(~b);
  bits.push_back(std::uint64_t{1} << (width - 1));
  bits.push_back((std::uint64_t{1} << (width - 1)) - 1);
  bits.push_back((std::uint64_t{1} << (width - 1)) + 1);
  bits.push_back(std::uint64_t{1} << (width / 2));
  bits.push_back(0x9e3779b97f4a7c15u);
  if constexpr (std::is_same_v<T, float>) {
    for (const float f : {1.f, 1.5f, 0.1f, 3.f, 1e-30f, 3e38f, 2.5f, 3.5f, 16777217.f, 2147483648.f}) {
      for (const float s : {f, -f, f * 1.0000001f}) bits.push_back(bits_of(s));
    }
    for (const std::uint32_t b : {0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc12345u, 0x00800000u,
                                  0x007fffffu, 0x80000001u, 0x80000000u, 0x7f7fffffu}) {
      bits.push_back(b);
    }
  }
  if constexpr (std::is_same_v<T, double>) {
    for (const double d :
         {1., 1.5, 0.1, 3., 1e-300, 1e300, 2.5, 3.5, 2147483647.5, 9.3e18, 1e-40, 1e-45, 3.4e38}) {
      for (const double s : {d, -d, d * 1.0000000001}) bits.push_back(bits_of(s));
    }
    for (const std::uint64_t b : {0x7ff0000000000000u, 0xfff0000000000000u, 0x7ff8000000000000u,
                                  0x0010000000000000u, 0x000fffffffffffffu, 0x8000000000000000u}) {
      bits.push_back(b);
    }
  }
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat>) {
    for (const std::uint32_t b : {0x3c00u, 0x3f80u, 0x7c00u, 0xfc00u, 0x7e00u, 0x7f80u, 0xff80u, 0x0400u,
                                  0x03ffu, 0x8001u, 0x7bffu, 0x3555u, 0x4200u, 0xc100u, 0x3dcdu}) {
      bits.push_back(b);
    }
  }
  std::vector<T> values;
  for (const std::uint64_t b : bits) {
    T value;
    std::memcpy(static_cast<void*>(&value), &b, sizeof value);
    values.push_back(value);
  }
  return values;
}

/// Runs the operation on every combination of `values...` (every 3rd of them for the third operand), and
/// holds each result against `expected`. Between full warps it runs with every other lane, and the others
/// must stay as they were.
template <class D, class A, class B = bool, class C = bool>
class Check {
 public:
  Check(std::string spelling, std::size_t sources) : spelling_(std::move(spelling)) {
    operation_ = find(spelling_, sources + 1);
  }
  template <class F>
  void against(F expected) {
    if constexpr (std::is_invocable_v<F, A>) {
      for (const A a : edges<A>()) put([&] { return expected(a); }, a);
    } else if constexpr (std::is_invocable_v<F, A, B>) {
      for (const A a : edges<A>()) {
        for (const B b : edges<B>()) put([&] { return expected(a, b); }, a, b);
      }
    } else {
      std::size_t n = 0;
      for (const A a : edges<A>()) {
        for (const B b : edges<B>()) {
          for (const C c : edges<C>()) {
            if (++n % 7 == 0) put([&] { return expected(a, b, c); }, a, b, c);
          }
        }
      }
    }
    flush();
  }

 private:
  template <class F, class... S>
  void put(F expected, S... sources) {
    std::size_t i = 1;
    (frame_.set(i++, lane_, sources), ...);
    wanted_[lane_] = bits_of<D>(expected());
    if (++lane_ == warp_size) flush();
  }
  void flush() {
    const LaneMask active =
        (rounds_++ % 2 == 0 ? all_lanes : 0x55555555u) & (lane_ == 32 ? all_lanes : (lane_bit(lane_) - 1));
    std::uint64_t before[warp_size];
    for (std::uint32_t i = 0; i < lane_; ++i) before[i] = bits_of(frame_.template get<D>(0, i));
    frame_.run(operation_, active);
    for (std::uint32_t i = 0; i < lane_; ++i) {
      const bool is_active = (active & lane_bit(i)) != 0;
      const std::uint64_t is = bits_of(frame_.template get<D>(0, i));
      const std::uint64_t wanted = is_active ? wanted_[i] : before[i];
      if (is == wanted) continue;
      if constexpr (std::is_same_v<D, double>) {  // which NaN an f64 operation gives is nowhere laid down
        if (is_active && std::isnan(std::bit_cast<double>(is)) && std::isnan(std::bit_cast<double>(wanted))) {
          continue;
        }
      }
      INFO(spelling_ << " lane " << i << (is_active ? "" : " (inactive)"));
      INFO(std::hex << "a " << bits_of(frame_.template get<A>(1, i)) << " b "
                    << bits_of(frame_.template get<B>(2, i)) << " c "
                    << bits_of(frame_.template get<C>(3, i)));
      CHECK(is == wanted);
    }
    lane_ = 0;
    CHECK(rounds_ > 0);
  }

  std::string spelling_;
  LaneOperation operation_;
  Frame frame_;
  std::uint64_t wanted_[warp_size] = {};
  std::uint32_t lane_ = 0, rounds_ = 0;
};

/// Calls check.template operator()<std::uint16_t>("u16") and so on, for every type of integers of 16 bits and
/// more.
template <class Check>
void for_arithmetic_integers(Check check) {
  check.template operator()<std::uint16_t>("u16");
  check.template operator()<std::int16_t>("s16");
  check.template operator()<std::uint32_t>("u32");
  check.template operator()<std::int32_t>("s32");
  check.template operator()<std::uint64_t>("u64");
  check.template operator()<std::int64_t>("s64");
}
/// The same, and for those of 8 bits.
template <class Check>
void for_every_integer(Check check) {
  check.template operator()<std::uint8_t>("u8");
  check.template operator()<std::int8_t>("s8");
  for_arithmetic_integers(check);
}

}  // namespace warpwise::simulator::decode::instructions::lane_test
