#include "launch.hpp"

#include <stdexcept>

namespace warpwise::harness {

namespace {
std::string spelled(const Extent& extent) {
  if (extent.y == 1 && extent.z == 1) return std::to_string(extent.x);
  return "{" + std::to_string(extent.x) + ", " + std::to_string(extent.y) + ", " + std::to_string(extent.z) +
         "}";
}
}  // namespace

std::string spelled(const LaunchShape& shape) {
  std::string text = "<<<" + spelled(shape.grid) + ", " + spelled(shape.block);
  if (shape.shared_bytes != 0) text += ", " + std::to_string(shape.shared_bytes) + " bytes";
  return text + ">>>";
}

const simulator::LaunchReport& Launch::report() const {
  if (!report_)
    throw std::logic_error("counters and findings of " + kernel_ + ": only the simulated GPU has them");
  return *report_;
}

Count Launch::count(Counter counter) const {
  report();  // or it throws
  return {report_, shape_.n, counter};
}

}  // namespace warpwise::harness
