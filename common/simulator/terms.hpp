#pragma once
/// \file What a value is, and not only how much: while a launch runs, every value that depends on memory from
/// before it is also a *term* - an element of an array, or an operation on terms. A launch of which no
/// branch, address or exchange depended on an element computes the same terms whatever the elements are: who
/// knows the term of a result knows the result for every input.
///
///     TermRecorder terms;
///     gpu.options().observations.push_back(&terms);   // and one host thread
///     gpu.launch(...);
///     const Term sum = terms.word_at(out.base);       // "add.f32 of in[0] and add.f32 of …"
///
/// Terms are shared: equal ones have equal numbers, so a tree over 2^16 elements has 2^17 nodes.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "observer.hpp"

namespace warpwise::simulator {

/// Number of a node in a TermGraph.
using Term = std::uint32_t;
/// The value depends on nothing but the shape of the launch: where it lies says what it is.
inline constexpr Term fixed = 0;

enum class TermKind : std::uint8_t {
  constant,   ///< `bits`
  element,    ///< 4 bytes of memory, as they were before the launch
  undefined,  ///< memory that nobody has written
  operation,  ///< of `parts`
  /// The flow is lost, or the value depends on the order in which threads came. Of a vote: of `parts`, which
  /// it is made of.
  unknown,
};

/// What an operation does, as far as contracts ask for it.
enum class TermOperation : std::uint8_t {
  other,
  sum,
  difference,
  product,
  product_and_sum,  ///< parts 0 and 1 multiplied, and part 2
  minimum,
  maximum,
  conjunction,
  disjunction,
  exclusive_or,
  pair,       ///< 64 bits: the low word, and the high one
  half,       ///< one word of 64 bits: part 1 is a constant, 0 for the low one
  selection,  ///< part 0 where the predicate in part 2 holds, else part 1
  comparison,
};

struct TermNode {
  TermKind kind = TermKind::constant;
  TermOperation operation = TermOperation::other;
  ptx::Type type = ptx::Type::none;  ///< of an operation
  /// Rounds, flushes or clips otherwise than the operation and its type say: .ftz, .sat, .rz ...
  bool is_modified = false;
  bool is_of_order = false;  ///< unknown: another order of the threads may give another value
  /// Of a clock, or of where a block or a warp runs: the next launch gives another value.
  bool is_of_machine = false;
  std::uint8_t part_count = 0;
  std::array<Term, 4> parts{};
  std::uint32_t name = 0;  ///< of an operation: TermGraph::name_of
  std::uint64_t bits = 0;  ///< constant: its value; element: allocation (upper half) and word; unknown:
                           ///< serial; operation: 0, or a serial where equal ones are to be told apart
  // Who made it first:
  Pc pc = 0;
  std::uint32_t thread = 0;  ///< linear in the block
  std::uint64_t block = 0;
};

/// The terms of one launch.
class TermGraph {
 public:
  TermGraph();
  void clear();
  std::size_t size() const { return nodes_.size(); }
  const TermNode& at(Term term) const { return nodes_[term]; }
  const std::string& name_of(const TermNode& node) const { return names_[node.name]; }

  Term constant(std::uint64_t bits);
  Term undefined() const { return 1; }
  /// Word `word` of the allocation with that number, which a thread of a block loads.
  Term element(std::uint32_t allocation, std::uint32_t word, std::uint32_t thread = 0,
               std::uint64_t block = 0);
  /// The same of an array of which nothing is known.
  Term computed(std::uint32_t allocation, std::uint32_t word);
  /// Equal to no other. Made of the maker's parts, where it has any.
  Term unknown(const TermNode& maker, bool is_of_order);
  /// `like` says all but what the graph finds itself: simplified where a pair is taken apart or put together.
  Term operation(TermNode like);
  /// One word of 64 bits, and 64 bits of two words.
  Term half(Term of, std::uint32_t which, const TermNode& maker);
  Term pair(Term low, Term high, const TermNode& maker);
  std::uint32_t name(std::string_view text);

