#include "launch_result.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

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

namespace {
double volume(const std::array<std::uint32_t, 3>& extent) {
  return double(extent[0]) * extent[1] * extent[2];
}
}  // namespace

std::uint64_t Counter::in(const Counters& counters) const {
  std::uint64_t sum = 0;
  for (const Member member : members_)
    if (member != nullptr) sum += counters.*member;
  return sum;
}

Count::Count(SharedReport launch, std::optional<unsigned> n, Counter counter)
    : launch_(std::move(launch)),
      n_(n),
      counter_(counter),
      value_(static_cast<double>(counter.in(launch_->counters))) {}

Count Count::per_block() const { return *this / volume(launch_->grid); }

Count Count::per_warp() const {
  return *this / (volume(launch_->grid) * std::ceil(volume(launch_->block) / 32));
}

Count Count::operator/(double pieces) const {
  Count count = *this;
  count.value_ /= pieces;
  if (count.pieces_) *count.pieces_ *= pieces;
  return count;
}

Count Count::only(double part) const {
  Count count = *this;
  if (part != value_) count.pieces_.reset();
  count.value_ = part;
  return count;
}

Count Count::operator-(double others) const { return only(std::max(value_ - others, 0.0)); }

}  // namespace warpwise::harness
