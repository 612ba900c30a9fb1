#pragma once
/// \file The 32 lanes of a warp in a row, each with its number; columns of 32 words stand below them.

#include <cstdint>

#include "drawing.hpp"

namespace warpwise::print {

inline constexpr double row_left = 64;  ///< room for the row's name
inline constexpr double lane_width = 20;

inline double column_of(std::uint64_t number) { return row_left + lane_width * static_cast<double>(number); }
inline double middle_of(std::uint64_t number) { return column_of(number) + lane_width / 2 - 0.5; }

/// Lanes of the mask are filled, others pale.
inline void draw_lane_row(Drawing& drawing, double y, std::string_view name, std::uint32_t lanes) {
  drawing.text("", 0, y + 14, name);
  std::string busy, idle;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    (lanes >> lane & 1 ? busy : idle) += box(column_of(lane), y, lane_width - 1, lane_width - 1);
  drawing.path("lane", busy);
  drawing.path("idle", idle);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    drawing.text(lanes >> lane & 1 ? "cell on" : "cell off", middle_of(lane), y + 14, std::to_string(lane));
}

}  // namespace warpwise::print