 private:
  Term of_two(TermOperation operation, ptx::Type type, std::string_view named, Term first, Term second,
              const TermNode& maker);
  Term intern(const TermNode& node);
  void grow();

  std::vector<TermNode> nodes_;
  struct Slot {
    Term term = 0;  ///< 0: free
    std::uint32_t hash = 0;
  };
  std::vector<Slot> table_;  ///< open addressing
  struct Constant {
    std::uint64_t bits = 0;
    Term term = 0;
  };
  std::array<Constant, 256> constants_{};  ///< of those that were asked for some of the latest
  std::vector<std::string> names_;
};

/// What depended on an element, or on the order of the threads, and decided what the launch did.
struct TermCondition {
  ValueUse use = ValueUse::branch;
  Pc pc = 0;
  Term term = 0;
};

/// A thread has loaded from global memory what another thread of the launch had stored there.
struct TermPassage {
  Term term = 0;
  std::uint64_t block = 0;
  std::uint32_t thread = 0;  ///< that loaded it, linear in the block
};

/// Follows the launches that it observes, one at a time; each begins anew. Of launches with several host
/// threads, and of those that call functions that were not inlined, it knows nothing: why_incomplete().
class TermRecorder : public Observation {
 public:
  TermRecorder();
  ~TermRecorder() override;
  /// Arrays, by their first addresses, that hold what earlier launches have computed: of their elements
  /// nothing is known.
  void set_computed(std::set<std::uint64_t> arrays);
  /// How long a launch is followed. After the first condition a few instructions are enough, to see what else
  /// is compared.
  struct Patience {
    std::size_t nodes = std::size_t{1} << 22;
    std::uint64_t steps = 1 << 18;  ///< instructions of a warp
    std::uint64_t steps_after_condition = ~std::uint64_t{0};
  };
  void set_patience(const Patience& patience);
  void begin(const LaunchContext& launch, std::uint32_t slots) override;
  void add_observers(ObserverList& of_thread) override;

  TermGraph& graph();
  const TermGraph& graph() const;
  const LaunchContext& launch() const;
  /// What lies at an address of global memory, a multiple of 4, after the launch; `fixed` where it stored a
  /// value that depends on the shape alone.
  Term word_at(std::uint64_t address) const;
  /// The allocation of that name that was there when the launch began, of several one that the kernel got a
  /// pointer to: its number, or 0.
  std::uint32_t allocation_named(std::string_view name) const;
  /// How many bytes behind its start the pointer points that the kernel got; 0 where it got none.
  std::uint64_t passed_offset(std::uint32_t allocation) const;
  std::uint64_t base_of(std::uint32_t allocation) const;
  std::string_view name_of_allocation(std::uint32_t number) const;
  /// The first.
  const std::optional<TermCondition>& condition() const;
  /// What was compared with values that depend on elements of that allocation, or on what is unknown, or was
  /// a bound of them (`min`, `max`): constants and what else depends on the shape alone, as bits, each once;
  /// the first 64.
  std::vector<std::uint64_t> compared_with(std::uint32_t allocation) const;
  /// The first words of that allocation with which the launch does what it does with few others of it: it has
  /// other operations for them, or leaves them out.
  std::vector<std::uint32_t> exceptions_in(std::uint32_t allocation) const;
  /// Empty: all was followed.
  const std::string& why_incomplete() const;
  /// Where a thread stored what another thread's term happened to be equal to, and nothing orders the two.
  std::optional<Pc> lucky_store() const;
  /// Where what a clock says, or where a block runs, decided what the launch did, other than how often it
  /// waits in a loop; or reached global memory.
  std::optional<Pc> whim() const;
  /// What is handed on through global memory.
  const std::vector<TermPassage>& passages() const;
  /// What lanes asked a match instruction about, the first few.
  const std::vector<Term>& matched() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::set<std::uint64_t> computed_;
};

}  // namespace warpwise::simulator
