// cvt (PTX ISA 9.7.9.21): which of the conversions, those between integers, and those between integers and
// floats.
#include <algorithm>

#include "form.hpp"
#include "real_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {

namespace {

using ptx::Type;

bool is_integer(Type type) { return type >= Type::u8 && type <= Type::s64; }
bool is_pair_type(Type type) { return type == Type::f16x2 || type == Type::bf16x2; }

/// Between integers of any size: fields of 1 to 64 bits.
struct Resize {
  std::uint8_t from_bits, to_bits;
  bool is_from_signed, is_to_signed;
};

std::uint8_t bits_of(Type type) { return static_cast<std::uint8_t>(8 * ptx::bytes_of(type)); }
bool is_signed(Type type) { return type >= Type::s8 && type <= Type::s64; }

/// The low bits of a cell, with their sign or with zeros above them.
template <class C>
constexpr C extended(C cell, std::uint32_t bits, bool is_signed) {
  const C mask = static_cast<C>(-1) >> (8 * sizeof(C) - bits), sign = is_signed ? C{1} << (bits - 1) : 0;
  return ((cell & mask) ^ sign) - sign;
}
/// The greatest integer of so many bits, and the least: as a cell.
constexpr std::uint64_t greatest(std::uint32_t bits, bool is_signed) {
  return ~std::uint64_t{0} >> (64 - bits + (is_signed ? 1 : 0));
}
constexpr std::uint64_t least(std::uint32_t bits, bool is_signed) {
  return is_signed ? ~greatest(bits, true) : 0;
}

/// Out and In are as wide as the registers, which may be wider than the types.
template <class Out, class In>
void truncate(std::byte* frame, const Row* rows, LaneMask active) {
  using Both = std::conditional_t<sizeof(Out) == 8 || sizeof(In) == 8, std::uint64_t, std::uint32_t>;
  const auto how = modifier_in<Resize>(rows);
  const Source<In> a(frame, rows[1]);
  write_row<Out>(frame, rows[0], active, [&](std::uint32_t lane) {
    const Both value = extended<Both>(a[lane], how.from_bits, how.is_from_signed);
    return static_cast<Out>(extended<Both>(value, how.to_bits, how.is_to_signed));
  });
}
/// `.sat`: clamped to what the destination's type can hold.
template <class Out, class In>
Out saturated(Resize how, In a) {
  const std::uint64_t value = extended<std::uint64_t>(a, how.from_bits, how.is_from_signed);
  const bool is_negative = how.is_from_signed && value >> 63 != 0;
  const std::uint64_t most = greatest(how.to_bits, how.is_to_signed),
                      low = least(how.to_bits, how.is_to_signed);
  if (is_negative && (!how.is_to_signed || value < low)) return static_cast<Out>(low);
  return static_cast<Out>(!is_negative && value > most ? most : value);
}

/// Calls `find.operator()<Cell>()` with the cell of a register.
template <class Find>
LaneOperation by_cell(bool is_wide, Find find) {
  return is_wide ? find.template operator()<std::uint64_t>() : find.template operator()<std::uint32_t>();
}

/// `a` clamped to `bits` bits, signed or not.
template <int bits, bool is_signed>
constexpr std::uint32_t clamped(std::int32_t a) {
  constexpr std::int32_t most = (1 << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
  return static_cast<std::uint32_t>(std::clamp(a, least, most)) & ((1u << bits) - 1);
}
template <int bits, bool is_signed>
constexpr std::uint32_t pack(std::int32_t a, std::int32_t b) {
  return clamped<bits, is_signed>(a) << bits | clamped<bits, is_signed>(b);
}
template <int bits, bool is_signed>
constexpr std::uint32_t pack_below(std::int32_t a, std::int32_t b, std::uint32_t c) {
  return pack<bits, is_signed>(a, b) | c << 2 * bits;
}
template <int bits>
LaneOperation find_pack_below(bool is_signed) {
  return is_signed ? vectorised<pack_below<bits, true>>() : vectorised<pack_below<bits, false>>();
}

/// cvt.pack.sat.u8.s32.b32 d, a, b, c: b lies lowest, a above it, then what of c still fits (PTX
/// ISA 9.7.9.22).
LaneOperation find_pack(Form& form) {
  if (!form.take("sat")) form.reject(".sat is missing");
  const std::string_view to = form.take_one_of({"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"});
  if (to.empty() || !form.take("s32")) form.reject("no such pair of types");
  const bool is_signed = to.front() == 's';
  if (to.ends_with("16")) return is_signed ? vectorised<pack<16, true>>() : vectorised<pack<16, false>>();
  if (!form.take("b32")) form.reject(".b32 missing");
  if (to.ends_with('8')) return find_pack_below<8>(is_signed);
  return to.ends_with('4') ? find_pack_below<4>(is_signed) : find_pack_below<2>(is_signed);
}

}  // namespace

LaneOperation find_integer_to_integer(Form& form, Type to, Type from) {
  const auto is_wide = [&](std::size_t i, Type type) {
    return width_of(type) == Width::b64 || width_of(form.register_type(i)) == Width::b64;
  };
  const Resize how{bits_of(from), bits_of(to), is_signed(from), is_signed(to)};
  const bool sat = form.take("sat");
  return by_cell(is_wide(0, to), [&]<class Out>() {
    return by_cell(is_wide(1, from), [&]<class In>() {
      LaneOperation result = lane_by_lane<saturated<Out, In>>(how);
      if (!sat) result.run = truncate<Out, In>;
      result.immediate_types[1] = from;
      return result;
    });
  });
}

LaneOperation find_cvt(Form& form) {
  if (form.take("pack")) return find_pack(form);
  const Type to = form.take_type();
  const Type from = form.take_type();
  if (is_pair_type(to)) return find_packed_conversion(form, to, from);
  if (is_integer(to)) {
    return is_integer(from) ? find_integer_to_integer(form, to, from) : find_float_to_integer(form, to, from);
  }
  return is_integer(from) ? find_integer_to_float(form, to, from) : find_float_to_float(form, to, from);
}

// ---- Between integers and floats --------------------------------------------------------------------------

namespace {

template <class T>
constexpr T read(T a) {
  return a;
}
constexpr float read(Half a) { return widen(a); }
constexpr float read(BFloat a) { return widen(a); }

struct ToInteger {
  Rounding rounding;
  bool ftz;
  std::uint8_t bits;
  bool is_signed;
};
/// Clamped to what the integer can hold. NaN gives 0, but the value 1 << (bits - 1) where one of the two
/// types has 64 bits.
template <class Out, class S>
Out integer_from(ToInteger how, S a) {
  if constexpr (std::is_same_v<S, float>) a = how.ftz ? flush<true>(a) : a;
  const double value = read(a);
  if (is_nan(value)) {
    const bool is_zero = sizeof(S) < 8 && sizeof(Out) < 8;
    return is_zero ? 0
                   : static_cast<Out>(extended(std::uint64_t{1} << (how.bits - 1), how.bits, how.is_signed));
  }
  const double rounded = how.rounding == Rounding::zero ? value : to_integral(value, how.rounding);
  const double half =
      static_cast<double>(std::uint64_t{1} << (how.bits - 1));  // 2 halves are beyond unsigned ones
  if (rounded >= (how.is_signed ? half : 2 * half))
    return static_cast<Out>(greatest(how.bits, how.is_signed));
  if (rounded <= (how.is_signed ? -half : 0)) return static_cast<Out>(least(how.bits, how.is_signed));
  return static_cast<Out>(how.is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded))
                                        : static_cast<std::uint64_t>(rounded));
}

