#include "joins.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace warpwise::harness {

namespace {

using simulator::Term;
using simulator::TermGraph;
using simulator::TermKind;
using simulator::TermNode;
using simulator::TermOperation;

constexpr std::size_t most_members = std::size_t{1} << 22;  ///< of all sets together

/// The elements that values are made of, ascending: one set behind the other. Set 0 is empty.
class ElementSets {
 public:
  std::uint32_t of_element(std::uint64_t element) {
    members_.push_back(
        numbers_.try_emplace(element, static_cast<std::uint32_t>(numbers_.size())).first->second);
    return latest();
  }
  /// One of the two, where that holds the other.
  std::uint32_t united(std::uint32_t a, std::uint32_t b) {
    if (a == b || size(b) == 0) return a;
    if (size(a) == 0) return b;
    const std::size_t begin = members_.size();
    members_.resize(begin + size(a) + size(b));
    const auto of = [&](std::uint32_t set) { return std::span(members_).subspan(ends_[set - 1], size(set)); };
    const auto end = std::set_union(of(a).begin(), of(a).end(), of(b).begin(), of(b).end(),
                                    members_.begin() + static_cast<std::ptrdiff_t>(begin));
    members_.erase(end, members_.end());
    const std::size_t both = members_.size() - begin;
    if (both != size(a) && both != size(b)) return latest();
    members_.resize(begin);
    return both == size(a) ? a : b;
  }
  std::size_t size(std::uint32_t set) const { return set == 0 ? 0 : ends_[set] - ends_[set - 1]; }
  std::size_t members() const { return members_.size(); }

