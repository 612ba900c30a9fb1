#pragma once
/// \file The parts that a TermRecorder is made of: what an instruction means to terms, and where terms lie.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../decode/code.hpp"
#include "../terms.hpp"

namespace warpwise::simulator::values {

using decode::Row;
using decode::Width;
using LaneTerms = std::array<Term, warp_size>;

/// One lane's cell of a row, as a number.
std::uint64_t cell_of(const std::byte* rows, Row row, Width width, std::uint32_t lane);

// ---- term_rules.cpp

/// How the terms of an instruction's results come from those of its operands.
enum class TermRule : std::uint8_t {
  apply,      ///< an operation of all operands
  copy,       ///< of the one operand
  take_half,  ///< of 64 bits, the low word (`mov`, `cvt.u32.u64`)
  split,      ///< mov.b64 {a, b}, c
  join,       ///< mov.b64 a, {b, c}
  join_high,  ///< bfi.b64 d, a, b, 32, 32: the low word of b and, above it, that of a
  take_high,  ///< shr.u64 d, a, 32
  widen,      ///< cvt.u64.u32
  choose,     ///< selp
  lose,       ///< carries, wide moves: nothing is known of the result
};

/// What the text of an instruction says, found once.
struct TermForm {
  TermRule rule = TermRule::apply;
  TermNode node;  ///< without parts and maker
  std::uint64_t absorbing = 0;
  bool has_absorbing = false;  ///< a constant operand with the bits `absorbing` decides the result
};
TermForm form_of(const ptx::Instruction& text, TermGraph& graph);
/// The same of what `atom`, `red` and `redux` do with two values.
TermForm joining_form_of(const ptx::Instruction& text, TermGraph& graph);

// ---- memory_terms.cpp

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
  Term untouched(std::uint32_t allocation, std::uint32_t word) const;
  static std::uint64_t local_key(const WarpContext& warp, const Access& access, std::uint32_t lane,
                                 std::uint32_t offset);

  TermGraph* graph_ = nullptr;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  ///< by Allocation::id
  std::set<std::uint32_t> computed_;
  Words global_;
  std::vector<std::vector<Word>> shared_;  ///< by slot
  std::vector<Words> local_;               ///< by slot
};

// ---- term_recorder.cpp

/// What is known of one launch.
struct Followed {
  struct Named {
    std::uint64_t base, bytes;
    std::string name;
    std::uint64_t passed_offset = 0;  ///< TermRecorder::passed_offset
  };

  TermGraph graph;
  MemoryTerms memory;
  LaunchContext launch;
  std::uint32_t slots = 0;
  std::vector<Named> allocations;  ///< that with number i is i - 1
  std::vector<TermCondition> conditions;
  std::unordered_map<Pc, std::size_t> conditions_at;
  std::string why_incomplete;
  std::optional<Pc> lucky_store;  ///< the latest
  std::unique_ptr<Observer> observer;

  void lose(std::string why) {
    if (why_incomplete.empty()) why_incomplete = std::move(why);
  }
};

}  // namespace warpwise::simulator::values