struct ToFloat {
  Rounding rounding;
  std::uint8_t bits;
  bool is_signed, unused = false;
};
template <class D, class S>
D nearest_real(S a) {
  return static_cast<D>(a);
}
/// Short formats are rounded twice: by way of a double that is odd where inexact (see sum_to_odd).
template <class D, class S>
D real_from_full(Rounding rounding, S a) {
  if constexpr (is_short_real<D>) {
    const double value = convert_rounded<double>(a, Rounding::zero);
    const bool is_exact = static_cast<S>(value) == a;
    return narrow<D>(is_exact ? value : std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) | 1),
                     rounding);
  } else {
    return rounding == Rounding::nearest ? static_cast<D>(a) : convert_rounded<D>(a, rounding);
  }
}
template <class D, class In>
D real_from(ToFloat how, In a) {
  const std::uint64_t value = extended<std::uint64_t>(a, how.bits, how.is_signed);
  return how.is_signed ? real_from_full<D>(how.rounding, static_cast<std::int64_t>(value))
                       : real_from_full<D>(how.rounding, value);
}

}  // namespace

LaneOperation find_float_to_integer(Form& form, Type to, Type from) {
  ToInteger how{{}, false, bits_of(to), is_signed(to)};
  if (!form.take_integer_rounding_into(how.rounding)) form.reject(".rni, .rzi, .rmi or .rpi is missing");
  how.ftz = from == Type::f32 && form.take("ftz");
  form.take("sat");  // integers are always clamped
  return by_cell(how.bits == 64, [&]<class Out>() {
    return by_type<Type::f32, Type::f64, Type::f16, Type::bf16>(
        form, from, [&]<class S>() { return lane_by_lane<integer_from<Out, S>>(how); });
  });
}

LaneOperation find_integer_to_float(Form& form, Type to, Type from) {
  ToFloat how{{}, bits_of(from), is_signed(from)};
  if (!form.take_rounding_into(how.rounding)) form.reject(".rn, .rz, .rm or .rp is missing");
  if (to == Type::f32) form.take("ftz");  // no integer becomes a subnormal
  return by_type<Type::f32, Type::f64, Type::f16, Type::bf16>(form, to, [&]<class D>() {
    LaneOperation result =
        by_cell(how.bits == 64, [&]<class In>() { return lane_by_lane<real_from<D, In>>(how); });
    result.immediate_types[1] = from;
    if constexpr (is_real<D>) {  // what kernels are full of
      if (how.rounding == Rounding::nearest && how.bits == 32)
        return how.is_signed ? vectorised<nearest_real<D, std::int32_t>>()
                             : vectorised<nearest_real<D, std::uint32_t>>();
    }
    return result;
  });
}

}  // namespace warpwise::simulator::decode::instructions
