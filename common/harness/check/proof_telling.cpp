#include "proof_telling.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "../../simulator/program.hpp"

namespace warpwise::harness {

namespace {

using simulator::Term;
using simulator::TermKind;
using simulator::TermNode;
using simulator::TermOperation;
using simulator::TermRecorder;

/// "in[3]", "in[0] … in[31]", "in[0], in[2] … in[62] (every second)", "in[1], in[5] and 7 others"
std::string listed(const std::string& array, const std::vector<std::size_t>& indices) {
  const auto at = [&](std::size_t i) { return array + "[" + std::to_string(i) + "]"; };
  if (indices.size() == 1) return at(indices[0]);
  const std::size_t step = indices[1] - indices[0];
  bool is_even = true;
  for (std::size_t i = 1; i < indices.size(); ++i) is_even &= indices[i] - indices[i - 1] == step;
  if (indices.size() == 2) return at(indices[0]) + " and " + at(indices[1]);
  if (!is_even)
    return at(indices[0]) + ", " + at(indices[1]) + " and " + std::to_string(indices.size() - 2) + " others";
  const std::string range =
      at(indices.front()) + (step == 1 ? " … " : ", " + at(indices[1]) + " … ") + at(indices.back());
  return step == 1 ? range : range + " (one in " + std::to_string(step) + ")";
}

std::string verb_of(TermOperation operation) {
  switch (operation) {
    case TermOperation::sum:
      return "added";
    case TermOperation::product:
      return "multiplied";
    default:
      return "joined";
  }
}

/// The line at which a node was made.
report::LineShare line_of(const TermRecorder& terms, Term term, std::string share) {
  const simulator::SourcePlace& place =
      simulator::place_of(*terms.launch().program, terms.graph().at(term).pc);
  simulator::SourceTexts sources;
  return {place.file, place.line, sources.line(place), std::move(share)};
}

/// Elements by their arrays, in words.
std::string listed(const TermRecorder& terms, const std::vector<Leaf>& leaves) {
  std::map<std::uint32_t, std::vector<std::size_t>> by_array;
  for (const Leaf& leaf : leaves) by_array[leaf.array].push_back(leaf.index);
  std::string text;
  for (const auto& [array, indices] : by_array)
    text += (text.empty() ? "" : " and ") + listed(std::string(terms.name_of_allocation(array)), indices);
  return text;
}

/// Tells what is wrong with a result.
class Teller {
 public:
  Teller(const TermRecorder& terms, const TermReader& reader, std::string result)
      : terms_(terms),
        reader_(reader),
        is_sum_(reader.contract().operation == TermOperation::sum),
        result_(std::move(result)) {}

  void tell(const Content& content, const std::set<Leaf>& wanted) {
    if (content.constants.size() == 1) tell_constant(content, content.constants.front());
    if (judgement.kind == Judgement::Kind::refuted) return;
    std::vector<Leaf> missing, foreign, twice;
    std::uint64_t often = 2;
    for (const Leaf& leaf : wanted)
      if (!content.counts.contains(leaf)) missing.push_back(leaf);
    for (const auto& [leaf, count] : content.counts) {
      if (!wanted.contains(leaf))
        foreign.push_back(leaf);
      else if (count > 1 && !is_idempotent(reader_.contract().operation)) {
        if (twice.empty()) often = count;
        twice.push_back(leaf);
      }
    }
    if (missing.empty() && foreign.empty() && twice.empty()) return;
    judgement.kind = Judgement::Kind::refuted;
    judgement.sentence = result_ + sentence(content, missing, foreign, twice, often);
    if (!missing.empty()) tell_last_holder(content, missing);
    if (!twice.empty()) tell_doubling(content, twice.front());
    if (!foreign.empty()) tell_load(content, foreign.front());
  }

  void tell_operator(const Content& content) {
    const TermNode& node = reader_.graph().at(content.other);
    constexpr TermOperation operators[] = {
        TermOperation::sum,         TermOperation::product,     TermOperation::product_and_sum,
        TermOperation::minimum,     TermOperation::maximum,     TermOperation::conjunction,
        TermOperation::disjunction, TermOperation::exclusive_or};
    if (node.kind != TermKind::operation ||
        std::ranges::find(operators, node.operation) == std::end(operators))
      return;
    const std::vector<Leaf> first = elements_below(node.parts[0]), second = elements_below(node.parts[1]);
    if (first.empty() || second.empty()) return;
    judgement.kind = Judgement::Kind::refuted;
    judgement.sentence = result_ + " takes " + reader_.graph().name_of(node) + " of " +
                         listed(terms_, first) + " and " + listed(terms_, second);
    judgement.lines.push_back(line_of(terms_, content.other, "is no join of the contract"));
  }

  Judgement judgement;

 private:
  /// A constant that changes the result whatever the elements are: a sum by as much as it counts, a maximum
  /// where all elements are smaller.
  void tell_constant(const Content& content, const std::pair<Term, std::uint64_t>& joined) {
    const auto [constant, often] = joined;
    if (!reader_.changes_result(constant, often)) return;
    judgement.kind = Judgement::Kind::refuted;
    judgement.sentence = result_ + " also takes " + reader_.text_of(constant) + ", which is not the identity";
    for (const Term term : content.nodes) {
      const TermReader::Parts parts = reader_.parts_of(term);
      for (std::size_t i = 0; i < parts.count; ++i) {
        if (parts.joined[i] != constant) continue;
        if (const std::vector<Leaf> with = elements_below(term); !with.empty())
          judgement.sentence += ", beside " + listed(terms_, with);
        judgement.lines.push_back(line_of(terms_, term, "takes it"));
        return;
      }
    }
  }

