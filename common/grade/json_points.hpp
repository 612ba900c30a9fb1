#pragma once
/// \file Points as JSON has them.

#include <cstdint>
#include <nlohmann/json.hpp>

namespace warpwise::grade {

/// A number of points: whole where it is whole.
inline nlohmann::ordered_json json_of_points(std::int64_t thousandths) {
  if (thousandths % 1000 == 0) return thousandths / 1000;
  return static_cast<double>(thousandths) / 1000;
}

}  // namespace warpwise::grade
