#include "undefined_values.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace warpwise::simulator::run {

namespace {

constexpr std::uint8_t whole_word = 0xF;
constexpr std::uint64_t eight_whole_words = 0x0F0F0F0F0F0F0F0F;

// Blocks that run at the same moment share the maps of global memory: hence the atomics, all of them relaxed.

bool is_written(std::uint8_t* words, std::uint64_t byte) {
  const std::uint8_t bits = std::atomic_ref(words[byte / 4]).load(std::memory_order_relaxed);
  return (bits >> byte % 4 & 1) != 0;
}

/// Of the `bytes` at `offset`, those of `used` that nobody has written.
std::uint32_t unwritten_of(std::uint8_t* words, std::uint64_t offset, std::uint32_t bytes,
                           std::uint32_t used) {
  std::uint32_t unwritten = 0;
  for (std::uint32_t i = 0; i < bytes; ++i)
    if ((used >> i & 1) != 0 && !is_written(words, offset + i)) unwritten |= std::uint32_t{1} << i;
  return unwritten;
}

void mark(std::uint8_t* words, std::uint64_t offset, std::uint64_t length) {
  while (length > 0) {
    const std::uint64_t first = offset % 4;
    const std::uint64_t bytes = std::min<std::uint64_t>(4 - first, length);
    const auto bits = static_cast<std::uint8_t>(((1u << bytes) - 1) << first);
    std::atomic_ref word(words[offset / 4]);
    if (bits == whole_word) {
      word.store(whole_word, std::memory_order_relaxed);
    } else if ((word.load(std::memory_order_relaxed) & bits) != bits) {
      word.fetch_or(bits, std::memory_order_relaxed);
    }
    offset += bytes;
    length -= bytes;
  }
}

/// A whole warp on `count` neighbouring words, eight at a time.
bool are_written(std::uint8_t* words, std::uint32_t count) {
  std::uint64_t unwritten = 0;
  for (std::uint32_t i = 0; i < count; i += 8) {
    std::atomic_ref eight(*reinterpret_cast<std::uint64_t*>(words + i));
    unwritten |= eight.load(std::memory_order_relaxed) ^ eight_whole_words;
  }
  return unwritten == 0;
}

void mark_words(std::uint8_t* words, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; i += 8) {
    std::atomic_ref eight(*reinterpret_cast<std::uint64_t*>(words + i));
    eight.store(eight_whole_words, std::memory_order_relaxed);
  }
}

/// Lanes on `count` whole words each, in the map of `size` words that begins at `base`. Returns false, with
/// nothing done, where one of them is elsewhere or must be looked at closely.
bool check_whole_words(const Access& access, std::uint64_t base, std::uint8_t* words, std::uint64_t size,
                       std::uint32_t count, bool reads) {
  const std::uint64_t* const address = access.address;
  std::uint64_t lowest_address = ~std::uint64_t{0}, highest_address = 0;
  for (const std::uint32_t lane : lanes_in(access.lanes)) {
    lowest_address = std::min(lowest_address, address[lane]);
    highest_address = std::max(highest_address, address[lane]);
  }
  if (lowest_address < base || (highest_address - base) / 4 + count > size) return false;
  if (reads) {
    std::uint8_t written = whole_word;
    for (const std::uint32_t lane : lanes_in(access.lanes)) {
      std::uint8_t* const first = words + (address[lane] - base) / 4;
      for (std::uint32_t i = 0; i < count; ++i)
        written &= std::atomic_ref(first[i]).load(std::memory_order_relaxed);
    }
    if (written != whole_word) return false;
  }
  if (access.kind == AccessKind::load) return true;
  for (const std::uint32_t lane : lanes_in(access.lanes)) {
    std::uint8_t* const first = words + (address[lane] - base) / 4;
    for (std::uint32_t i = 0; i < count; ++i)
      std::atomic_ref(first[i]).store(whole_word, std::memory_order_relaxed);
  }
  return true;
}

}  // namespace

