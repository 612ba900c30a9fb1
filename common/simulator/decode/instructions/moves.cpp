// Moves: mov copies, packs and unpacks (PTX ISA 9.7.9.3, 9.7.9.4); cvta, isspacep and mapa are about
// addresses.
#include "../../global_memory.hpp"
#include "form.hpp"
#include "rows.hpp"

#include <cstring>

namespace warpwise::simulator::decode::instructions {

namespace {

using ptx::Type;

template <class T>
constexpr T same(T a) {
  return a;
}
void run_mask_copy(std::byte* frame, const Row* rows, LaneMask active) {
  LaneMask& d = *row_of<LaneMask>(frame, rows[0]);
  d = (d & ~active) | (*row_of<LaneMask>(frame, rows[1]) & active);
}

/// mov.b64 d, {a, b}: a is the low part. `n` parts of type Part make up one Whole.
template <class Whole, class Part, std::size_t n>
void run_pack(std::byte* frame, const Row* rows, LaneMask active) {
  write_row<Whole>(frame, rows[0], active, [&](std::uint32_t lane) {
    Whole whole = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const Part part = Source<Part>(frame, rows[1 + k])[lane];
      whole = static_cast<Whole>(whole | static_cast<Whole>(part) << (8 * sizeof(Part) * k));
    }
    return whole;
  });
}
/// mov.b64 {a, b}, s. The source is read first: it may be one of the destinations.
template <class Whole, class Part, std::size_t n>
void run_unpack(std::byte* frame, const Row* rows, LaneMask active) {
  const Source<Whole> source(frame, rows[n]);
  Lanes<Cell<Whole>> whole;
  for (std::uint32_t i = 0; i < warp_size; ++i) whole[i] = source[i];
  for (std::size_t k = 0; k < n; ++k) {
    write_row<Part>(frame, rows[k], active, [&](std::uint32_t lane) {
      return static_cast<Part>(whole[lane] >> (8 * sizeof(Part) * k));
    });
  }
}
void run_pack128(std::byte* frame, const Row* rows, LaneMask active) {
  const Source<std::uint64_t> low(frame, rows[1]), high(frame, rows[2]);
  write_row<Bits128>(frame, rows[0], active, [&](std::uint32_t i) { return Bits128{low[i], high[i]}; });
}
void run_unpack128(std::byte* frame, const Row* rows, LaneMask active) {
  const Source<Bits128> source(frame, rows[2]);
  write_row<std::uint64_t>(frame, rows[0], active, [&](std::uint32_t i) { return source[i].low; });
  write_row<std::uint64_t>(frame, rows[1], active, [&](std::uint32_t i) { return source[i].high; });
}

LaneOperation vector_move(LaneFunction run, std::size_t n, bool packs, Width whole, Width part,
                          Type part_type, Type whole_type) {
  LaneOperation result;
  result.run = run;
  result.operands = static_cast<std::uint8_t>(n + 1);
  for (std::size_t k = 0; k <= n; ++k) {
    const bool is_whole = k == (packs ? 0 : n);
    const bool is_source = packs ? k > 0 : k == n;
    result.widths[k] = is_whole ? whole : part;
    if (is_source) result.immediate_types[k] = is_whole ? whole_type : part_type;
  }
  return result;
}

template <class Whole, class Part, std::size_t n>
LaneOperation vector_move_of(bool packs) {
  return vector_move(packs ? run_pack<Whole, Part, n> : run_unpack<Whole, Part, n>, n, packs,
                     width_of<Whole>(), width_of<Part>(), immediate_type_of<Part>(),
                     immediate_type_of<Whole>());
}

LaneOperation find_vector_move(Form& form, Type type, std::size_t n, bool packs) {
  if (type == Type::b16 && n == 2) return vector_move_of<std::uint16_t, std::uint8_t, 2>(packs);
  if (type == Type::b32 && n == 2) return vector_move_of<std::uint32_t, std::uint16_t, 2>(packs);
  if (type == Type::b32 && n == 4) return vector_move_of<std::uint32_t, std::uint8_t, 4>(packs);
  if (type == Type::b64 && n == 2) return vector_move_of<std::uint64_t, std::uint32_t, 2>(packs);
  if (type == Type::b64 && n == 4) return vector_move_of<std::uint64_t, std::uint16_t, 4>(packs);
  if (type == Type::b128 && n == 2) {
    return vector_move(packs ? run_pack128 : run_unpack128, 2, packs, Width::b128, Width::b64, Type::b64,
                       Type::b128);
  }
  if (type == Type::b128 && n == 4) form.reject("four parts of b128 are not supported");
  form.reject("no such vector");
}

}  // namespace

