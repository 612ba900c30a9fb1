#pragma once
/// \file Reads from the terms of a launch which elements a result is made of, and how often each counts.

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "proof.hpp"

namespace warpwise::harness {

/// An element of an array that was there before the launch, by the number of its allocation. Of products: the
/// first factor.
struct Leaf {
  std::uint32_t array = 0;
  std::size_t index = 0;
  auto operator<=>(const Leaf&) const = default;
};

/// What some results together are made of.
struct Content {
  std::map<Leaf, std::uint64_t> counts;
  std::vector<simulator::Term> nodes;  ///< of the results, those that are made of others first
  simulator::Term other = 0;           ///< one that is no element, constant or join; 0: there is none
  /// Those that are not the identity, and how often they count.
  std::vector<std::pair<simulator::Term, std::uint64_t>> constants;
};

/// Counting an element twice changes nothing: maximum, and ...
bool is_idempotent(simulator::TermOperation operation);

class TermReader {
 public:
  /// `factors`: the allocation of JoinContract::factors.
  TermReader(const simulator::TermGraph& graph, const JoinContract& contract, std::uint32_t factors);

  /// A node: what it brings itself, and what it joins.
  struct Parts {
    std::optional<Leaf> leaf = {};
    std::array<simulator::Term, 2> joined{};
    std::size_t count = 0;       ///< of `joined`
    bool is_difference = false;  ///< the second one is taken away: of whole numbers that is exact
    bool is_known = true;        ///< false: no element, identity or join
  };
  Parts parts_of(simulator::Term term) const;
  Content read(std::span<const simulator::Term> results);
  /// Whether the constant, joined that often, makes another result for some elements.
  bool changes_result(simulator::Term constant, std::uint64_t often) const;
  /// Of a constant, as a value of the contract's type.
  std::string text_of(simulator::Term constant) const;

  /// Whether these together count each wanted element once and nothing else, found without a walk. A sum's
  /// fingerprint is the sum of its parts' modulo the prime 2^61 - 1, an element's a random number: two that
  /// are equal are made of the same elements but for one case in 2^60. False of idempotent operations, for
  /// which read() has to be asked.
  bool has_fingerprint_of(std::span<const simulator::Term> results, std::uint64_t wanted);
  /// Of elements [begin, end) of an array.
  std::uint64_t fingerprint(std::uint32_t array, std::size_t begin, std::size_t end);
  static std::uint64_t sum_of(std::uint64_t a, std::uint64_t b);
  const simulator::TermGraph& graph() const { return graph_; }
  const JoinContract& contract() const { return contract_; }

 private:
  std::optional<Leaf> element(simulator::Term term) const;
  bool is_constant_of_an_operator(simulator::Term term) const;
  std::optional<Leaf> product(simulator::Term a, simulator::Term b) const;

  const simulator::TermGraph& graph_;
  const JoinContract& contract_;
  const std::uint32_t factors_;
  std::vector<std::uint32_t> marks_;
  std::uint32_t mark_ = 0;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint64_t> fingerprints_;  ///< of all terms; made when first needed
  std::vector<bool> has_fingerprint_;        ///< false: something in it is unknown
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> sums_;  ///< of the elements before, by array
};

}  // namespace warpwise::harness