void WrittenBits::begin(std::uint32_t shared_bytes, std::uint32_t cleared, std::uint32_t threads) {
  shared_.assign((shared_bytes + 3) / 4, 0);
  std::fill(shared_.end() - cleared / 4, shared_.end(), whole_word);
  if (has_used_local_) {
    for (auto& thread : local_) thread.clear();
  }
  has_used_local_ = false;
  local_.resize(threads);
}

WrittenBits::Map WrittenBits::map_of(const WarpContext& warp, const Access& access, std::uint32_t lane) {
  switch (access.space) {
    case ptx::Space::global: {
      Allocation& allocation = *access.allocation[lane];
      return {allocation.written.data(), allocation.written.size(), allocation.base};
    }
    case ptx::Space::shared:
      return {shared_.data(), shared_.size(), 0};
    case ptx::Space::local: {
      has_used_local_ = true;
      std::vector<std::uint8_t>& map = local_[warp.warp * warp_size + lane];
      const std::uint64_t needed = (access.address[lane] + access.bytes + 3) / 4;
      if (map.size() < needed) map.resize(needed);
      return {map.data(), map.size(), 0};
    }
    default:
      return {};
  }
}

bool WrittenBits::enter(const WarpContext& warp, const Access& access, LaneBytes& unwritten) {
  if (access.lanes == 0) return false;
  const bool reads = access.kind != AccessKind::store, writes = access.kind != AccessKind::load;
  Map map = map_of(warp, access, lowest_lane(access.lanes));
  if (map.size == 0) return false;
  const AccessShape shape = access.shape();
  const bool is_shared_by_lanes = access.space != ptx::Space::local;
  if (access.bytes % 4 == 0 && is_shared_by_lanes && shape != AccessShape::uniform) {
    const std::uint32_t count = access.bytes / 4;
    const std::uint64_t first = (access.address[0] - map.base) / 4;
    const bool is_one_piece = shape == AccessShape::consecutive && access.lanes == all_lanes &&
                              first % 8 == 0 && first + std::uint64_t{warp_size} * count <= map.size;
    if (is_one_piece) {
      if (!reads || are_written(map.words + first, warp_size * count)) {
        if (writes) mark_words(map.words + first, warp_size * count);
        return false;
      }
    } else if (check_whole_words(access, map.base, map.words, map.size, count, reads)) {
      return false;
    }
  }
  LaneBytes found{};
  std::uint32_t any = 0;
  for (const std::uint32_t lane : lanes_in(access.lanes)) {
    if (access.space != ptx::Space::shared) map = map_of(warp, access, lane);
    const std::uint64_t offset = access.address[lane] - map.base;
    if (map.words == nullptr || (offset + access.used_end() + 3) / 4 > map.size) continue;
    if (reads) any |= found[lane] = unwritten_of(map.words, offset, access.bytes, access.used);
    if (writes) mark(map.words, offset, access.bytes);
    if (shape == AccessShape::uniform && is_shared_by_lanes) {  // one lane stands for all
      found.fill(found[lane]);
      break;
    }
  }
  if (any != 0) unwritten = found;
  return any != 0;
}

void WrittenBits::forget(const WarpContext& warp, const Access& access, const LaneBytes& which) {
  for (const std::uint32_t lane : lanes_in(access.lanes)) {
    if (which[lane] == 0) continue;
    const Map map = map_of(warp, access, lane);
    const std::uint64_t offset = access.address[lane] - map.base;
    for (std::uint32_t i = 0; i < access.bytes; ++i) {
      const std::uint64_t byte = offset + i;
      if ((which[lane] >> i & 1) == 0 || byte / 4 >= map.size) continue;
      std::atomic_ref(map.words[byte / 4])
          .fetch_and(static_cast<std::uint8_t>(~(1u << byte % 4)), std::memory_order_relaxed);
    }
  }
}

bool WrittenBits::is_written_nearby(const WarpContext& warp, const Access& access, std::uint32_t lane) {
  const Map map = map_of(warp, access, lane);
  const std::uint64_t first = (access.address[lane] - map.base) / 16 * 16;
  for (std::uint64_t byte = first; byte < first + 16 && byte / 4 < map.size; ++byte)
    if (is_written(map.words, byte)) return true;
  return false;
}

}  // namespace warpwise::simulator::run