LaneOperation find_mov(Form& form) {
  const Type type = form.take_type();
  if (form.elements(0) > 1) return find_vector_move(form, type, form.elements(0), false);
  if (form.elements(1) > 1) return find_vector_move(form, type, form.elements(1), true);
  if (type == Type::pred) {
    LaneOperation result = vectorised<same<bool>>();
    result.run = run_mask_copy;
    return result;
  }
  return by_type<Type::b32, Type::u32, Type::s32, Type::f32, Type::b64, Type::u64, Type::s64, Type::f64,
                 Type::b16, Type::u16, Type::s16, Type::f16, Type::bf16, Type::b128>(
      form, type, []<class T>() { return vectorised<same<T>>(); });
}

// cvta and isspacep: generic addresses of the spaces other than global lie in the windows of
// global_memory.hpp; generic and global addresses are the same.

namespace {

template <std::uint64_t window>
constexpr std::uint64_t to_generic(std::uint64_t address) {
  return address + window;
}
template <std::uint64_t window>
constexpr std::uint64_t from_generic(std::uint64_t address) {
  return address - window;
}
template <std::uint64_t window>
constexpr bool lies_in(std::uint64_t address) {
  return address - window < window_bytes;
}
constexpr bool is_global(std::uint64_t address) {
  return !lies_in<shared_window>(address) && !lies_in<local_window>(address) &&
         !lies_in<constant_window>(address) && !lies_in<param_window>(address);
}

template <class T>
constexpr T own_address(T address, std::uint32_t) {
  return address;
}

template <class Find>
LaneOperation by_space(Form& form, Find find) {
  const auto space = form.take_one_of(
      {"shared", "shared::cta", "shared::cluster", "local", "const", "param", "param::entry", "param::func"});
  if (space.starts_with("shared")) return find.template operator()<shared_window>();
  if (space == "local") return find.template operator()<local_window>();
  if (space == "const") return find.template operator()<constant_window>();
  if (space.starts_with("param")) return find.template operator()<param_window>();
  form.reject("the state space is missing");
}

}  // namespace

LaneOperation find_cvta(Form& form) {
  if (form.take_type() != Type::u64) form.reject("addresses have 64 bits here");
  const bool to = form.take("to");
  if (form.take("global")) return vectorised<to_generic<0>>();
  return by_space(form, [&]<std::uint64_t window>() {
    return to ? vectorised<from_generic<window>>() : vectorised<to_generic<window>>();
  });
}

/// A cluster has one block here, so that every rank's shared memory is the block's own.
LaneOperation find_mapa(Form& form) {
  form.take_one_of({"shared::cluster"});
  return by_type<Type::u32, Type::u64>(form, form.take_type(),
                                       []<class T>() { return vectorised<own_address<T>>(); });
}

LaneOperation find_isspacep(Form& form) {
  if (form.take("global")) return vectorised<is_global>();
  return by_space(form, []<std::uint64_t window>() { return vectorised<lies_in<window>>(); });
}

// ld.param and st.param with a named parameter, and the parameters of calls: copies between rows.

