#pragma once
/// \file Reads from the terms of a launch which elements a result is made of, and how often each counts.

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
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
  simulator::Term other = 0;           ///< one that is no element, identity or join; 0: there is none
};

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
  const simulator::TermGraph& graph() const { return graph_; }
  const JoinContract& contract() const { return contract_; }

 private:
  std::optional<Leaf> element(simulator::Term term) const;
  std::optional<Leaf> product(simulator::Term a, simulator::Term b) const;

  const simulator::TermGraph& graph_;
  const JoinContract& contract_;
  const std::uint32_t factors_;
  std::vector<std::uint32_t> marks_;
  std::uint32_t mark_ = 0;
  std::vector<std::uint64_t> counts_;
};

}  // namespace warpwise::harness
