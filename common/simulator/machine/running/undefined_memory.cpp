#include "undefined_memory.hpp"

namespace warpwise::simulator::machine {

void Origins::clear() {
  origins_.clear();
  by_pc_.clear();
}

OriginId Origins::add(const UndefinedOrigin& origin) {
  const auto next = static_cast<OriginId>(origins_.size() + 1);
  const auto [at, is_new] = by_pc_.try_emplace(origin.pc, next);
  if (is_new) origins_.push_back(origin);
  return at->second;
}

void UndefinedMemory::begin(const BlockContext& block) {
  const LaunchContext& launch = *block.launch;
  written.begin(launch.shared_bytes, launch.reserved_shared_bytes, block.threads);
  origins.clear();
  stored_.clear();
}

const StoredByte* UndefinedMemory::stored(const WarpContext& warp, const Access& access, std::uint32_t lane,
                                          std::uint32_t byte) const {
  if (stored_.empty() || access.space == ptx::Space::global) return nullptr;
  const auto at = stored_.find(key_of(warp, access, lane, byte));
  return at == stored_.end() ? nullptr : &at->second;
}

/// Local memory is the thread's own; shared memory has thread number 0, the threads the numbers behind it.
std::uint64_t UndefinedMemory::key_of(const WarpContext& warp, const Access& access, std::uint32_t lane,
                                      std::uint32_t byte) {
  const std::uint64_t owner =
      access.space == ptx::Space::shared ? 0 : std::uint64_t{warp.warp} * warp_size + lane + 1;
  return owner << 32 | (access.address[lane] + byte);
}

}  // namespace warpwise::simulator::machine
