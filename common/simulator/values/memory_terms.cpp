#include "memory_terms.hpp"

#include <cstring>

namespace warpwise::simulator::values {

namespace {

constexpr std::uint64_t word_bytes = 4;

}  // namespace

void MemoryTerms::begin(std::span<const Allocation* const> allocations,
                        const std::set<std::uint64_t>& computed, std::uint32_t slots, TermGraph& graph) {
  graph_ = &graph;
  numbers_.clear();
  computed_.clear();
  for (const Allocation* allocation : allocations) {
    const auto number = static_cast<std::uint32_t>(numbers_.size() + 1);
    numbers_.emplace(allocation->id, number);
    if (computed.contains(allocation->base)) computed_.insert(number);
  }
  global_.clear();
  shared_.assign(slots, {});
  local_.assign(slots, {});
}

Term MemoryTerms::untouched(std::uint32_t allocation, std::uint32_t word, std::uint32_t thread,
                            std::uint64_t block) const {
  return computed_.contains(allocation) ? graph_->computed(allocation, word)
                                        : graph_->element(allocation, word, thread, block);
}

void MemoryTerms::begin_block(const BlockContext& block) {
  const LaunchContext& launch = *block.launch;
  std::vector<Word>& words = shared_[block.slot];
  words.assign((launch.shared_bytes + word_bytes - 1) / word_bytes, Word{graph_->undefined()});
  for (std::size_t i = (launch.shared_bytes - launch.reserved_shared_bytes) / word_bytes; i < words.size();
       ++i)
    words[i].term = fixed;
  local_[block.slot].clear();
}

std::uint32_t MemoryTerms::number_of(const Allocation& allocation) const {
  const auto found = numbers_.find(allocation.id);
  return found == numbers_.end() ? 0 : found->second;
}

std::uint64_t MemoryTerms::local_key(const WarpContext& warp, const Access& access, std::uint32_t lane,
                                     std::uint32_t offset) {
  const std::uint64_t thread = std::uint64_t{warp.warp} * warp_size + lane;
  return thread << 32 | (access.address[lane] + offset) / word_bytes;
}

MemoryTerms::Word MemoryTerms::load(const WarpContext& warp, const Access& access, std::uint32_t lane,
                                    std::uint32_t offset, bool* stored) {
  if (stored != nullptr) *stored = false;
  const std::uint64_t word = (access.address[lane] + offset) / word_bytes;
  const auto in = [&](const Words& words, std::uint64_t key, Term otherwise) {
    const auto found = words.find(key);
    if (found == words.end()) return Word{otherwise};
    if (stored != nullptr) *stored = true;
    return found->second;
  };
  switch (access.space) {
    case ptx::Space::global: {
      const Allocation& allocation = *access.allocation[lane];
      const auto index = static_cast<std::uint32_t>(word - allocation.base / word_bytes);
      return in(global_, word,
                untouched(number_of(allocation), index, warp.warp * warp_size + lane, warp.block->linear));
    }
    case ptx::Space::shared: {
      const std::vector<Word>& words = shared_[warp.block->slot];
      if (word >= words.size()) return Word{graph_->undefined()};
      if (stored != nullptr) *stored = words[word].term != graph_->undefined();
      return words[word];
    }
    case ptx::Space::local:
      return in(local_[warp.block->slot], local_key(warp, access, lane, offset), graph_->undefined());
    default:
      return {};
  }
}

void MemoryTerms::store(const WarpContext& warp, const Access& access, std::uint32_t lane,
                        std::uint32_t offset, Word word) {
  const std::uint64_t at = (access.address[lane] + offset) / word_bytes;
  switch (access.space) {
    case ptx::Space::global:
      global_[at] = word;
      return;
    case ptx::Space::shared:
      if (std::vector<Word>& words = shared_[warp.block->slot]; at < words.size()) words[at] = word;
      return;
    default:
      local_[warp.block->slot][local_key(warp, access, lane, offset)] = word;
  }
}

std::uint32_t MemoryTerms::value(const WarpContext& warp, const Access& access, std::uint32_t lane,
                                 std::uint32_t offset) const {
  const std::uint64_t address = (access.address[lane] + offset) / word_bytes * word_bytes;
  std::uint32_t bits = 0;
  if (access.space == ptx::Space::global)
    std::memcpy(&bits, reinterpret_cast<const void*>(address),
                sizeof bits);  // device addresses are the host's
  else if (access.space == ptx::Space::shared && address + sizeof bits <= warp.block->shared.size())
    std::memcpy(&bits, warp.block->shared.data() + address, sizeof bits);
  return bits;
}

Term MemoryTerms::global_word(std::uint64_t address, std::uint32_t allocation, std::uint64_t base) const {
  const std::uint64_t word = address / word_bytes;
  const auto found = global_.find(word);
  if (found != global_.end()) return found->second.term;
  return untouched(allocation, static_cast<std::uint32_t>(word - base / word_bytes));
}

}  // namespace warpwise::simulator::values
