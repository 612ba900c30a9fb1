// setp (PTX ISA 9.7.6.2, 9.7.7.2): a comparison, at will combined with a predicate, into one or two
// predicates: p = (a op b) BOOL c, q = !(a op b) BOOL c.
#include "comparison.hpp"

#include "families.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {
namespace {

using ptx::Type;

enum class Combine { none, and_, or_, xor_ };

/// How a setp uses what its comparison gave; to and from LaneOperation::modifier.
struct Shape {
  bool has_pair = false;  ///< two destinations
  Combine combine = Combine::none;
  bool is_negated = false;  ///< the combined predicate has a `!`

  Row modifier() const { return Row{has_pair} | Row{is_negated} << 1 | static_cast<Row>(combine) << 2; }
  static Shape of(Row modifier) {
    return {(modifier & 1) != 0, static_cast<Combine>(modifier >> 2), (modifier & 2) != 0};
  }
};

LaneMask combined(Combine combine, LaneMask result, LaneMask with) {
  if (combine == Combine::and_) return result & with;
  if (combine == Combine::or_) return result | with;
  if (combine == Combine::xor_) return result ^ with;
  return result;
}

inline void blend(std::byte* frame, Row row, LaneMask active, LaneMask value) {
  LaneMask& mask = *row_of<LaneMask>(frame, row);
  mask = (mask & ~active) | (value & active);
}

/// The comparison alone, for all lanes.
template <Compare compare, class T, bool ftz>
LaneMask compare_rows(std::byte* frame, Row a, Row b) {
  const Source<T> x(frame, a), y(frame, b);
  Lanes<std::uint8_t> flags;
  for (std::uint32_t i = 0; i < warp_size; ++i) flags[i] = compares<T, ftz>(compare, x[i], y[i]);
  return mask_of(flags);
}

/// `setp p, a, b`: nearly all there are.
template <Compare compare, class T, bool ftz>
void run_plain(std::byte* frame, const Row* rows, LaneMask active) {
  blend(frame, rows[0], active, compare_rows<compare, T, ftz>(frame, rows[1], rows[2]));
}

using CompareRows = LaneMask (*)(std::byte* frame, Row a, Row b);

void run_shaped(std::byte* frame, const Row* rows, LaneMask active, CompareRows compare) {
  const Shape shape = Shape::of(rows[modifier_row]);
  const Row* sources = rows + (shape.has_pair ? 2 : 1);
  const LaneMask result = compare(frame, sources[0], sources[1]);
  LaneMask with = 0;
  if (shape.combine != Combine::none) with = *row_of<LaneMask>(frame, sources[2]);
  if (shape.is_negated) with = ~with;
  blend(frame, rows[0], active, combined(shape.combine, result, with));
  if (shape.has_pair) blend(frame, rows[1], active, combined(shape.combine, ~result, with));
}

template <Compare compare, class T, bool ftz>
void run_any(std::byte* frame, const Row* rows, LaneMask active) {
  run_shaped(frame, rows, active, compare_rows<compare, T, ftz>);
}

template <class T>
LaneOperation operation_of(const Shape& shape, LaneFunction plain, LaneFunction any) {
  LaneOperation result;
  if (shape.modifier() != 0) result.modifier = shape.modifier();
  result.run = result.modifier ? any : plain;
  std::size_t k = 1;
  result.widths[0] = result.widths[1] = Width::pred;
  if (shape.has_pair) ++k;
  for (int source = 0; source < 2; ++source, ++k) {
    result.widths[k] = width_of<T>();
    result.immediate_types[k] = immediate_type_of<T>();
  }
  if (shape.combine != Combine::none) {
    result.widths[k] = Width::pred;
    result.immediate_types[k++] = Type::pred;
  }
  result.operands = static_cast<std::uint8_t>(k);
  return result;
}

template <Compare compare, class T, bool ftz>
LaneOperation setp_operation(const Shape& shape) {
  return operation_of<T>(shape, run_plain<compare, T, ftz>, run_any<compare, T, ftz>);
}

template <class T>
LaneOperation find_typed_setp(Compare compare, bool ftz, const Shape& shape) {
  return by_compare < is_real<T> || is_short_real < T >> (compare, [&]<Compare c>() -> LaneOperation {
                                      if constexpr (std::is_same_v<T, float>) {
                                        if (ftz) return setp_operation<c, T, true>(shape);
                                      }
                                      return setp_operation<c, T, false>(shape);
                                    });
}

}  // namespace

Compare take_compare(Form& form, Type type) {
  const bool is_bits = type == Type::b16 || type == Type::b32 || type == Type::b64;
  const bool is_unsigned = type == Type::u16 || type == Type::u32 || type == Type::u64;
  const bool is_signed = type == Type::s16 || type == Type::s32 || type == Type::s64;
  if (form.take("eq")) return Compare::eq;
  if (form.take("ne")) return Compare::ne;
  if (is_bits) form.reject("bit types have .eq and .ne only");
  if (form.take("lt")) return Compare::lt;
  if (form.take("le")) return Compare::le;
  if (form.take("gt")) return Compare::gt;
  if (form.take("ge")) return Compare::ge;
  if (is_unsigned) {
    if (form.take("lo")) return Compare::lt;
    if (form.take("ls")) return Compare::le;
    if (form.take("hi")) return Compare::gt;
    if (form.take("hs")) return Compare::ge;
  } else if (!is_signed) {
    if (form.take("equ")) return Compare::equ;
    if (form.take("neu")) return Compare::neu;
    if (form.take("ltu")) return Compare::ltu;
    if (form.take("leu")) return Compare::leu;
    if (form.take("gtu")) return Compare::gtu;
    if (form.take("geu")) return Compare::geu;
    if (form.take("num")) return Compare::num;
    if (form.take("nan")) return Compare::nan;
  }
  form.reject("no such comparison");
}

LaneOperation find_setp(Form& form) {
  const Type type = form.take_type();
  const Compare compare = take_compare(form, type);
  const bool ftz = type == Type::f32 && form.take("ftz");
  Shape shape;
  shape.has_pair = form.is_pair(0);
  const auto combine = form.take_one_of({"and", "or", "xor"});
  if (!combine.empty()) {
    shape.combine = combine == "and" ? Combine::and_ : combine == "or" ? Combine::or_ : Combine::xor_;
    shape.is_negated = form.take_negation(shape.has_pair ? 4 : 3);
  }
  return by_type<Type::u32, Type::s32, Type::b32, Type::u64, Type::s64, Type::b64, Type::u16, Type::s16,
                 Type::b16, Type::f32, Type::f64, Type::f16, Type::bf16>(
      form, type, [&]<class T>() { return find_typed_setp<T>(compare, ftz, shape); });
}

}  // namespace warpwise::simulator::decode::instructions
