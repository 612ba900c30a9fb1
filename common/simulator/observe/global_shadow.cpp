#include "global_shadow.hpp"

#include <new>

namespace warpwise::simulator::observe {

SegmentTable::~SegmentTable() {
  for (const std::atomic<Segment*>& chunk : chunks_) delete[] chunk.load();
}

std::uint64_t SegmentTable::add(const Segment& segment) {
  const std::uint64_t index = size_++ % capacity;
  const Place place = place_of(index);
  std::atomic<Segment*>& chunk = chunks_[place.chunk];
  if (chunk.load(std::memory_order_relaxed) == nullptr) {
    const std::uint64_t segments = place.chunk == 0 ? first_chunk : first_chunk << (place.chunk - 1);
    chunk.store(new Segment[segments], std::memory_order_release);
  }
  chunk.load(std::memory_order_relaxed)[place.index] = segment;
  return index;
}

const Segment& SegmentTable::at(std::uint64_t index) const {
  const Place place = place_of(index);
  return chunks_[place.chunk].load(std::memory_order_acquire)[place.index];
}

ShadowRegion::ShadowRegion(const Allocation& allocation) : base_(allocation.base / line_bytes * line_bytes) {
  const std::uint64_t bytes = allocation.base + allocation.bytes - base_;
  const std::uint64_t lines = bytes / line_bytes + 1;
  // calloc, because pages of zeros that are never touched cost nothing.
  lines_.reset(static_cast<ShadowLine*>(std::calloc(lines, sizeof(ShadowLine))));
  if (!lines_) throw std::bad_alloc();
}

ShadowRegion& GlobalShadow::region_of(const Allocation& allocation) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<ShadowRegion>& region = regions_[&allocation];
  if (!region) region = std::make_unique<ShadowRegion>(allocation);
  return *region;
}

std::uint32_t GlobalShadow::add_segments() {
  segments_.push_back(std::make_unique<SegmentTable>());
  return static_cast<std::uint32_t>(segments_.size() - 1);
}

}  // namespace warpwise::simulator::observe
