#include "lane_operation.hpp"

#include <cstring>

namespace warpwise::simulator::decode::instructions {

namespace {

template <class Memory, class Register, std::uint32_t elements>
void load(std::byte* frame, const Row* rows, LaneMask active) {
  const std::byte* place = frame + rows[4] + rows[6];
  for (std::uint32_t e = 0; e < elements; ++e) {
    Register* to = row_of<Register>(frame, rows[e]);
    for (const std::uint32_t lane : lanes_in(active)) {
      Memory value;
      std::memcpy(&value, place + std::size_t{lane} * rows[5] + e * sizeof value, sizeof value);
      to[lane] = static_cast<Register>(value);
    }
  }
}

template <class Memory, class Register, std::uint32_t elements>
void store(std::byte* frame, const Row* rows, LaneMask active) {
  std::byte* place = frame + rows[4] + rows[6];
  for (std::uint32_t e = 0; e < elements; ++e) {
    const Register* from = row_of<Register>(frame, rows[e]);
    for (const std::uint32_t lane : lanes_in(active)) {
      const Memory value = static_cast<Memory>(from[lane]);
      std::memcpy(place + std::size_t{lane} * rows[5] + e * sizeof value, &value, sizeof value);
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

template <std::uint32_t elements>
LaneFunction load_of(std::uint32_t bytes, bool is_signed, Width width) {
  using std::int16_t, std::int32_t, std::int8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;
  const bool is_wide = width == Width::b64;
  switch (bytes) {
    case 1:
      if (is_wide) return is_signed ? load<int8_t, uint64_t, elements> : load<uint8_t, uint64_t, elements>;
      return is_signed ? load<int8_t, uint32_t, elements> : load<uint8_t, uint32_t, elements>;
    case 2:
      if (is_wide) return is_signed ? load<int16_t, uint64_t, elements> : load<uint16_t, uint64_t, elements>;
      return is_signed ? load<int16_t, uint32_t, elements> : load<uint16_t, uint32_t, elements>;
    case 4:
      if (is_wide) return is_signed ? load<int32_t, uint64_t, elements> : load<uint32_t, uint64_t, elements>;
      return load<uint32_t, uint32_t, elements>;
    case 8:
      return is_wide ? load<uint64_t, uint64_t, elements> : nullptr;
    default:
      return nullptr;
  }
}

template <std::uint32_t elements>
LaneFunction store_of(std::uint32_t bytes, Width width) {
  using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;
  const bool is_wide = width == Width::b64;
  switch (bytes) {
    case 1:
      return is_wide ? store<uint8_t, uint64_t, elements> : store<uint8_t, uint32_t, elements>;
    case 2:
      return is_wide ? store<uint16_t, uint64_t, elements> : store<uint16_t, uint32_t, elements>;
    case 4:
      return is_wide ? store<uint32_t, uint64_t, elements> : store<uint32_t, uint32_t, elements>;
    case 8:
      return is_wide ? store<uint64_t, uint64_t, elements> : nullptr;
    default:
      return nullptr;
  }
}

bool is_cell(Width width) { return width == Width::b32 || width == Width::b64; }

}  // namespace

LaneFunction find_parameter_load(std::uint32_t element_bytes, bool is_signed, Width width,
                                 std::uint32_t elements) {
  if (!is_cell(width)) return nullptr;
  if (elements == 1) return load_of<1>(element_bytes, is_signed, width);
  if (elements == 2) return load_of<2>(element_bytes, is_signed, width);
  return elements == 4 ? load_of<4>(element_bytes, is_signed, width) : nullptr;
}

LaneFunction find_parameter_store(std::uint32_t element_bytes, Width width, std::uint32_t elements) {
  if (!is_cell(width)) return nullptr;
  if (elements == 1) return store_of<1>(element_bytes, width);
  if (elements == 2) return store_of<2>(element_bytes, width);
  return elements == 4 ? store_of<4>(element_bytes, width) : nullptr;
}

LaneFunction find_parameter_copy(Width width, std::uint32_t elements) {
  const bool is_wide = width == Width::b64;
  if (!is_cell(width)) return nullptr;
  if (elements == 1) return is_wide ? copy<std::uint64_t, 1> : copy<std::uint32_t, 1>;
  if (elements == 2) return is_wide ? copy<std::uint64_t, 2> : copy<std::uint32_t, 2>;
  return elements != 4 ? nullptr : is_wide ? copy<std::uint64_t, 4> : copy<std::uint32_t, 4>;
}

}  // namespace warpwise::simulator::decode::instructions
