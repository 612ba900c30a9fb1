#include "proof.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "../../simulator/program.hpp"
#include "term_reading.hpp"

namespace warpwise::harness {

namespace {

using simulator::Term;
using simulator::TermKind;
using simulator::TermNode;
using simulator::TermOperation;
using simulator::TermRecorder;

// ---- In words

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

  Judgement judgement;

 private:
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

/// Why the terms of a launch decide nothing; empty where they do.
std::string why_undecided(const TermRecorder& terms) {
  if (!terms.why_incomplete().empty()) return terms.why_incomplete();
  const auto line = [&](simulator::Pc pc) {
    return " (line " + std::to_string(simulator::place_of(*terms.launch().program, pc).line) + ")";
  };
  if (const auto pc = terms.lucky_store())
    return "two threads store values that happen to be equal" + line(*pc);
  if (!terms.condition()) return {};
  const simulator::TermCondition& first = *terms.condition();
  const auto* const what = first.use == simulator::TermCondition::Use::branch    ? "a branch"
                           : first.use == simulator::TermCondition::Use::address ? "an address"
                                                                                 : "an exchange";
  return std::string(what) + " depends on values" + line(first.pc);
}

std::string why_tried(const TermRecorder& terms, Term term) {
  const TermNode& node = terms.graph().at(term);
  switch (node.kind) {
    case TermKind::undefined:
      return "a result depends on memory that nobody has written";
    case TermKind::unknown:
      return node.is_of_order ? "a result depends on the order of threads" : "the terms of a result are lost";
    case TermKind::element:
      return "a result depends on " +
             std::string(terms.name_of_allocation(static_cast<std::uint32_t>(node.bits >> 32))) + "[]";
    case TermKind::constant:
      return "a result has a constant that is not the identity";
    case TermKind::operation:
      break;
  }
  const simulator::SourcePlace& place = simulator::place_of(*terms.launch().program, node.pc);
  return terms.graph().name_of(node) + " (line " + std::to_string(place.line) +
         ") is no join of the contract";
}

/// The results of one launch against a contract.
class Judge {
 public:
  Judge(TermRecorder& terms, std::string results, const JoinContract& contract)
      : terms_(terms), results_(std::move(results)), contract_(contract) {}

  /// 0: no such array met the launch.
  std::uint32_t number_of(const std::string& array) const {
    const std::uint32_t found = terms_.allocation_named(array.empty() ? "in" : array);
    return found != 0 ? found : terms_.allocation_named(results_);
  }

  /// Those of several results that are terms. To be asked of all before any is judged.
  std::vector<Term> terms_of(const JoinedResult& result) {
    std::vector<Term> all;
    for (const std::uint64_t address : result.results) {
      Term term = terms_.word_at(address);
      if (contract_.bytes == 8 && term != simulator::fixed) {
        const Term high = terms_.word_at(address + 4);
        term = high == simulator::fixed ? high : terms_.graph().pair(term, high, {});
      }
      if (term != simulator::fixed) all.push_back(term);
    }
    return all;
  }

  /// Nothing where the result is right.
  std::optional<Judgement> judge(const JoinedResult& result, const std::vector<Term>& terms, bool is_it) {
    if (!reader_)
      reader_.emplace(terms_.graph(), contract_,
                      contract_.factors.empty() ? 0 : number_of(contract_.factors));
    const std::vector<Located> wanted = located(result.elements);
    if (is_right_by_fingerprint(terms, wanted)) return {};
    const Content content = reader_->read(terms);
    if (content.other != 0) return Judgement{Judgement::Kind::tried, why_tried(terms_, content.other), {}};
    std::set<Leaf> leaves;
    for (const Located& range : wanted)
      for (std::size_t i = range.begin; i < range.end; i += range.step) leaves.insert({range.array, i});
    Teller teller(terms_, *reader_, is_it ? "it" : results_ + "[" + std::to_string(result.index) + "]");
    teller.tell(content, leaves);
    if (teller.judgement.kind != Judgement::Kind::refuted) return {};
    return std::move(teller.judgement);
  }

