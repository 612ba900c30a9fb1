#pragma once
/// \file Where terms lie in memory.

#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "../terms.hpp"

namespace warpwise::simulator::values {

/// The words of one block's shared and local memory, and of global memory. What is not here: an element of
/// global memory, or something undefined.
class MemoryTerms {
 public:
  struct Word {
    Term term = fixed;
    std::uint32_t thread = 0;  ///< who stored it, in block `block`
    std::uint64_t block = ~std::uint64_t{0};
    std::uint32_t barriers = 0;  ///< that the block had passed then
    bool is_by(std::uint32_t some, std::uint64_t in) const { return thread == some && block == in; }
  };

  /// `computed`: arrays of whose elements nothing is known.
  void begin(std::span<const Allocation* const> allocations, const std::set<std::uint64_t>& computed,
             std::uint32_t slots, TermGraph& graph);
  void begin_block(const BlockContext& block);

  /// The word of a lane's access at `address + offset`, a multiple of 4. `stored` says whether this launch
  /// has written it.
  Word load(const WarpContext& warp, const Access& access, std::uint32_t lane, std::uint32_t offset,
            bool* stored = nullptr);
  void store(const WarpContext& warp, const Access& access, std::uint32_t lane, std::uint32_t offset,
             Word word);
  /// What lies there now.
  std::uint32_t value(const WarpContext& warp, const Access& access, std::uint32_t lane,
                      std::uint32_t offset) const;

  /// After the launch, of the allocation with that number, which begins at `base`.
  Term global_word(std::uint64_t address, std::uint32_t allocation, std::uint64_t base) const;
  std::uint32_t number_of(const Allocation& allocation) const;

 private:
  using Words = std::unordered_map<std::uint64_t, Word>;
  Term untouched(std::uint32_t allocation, std::uint32_t word, std::uint32_t thread = 0,
                 std::uint64_t block = 0) const;
  static std::uint64_t local_key(const WarpContext& warp, const Access& access, std::uint32_t lane,
                                 std::uint32_t offset);

  TermGraph* graph_ = nullptr;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  ///< by Allocation::id
  std::set<std::uint32_t> computed_;
  Words global_;
  std::vector<std::vector<Word>> shared_;  ///< by slot
  std::vector<Words> local_;               ///< by slot
};

}  // namespace warpwise::simulator::values
