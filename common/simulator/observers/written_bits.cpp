#include "written_bits.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace warpwise::simulator {

using machine::Access;
using machine::AccessKind;
using machine::AccessShape;
using machine::all_lanes;
using machine::Allocation;
using machine::LaneMask;
using machine::lowest;
using machine::warp_size;

namespace {

constexpr std::uint8_t whole_word = 0xF;
constexpr std::uint64_t eight_whole_words = 0x0F0F0F0F0F0F0F0F;

// Blocks that run at the same moment share the maps of global memory: hence the atomics, all of them relaxed.

bool is_written(std::uint8_t* words, std::uint64_t offset, std::uint64_t length) {
  for (std::uint64_t byte = offset; byte < offset + length; ++byte) {
    const std::uint8_t bits = std::atomic_ref(words[byte / 4]).load(std::memory_order_relaxed);
    if ((bits >> byte % 4 & 1) != 0) return true;
  }
  return false;
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

/// Lanes anywhere in one map of `size` words, each on `count` whole words. Returns false, with nothing done,
/// where one of them must be looked at closely.
bool check_whole_words(const Access& access, std::uint64_t base, std::uint8_t* words, std::uint64_t size,
                       std::uint32_t count, bool reads) {
  std::uint64_t last = 0;
  std::uint8_t written = whole_word;
  for (const std::uint32_t lane : machine::lanes_in(access.lanes)) {
    const std::uint64_t first = (access.address[lane] - base) / 4;
    last = std::max(last, first);
    if (last + count > size) return false;
    for (std::uint32_t i = 0; reads && i < count; ++i)
      written &= std::atomic_ref(words[first + i]).load(std::memory_order_relaxed);
  }
  if (written != whole_word) return false;
  for (const std::uint32_t lane : machine::lanes_in(access.kind != AccessKind::load ? access.lanes : 0)) {
    const std::uint64_t first = (access.address[lane] - base) / 4;
    for (std::uint32_t i = 0; i < count; ++i)
      std::atomic_ref(words[first + i]).store(whole_word, std::memory_order_relaxed);
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

std::optional<UnwrittenRead> WrittenBits::check_lane(const Access& access, std::uint32_t lane,
                                                     std::uint8_t* words, std::uint64_t size,
                                                     std::uint64_t offset, bool reads) {
  if (words == nullptr || (offset + access.bytes + 3) / 4 > size) return std::nullopt;
  std::optional<UnwrittenRead> found;
  const std::uint32_t element = access.bytes / access.elements;
  for (std::uint32_t start = 0; reads && start < access.bytes && !found; start += element) {
    if (!is_written(words, offset + start, element))
      found = UnwrittenRead{lane, access.address[lane] + start};
  }
  if (access.kind != AccessKind::load) mark(words, offset, access.bytes);
  return found;
}

std::optional<UnwrittenRead> WrittenBits::check(const machine::WarpContext& warp, const Access& access,
                                                AccessShape shape, bool is_exchange) {
  if (access.lanes == 0) return std::nullopt;
  const bool reads = access.kind != AccessKind::store && !is_exchange;
  std::uint8_t* words = nullptr;
  std::uint64_t size = 0, base = 0;
  const auto look_at = [&](std::uint32_t lane) {
    if (access.space == ptx::Space::global) {
      Allocation& allocation = *access.allocation[lane];
      words = allocation.written.data();
      size = allocation.written.size();
      base = allocation.base;
    } else if (access.space == ptx::Space::shared) {
      words = shared_.data();
      size = shared_.size();
    } else {
      has_used_local_ = true;
      auto& map = local_[warp.warp * warp_size + lane];
      const std::uint64_t needed = (access.address[lane] + access.bytes + 3) / 4;
      if (map.size() < needed) map.resize(needed);
      words = map.data();
      size = map.size();
    }
  };

  look_at(lowest(access.lanes));
  if (size == 0) return std::nullopt;
  const bool is_shared_by_lanes = access.space != ptx::Space::local;
  if (access.bytes % 4 == 0 && is_shared_by_lanes && shape != AccessShape::uniform) {
    const std::uint32_t count = access.bytes / 4;
    const std::uint64_t first = (access.address[0] - base) / 4;
    const bool is_one_piece = shape == AccessShape::consecutive && access.lanes == all_lanes &&
                              first % 8 == 0 && first + std::uint64_t{warp_size} * count <= size;
    if (is_one_piece) {
      if (!reads || are_written(words + first, warp_size * count)) {
        if (access.kind != AccessKind::load) mark_words(words + first, warp_size * count);
        return std::nullopt;
      }
    } else if (check_whole_words(access, base, words, size, count, reads)) {
      return std::nullopt;
    }
  }
  std::optional<UnwrittenRead> found;
  for (const std::uint32_t lane : machine::lanes_in(access.lanes)) {
    if (access.space != ptx::Space::shared) look_at(lane);
    const auto unwritten = check_lane(access, lane, words, size, access.address[lane] - base, reads);
    if (!found) found = unwritten;
    if (shape == AccessShape::uniform && is_shared_by_lanes) break;  // one lane stands for all
  }
  return found;
}

}  // namespace warpwise::simulator