 private:
  /// Elements as they lie in their array: the kernel may have got a pointer to its middle.
  struct Located {
    std::uint32_t array;
    std::size_t begin, end, step;
  };
  std::vector<Located> located(const std::vector<ElementRange>& ranges) const {
    std::vector<Located> all;
    for (const ElementRange& range : ranges) {
      if (range.begin >= range.end) continue;
      const std::uint32_t array = number_of(range.array.empty() ? contract_.array : range.array);
      const std::size_t first = terms_.passed_offset(array) / contract_.bytes;
      all.push_back({array, first + range.begin, first + range.end, range.step});
    }
    return all;
  }

  bool is_right_by_fingerprint(const std::vector<Term>& terms, const std::vector<Located>& wanted) {
    std::uint64_t all = 0;
    for (const Located& range : wanted) {
      if (range.step != 1) return false;
      all = TermReader::sum_of(all, reader_->fingerprint(range.array, range.begin, range.end));
    }
    return reader_->has_fingerprint_of(terms, all);
  }

  TermRecorder& terms_;
  const std::string results_;
  const JoinContract& contract_;
  std::optional<TermReader> reader_;
};

Judgement judge_by(TermRecorder& terms, const std::string& array, const JoinContract& contract,
                   const std::vector<JoinedResult>& results, std::optional<std::size_t> wrong) {
  const auto tried = [](std::string why) { return Judgement{Judgement::Kind::tried, std::move(why), {}}; };
  if (contract.operation == TermOperation::other || (contract.bytes != 4 && contract.bytes != 8))
    return tried("what joins the elements is no single operation");
  if (std::string why = why_undecided(terms); !why.empty()) return tried(std::move(why));
  Judge judge(terms, array, contract);
  if (judge.number_of(contract.array) == 0) return tried("its elements are no array of the launch");

  std::vector<std::vector<Term>> made_of;
  for (const JoinedResult& result : results) made_of.push_back(judge.terms_of(result));
  Judgement first_refuted;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const bool is_it = wrong == results[k].index;
    std::optional<Judgement> found = judge.judge(results[k], made_of[k], is_it);
    if (!found) continue;
    if (is_it || !wrong) return std::move(*found);
    if (first_refuted.kind == Judgement::Kind::unknown && found->kind == Judgement::Kind::refuted)
      first_refuted = std::move(*found);
  }
  if (wrong) return first_refuted;
  return {Judgement::Kind::proved, {}, {}};
}

}  // namespace

Judgement judge(DeviceMemory& memory, const std::string& array, const JoinContract& contract,
                const JoinedResults& results, std::optional<std::size_t> wrong) {
  if (!results) return {};
  TermRecorder* const terms = memory.terms_of_latest_launch(wrong.has_value());
  if (terms == nullptr) return {};
  Judgement judgement = judge_by(*terms, array, contract, results(), wrong);
  if (judgement.kind != Judgement::Kind::tried) memory.note_useful_terms();
  return judgement;
}

namespace {

report::Proofs*& noted_in() {
  static report::Proofs* proofs = nullptr;
  return proofs;
}

}  // namespace

report::Proofs* note_proofs_in(report::Proofs* proofs) { return std::exchange(noted_in(), proofs); }

namespace {

/// Of the results that were right since take_all_proved().
struct {
  bool are_any = false, are_all_proved = true;
} latest_right;

}  // namespace

bool take_all_proved() {
  const auto before = std::exchange(latest_right, {});
  return before.are_any && before.are_all_proved;
}

void note_right(const std::string& where, const Judgement& judgement) {
  latest_right.are_any = true;
  latest_right.are_all_proved &= judgement.kind == Judgement::Kind::proved;
  if (noted_in() == nullptr) return;
  const bool is_proved = judgement.kind == Judgement::Kind::proved;
  report::Proofs one{.why_tried = is_proved ? "" : judgement.sentence};
  (is_proved ? one.proved_at : one.tried_at).push_back(where);
  if (judgement.kind == Judgement::Kind::tried) one.hindered_at.push_back(where);
  noted_in()->add(std::move(one));
}

}  // namespace warpwise::harness