 private:
  std::uint32_t latest() {
    ends_.push_back(members_.size());
    return static_cast<std::uint32_t>(ends_.size() - 1);
  }
  std::vector<std::uint32_t> members_;
  std::vector<std::size_t> ends_{0};
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace

std::optional<Joins> joins_of(const simulator::TermRecorder& terms) {
  if (!terms.why_incomplete().empty()) return {};
  const TermGraph& graph = terms.graph();
  const simulator::LaunchContext& launch = terms.launch();
  const std::uint64_t threads = launch.block.volume();
  const std::uint64_t warps = (threads + simulator::warp_size - 1) / simulator::warp_size;
  std::vector<std::uint32_t> set_of(graph.size()), levels(graph.size());
  std::vector<std::uint32_t> by_threads(launch.grid.volume() * threads);
  std::vector<std::tuple<std::uint64_t, simulator::Pc, unsigned>> by_warps;  ///< warp, instruction and level
  constexpr std::uint64_t nobody = 0, several = ~std::uint64_t{0};
  std::vector<std::uint64_t> loaded_by(graph.size());                 ///< all elements of it; 1: thread 0
  std::map<std::pair<std::uint64_t, simulator::Pc>, unsigned> often;  ///< by thread and instruction
  std::set<std::tuple<Term, std::uint64_t, std::uint32_t>> passages;
  for (const simulator::TermPassage& each : terms.passages())
    passages.emplace(each.term, each.block, each.thread);
  std::vector<bool> has_passed(graph.size());  ///< since it was joined
  ElementSets sets;
  Joins joins;
  for (Term term = 2; term < graph.size(); ++term) {
    const TermNode& node = graph.at(term);
    if (node.kind == TermKind::unknown && node.part_count == 0 && !node.is_of_order) return {};
    std::uint32_t all = node.kind == TermKind::element ? sets.of_element(node.bits) : 0;
    std::size_t largest = sets.size(all);
    const std::uint64_t thread = node.block * threads + node.thread;
    std::uint64_t& loader = loaded_by[term];
    if (node.kind == TermKind::element) loader = thread + 1;
    for (std::size_t i = 0; i < node.part_count; ++i) {
      all = sets.united(all, set_of[node.parts[i]]);
      largest = std::max(largest, sets.size(set_of[node.parts[i]]));
      levels[term] = std::max(levels[term], levels[node.parts[i]]);
      if (const std::uint64_t other = loaded_by[node.parts[i]]; other != nobody)
        loader = loader == nobody || loader == other ? other : several;
      if (!passages.empty() &&
          (has_passed[node.parts[i]] || passages.contains({node.parts[i], node.block, node.thread})))
        has_passed[term] = true;
    }
    set_of[term] = all;
    if (sets.members() > most_members) return {};
    // 64 bits of two words are a place for both, and join nothing.
    if (sets.size(all) == largest || node.operation == TermOperation::pair) continue;
    joins.levels = std::max(joins.levels, ++levels[term]);
    joins.through_global += has_passed[term];
    has_passed[term] = false;
    ++joins.by_all_threads;
    ++by_threads[thread];
    if (loader != thread + 1) ++often[{thread, node.pc}];
    const std::tuple of_warp(node.block * warps + node.thread / simulator::warp_size, node.pc, levels[term]);
    if (by_warps.empty() || by_warps.back() != of_warp) by_warps.push_back(of_warp);
  }
  if (const auto& first = terms.condition(); first && sets.size(set_of[first->term]) != 0)
    joins.decided_by_element = first->pc;
  if (const auto most = std::max_element(by_threads.begin(), by_threads.end()); most != by_threads.end()) {
    const auto thread = static_cast<std::uint64_t>(most - by_threads.begin());
    joins.busiest = {thread / threads, static_cast<std::uint32_t>(thread % threads), *most};
  }
  std::sort(by_warps.begin(), by_warps.end());
  by_warps.erase(std::unique(by_warps.begin(), by_warps.end()), by_warps.end());
  joins.by_warps.resize(launch.grid.volume() * warps);
  for (const auto& of_warp : by_warps) ++joins.by_warps[std::get<0>(of_warp)];
  std::map<std::pair<std::uint64_t, simulator::Pc>, unsigned> most;  // by warp and instruction
  for (const auto& [by, count] : often) {
    unsigned& of_warp =
        most[{by.first / threads * warps + by.first % threads / simulator::warp_size, by.second}];
    of_warp = std::max(of_warp, count);
  }
  joins.of_others_by_warps.resize(joins.by_warps.size());
  for (const auto& [by, count] : most) joins.of_others_by_warps[by.first] += count;
  return joins;
}

namespace {

/// Whether part `i` is multiplied by 0, as where a lane without another below it adds that 0 times.
bool counts_for_nothing(const TermGraph& graph, const TermNode& node, std::size_t i) {
  if (node.operation != TermOperation::product_and_sum || i > 1) return false;
  const TermNode& factor = graph.at(node.parts[1 - i]);
  return factor.kind == TermKind::constant && factor.bits == 0;
}

}  // namespace

std::optional<std::vector<OwnJoins>> joins_with_own_element(const simulator::TermRecorder& terms,
                                                            std::uint64_t results, std::size_t count) {
  const TermGraph& graph = terms.graph();
  const std::uint32_t in = terms.allocation_named("in");
  if (in == 0 || !terms.why_incomplete().empty()) return {};
  const std::uint64_t first = std::uint64_t{in} << 32 | terms.passed_offset(in) / 4;
  const std::uint64_t threads = terms.launch().block.volume();
  std::vector<OwnJoins> joins(count);
  for (std::size_t i = 0; i < count; ++i) {
    struct MadeOf {
      bool own = false, others = false;
    };
    std::map<Term, MadeOf> made_of;  // parts have lower numbers
    std::vector<Term> to_see{terms.word_at(results + 4 * i)};
    while (!to_see.empty()) {
      const Term term = to_see.back();
      to_see.pop_back();
      const TermNode& node = graph.at(term);
      if (node.kind == TermKind::unknown) return {};
      if (!made_of.try_emplace(term).second) continue;
      for (std::size_t k = 0; k < node.part_count; ++k)
        if (!counts_for_nothing(graph, node, k)) to_see.push_back(node.parts[k]);
    }
    for (auto& [term, all] : made_of) {
      const TermNode& node = graph.at(term);
      if (node.kind == TermKind::element) {
        all = {node.bits == first + i, node.bits != first + i};
        ++joins[i].elements;
      }
      bool is_joined = false;  // with what has not met the own element
      for (std::size_t k = 0; k < node.part_count; ++k) {
        if (counts_for_nothing(graph, node, k)) continue;
        const MadeOf& part = made_of[node.parts[k]];
        is_joined |= part.others && !part.own;
        all = {all.own || part.own, all.others || part.others};
      }
      joins[i].joins += all.own && is_joined;
      joins[i].by_others += all.own && is_joined && node.block * threads + node.thread != i;
    }
  }
  return joins;
}

}  // namespace warpwise::harness