  std::string sentence(const Content& content, const std::vector<Leaf>& missing,
                       const std::vector<Leaf>& foreign, const std::vector<Leaf>& twice,
                       std::uint64_t often) const {
    if (content.counts.empty())
      return " depends on no element: " + listed(terms_, missing) + (missing.size() == 1 ? " is" : " are") +
             " missing";
    if (missing.size() == 1 && foreign.size() == 1 && twice.empty())
      return " has " + listed(terms_, foreign) + " in the place of " + listed(terms_, missing);
    std::vector<std::string> parts;
    if (!missing.empty()) parts.push_back("misses " + listed(terms_, missing));
    if (!twice.empty())
      parts.push_back("counts " + listed(terms_, twice) +
                      (often == 2 ? " twice" : " " + std::to_string(often) + " times"));
    if (!foreign.empty())
      parts.push_back("counts " + listed(terms_, foreign) + ", which " +
                      (foreign.size() == 1 ? "does" : "do") + " not belong to it");
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
      text += (i == 0 ? " " : i + 1 == parts.size() ? ", and " : ", ") + parts[i];
    return text;
  }

  /// Which nodes have `sought` below them.
  std::vector<bool> holders_of(const Leaf& sought) const {
    std::vector<bool> holds(reader_.graph().size());
    for (Term term = 2; term < holds.size(); ++term) {
      const TermReader::Parts parts = reader_.parts_of(term);
      holds[term] = parts.leaf == sought;
      for (std::size_t i = 0; i < parts.count; ++i) holds[term] = holds[term] || holds[parts.joined[i]];
    }
    return holds;
  }

  std::vector<Leaf> elements_below(Term root) const {
    std::vector<Term> open{root};
    std::set<Term> seen;
    std::set<Leaf> found;
    while (!open.empty()) {
      const Term term = open.back();
      open.pop_back();
      if (!seen.insert(term).second) continue;
      const TermReader::Parts parts = reader_.parts_of(term);
      if (parts.leaf) found.insert(*parts.leaf);
      open.insert(open.end(), parts.joined.begin(),
                  parts.joined.begin() + static_cast<std::ptrdiff_t>(parts.count));
    }
    return {found.begin(), found.end()};
  }

  /// The largest part that holds what is missing, and is itself no part of the result.
  void tell_last_holder(const Content& content, const std::vector<Leaf>& missing) {
    const std::vector<bool> holds = holders_of(missing.front());
    std::vector<bool> is_used(holds.size());
    for (const Term term : content.nodes) is_used[term] = true;
    Term last = 0;
    for (Term term = 2; term < holds.size(); ++term)
      if (holds[term] && !is_used[term] && reader_.parts_of(term).count != 0) last = term;
    if (last == 0) return;
    const std::vector<Leaf> all = elements_below(last);
    if (!std::includes(missing.begin(), missing.end(), all.begin(), all.end())) return;
    const TermNode& node = reader_.graph().at(last);
    const std::string never = "never " + verb_of(node.operation);
    judgement.sentence += "; thread " + std::to_string(node.thread) +
                          (is_sum_ ? "'s sum of " : "'s join of ") + listed(terms_, all) + " is " + never;
    judgement.lines.push_back(line_of(terms_, last, "makes what is " + never));
  }

  /// The first node whose parts both have the element.
  void tell_doubling(const Content& content, const Leaf& twice) {
    const std::vector<bool> holds = holders_of(twice);
    for (auto term = content.nodes.rbegin(); term != content.nodes.rend(); ++term) {
      const TermReader::Parts parts = reader_.parts_of(*term);
      std::size_t holders = parts.leaf == twice;
      for (std::size_t i = 0; i < parts.count; ++i) holders += holds[parts.joined[i]];
      if (holders < 2) continue;
      judgement.lines.push_back(line_of(terms_, *term, "counts it twice"));
      return;
    }
  }

  void tell_load(const Content& content, const Leaf& foreign) {
    for (auto term = content.nodes.rbegin(); term != content.nodes.rend(); ++term) {
      const TermReader::Parts parts = reader_.parts_of(*term);
      for (std::size_t i = 0; i < parts.count; ++i)
        if (reader_.parts_of(parts.joined[i]).leaf == foreign) {
          judgement.lines.push_back(line_of(terms_, *term, "takes it"));
          return;
        }
    }
  }

  const TermRecorder& terms_;
  const TermReader& reader_;
  const bool is_sum_;
  const std::string result_;
};

}  // namespace

Judgement told(const TermRecorder& terms, const TermReader& reader, const std::string& result,
               const Content& content, const std::set<Leaf>& wanted) {
  Teller teller(terms, reader, result);
  teller.tell(content, wanted);
  return std::move(teller.judgement);
}

Judgement told_operator(const TermRecorder& terms, const TermReader& reader, const std::string& result,
                        const Content& content) {
  Teller teller(terms, reader, result);
  teller.tell_operator(content);
  return std::move(teller.judgement);
}

}  // namespace warpwise::harness
