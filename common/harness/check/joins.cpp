#include "joins.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace warpwise::harness {

namespace {

using simulator::Term;
using simulator::TermGraph;
using simulator::TermKind;
using simulator::TermNode;
using simulator::TermOperation;

constexpr std::size_t most_members = std::size_t{1} << 22;  ///< of all sets together

/// The elements that a value is made of, ascending.
using Elements = std::vector<std::uint32_t>;

Elements elements_of(const TermNode& node, const std::vector<Elements>& of_terms,
                     std::map<std::uint64_t, std::uint32_t>& numbers) {
  if (node.kind == TermKind::element)
    return {numbers.try_emplace(node.bits, static_cast<std::uint32_t>(numbers.size())).first->second};
  Elements all;
  for (std::size_t i = 0; i < node.part_count; ++i) {
    const Elements& part = of_terms[node.parts[i]];
    Elements both;
    std::set_union(all.begin(), all.end(), part.begin(), part.end(), std::back_inserter(both));
    all = std::move(both);
  }
  return all;
}

}  // namespace

std::optional<Joins> joins_of(const simulator::TermRecorder& terms) {
  if (!terms.why_incomplete().empty()) return {};
  const TermGraph& graph = terms.graph();
  std::vector<Elements> of_terms(graph.size());
  std::vector<unsigned> levels(graph.size());
  std::map<std::uint64_t, std::uint32_t> numbers;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> by_thread;
  std::set<std::tuple<std::uint64_t, std::uint32_t, simulator::Pc, unsigned>> by_warp;
  Joins joins;
  std::size_t members = 0;
  for (Term term = 2; term < graph.size(); ++term) {
    const TermNode& node = graph.at(term);
    if (node.kind == TermKind::unknown) return {};
    of_terms[term] = elements_of(node, of_terms, numbers);
    members += of_terms[term].size();
    if (members > most_members) return {};
    std::size_t largest = node.kind == TermKind::element ? 1 : 0;
    for (std::size_t i = 0; i < node.part_count; ++i) {
      largest = std::max(largest, of_terms[node.parts[i]].size());
      levels[term] = std::max(levels[term], levels[node.parts[i]]);
    }
    // 64 bits of two words are a place for both, and join nothing.
    if (of_terms[term].size() == largest || node.operation == TermOperation::pair) continue;
    joins.levels = std::max(joins.levels, ++levels[term]);
    ++joins.by_all_threads;
    joins.by_busiest = std::max(joins.by_busiest, ++by_thread[{node.block, node.thread}]);
    by_warp.emplace(node.block, node.thread / simulator::warp_size, node.pc, levels[term]);
  }
  joins.by_all_warps = by_warp.size();
  return joins;
}

}  // namespace warpwise::harness
