#pragma once
/// \file ld.param and st.param inside functions: lane-wise, because a parameter lies in the frame.

#include "lane_operation.hpp"

namespace warpwise::simulator::decode::instructions {

/// Rows: 0 .. elements-1 data, 4 start of the place, 5 its stride, 6 the displacement.
/// nullptr where there is no such form.
LaneFunction find_parameter_load(std::uint32_t element_bytes, bool is_signed, Width width,
                                 std::uint32_t elements);
LaneFunction find_parameter_store(std::uint32_t element_bytes, Width width, std::uint32_t elements);
/// A kernel's parameters are rows already: copies rows[4 + e] to rows[e].
LaneFunction find_parameter_copy(Width width, std::uint32_t elements);

}  // namespace warpwise::simulator::decode::instructions