namespace {

/// Of lane `lane` and element `e`, the place in the frame.
template <class Memory>
std::byte* place_in(std::byte* frame, const Row* rows, std::uint32_t lane, Row e) {
  return frame + rows[4] + std::size_t{lane} * rows[5] + rows[6] + e * sizeof(Memory);
}

template <class Memory, class Register>
void load(std::byte* frame, const Row* rows, LaneMask active) {
  for (Row e = 0; e < rows[modifier_row]; ++e) {
    Register* to = row_of<Register>(frame, rows[e]);
    for (const std::uint32_t lane : lanes_in(active)) {
      Memory value;
      std::memcpy(&value, place_in<Memory>(frame, rows, lane, e), sizeof value);
      to[lane] = static_cast<Register>(value);
    }
  }
}

template <class Memory, class Register>
void store(std::byte* frame, const Row* rows, LaneMask active) {
  for (Row e = 0; e < rows[modifier_row]; ++e) {
    const Register* from = row_of<Register>(frame, rows[e]);
    for (const std::uint32_t lane : lanes_in(active)) {
      const Memory value = static_cast<Memory>(from[lane]);
      std::memcpy(place_in<Memory>(frame, rows, lane, e), &value, sizeof value);
    }
  }
}

template <class Register, std::uint32_t elements>
void copy(std::byte* frame, const Row* rows, LaneMask active) {
  for (std::uint32_t e = 0; e < elements; ++e) {
    Register* to = row_of<Register>(frame, rows[e]);
    const Register* from = row_of<Register>(frame, rows[4 + e]);
    for (std::uint32_t i = 0; i < warp_size; ++i) to[i] = active >> i & 1 ? from[i] : to[i];
  }
}

template <class Register>
LaneFunction load_to(std::uint32_t bytes, bool is_signed) {
  if (bytes == 1) return is_signed ? load<std::int8_t, Register> : load<std::uint8_t, Register>;
  if (bytes == 2) return is_signed ? load<std::int16_t, Register> : load<std::uint16_t, Register>;
  if (bytes == 4) return is_signed ? load<std::int32_t, Register> : load<std::uint32_t, Register>;
  return bytes == 8 && sizeof(Register) == 8 ? load<std::uint64_t, Register> : nullptr;
}

template <class Register>
LaneFunction store_from(std::uint32_t bytes) {
  if (bytes == 1) return store<std::uint8_t, Register>;
  if (bytes == 2) return store<std::uint16_t, Register>;
  if (bytes == 4) return store<std::uint32_t, Register>;
  return bytes == 8 && sizeof(Register) == 8 ? store<std::uint64_t, Register> : nullptr;
}

bool is_cell(Width width) { return width == Width::b32 || width == Width::b64; }

}  // namespace

LaneFunction find_parameter_load(std::uint32_t element_bytes, bool is_signed, Width width) {
  if (!is_cell(width)) return nullptr;
  return width == Width::b64 ? load_to<std::uint64_t>(element_bytes, is_signed)
                             : load_to<std::uint32_t>(element_bytes, is_signed);
}

LaneFunction find_parameter_store(std::uint32_t element_bytes, Width width) {
  if (!is_cell(width)) return nullptr;
  return width == Width::b64 ? store_from<std::uint64_t>(element_bytes)
                             : store_from<std::uint32_t>(element_bytes);
}

LaneFunction find_parameter_copy(Width width, std::uint32_t elements) {
  const bool is_wide = width == Width::b64;
  if (!is_cell(width)) return nullptr;
  if (elements == 1) return is_wide ? copy<std::uint64_t, 1> : copy<std::uint32_t, 1>;
  if (elements == 2) return is_wide ? copy<std::uint64_t, 2> : copy<std::uint32_t, 2>;
  return elements != 4 ? nullptr : is_wide ? copy<std::uint64_t, 4> : copy<std::uint32_t, 4>;
}

}  // namespace warpwise::simulator::decode::instructions
