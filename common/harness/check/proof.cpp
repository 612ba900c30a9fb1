#include "proof.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

#include "../../simulator/program.hpp"
#include "../device/launch_result.hpp"

namespace warpwise::harness {

namespace {

using simulator::Term;
using simulator::TermGraph;
using simulator::TermKind;
using simulator::TermNode;
using simulator::TermOperation;
using simulator::TermRecorder;

bool is_idempotent(TermOperation operation) {
  return operation == TermOperation::maximum || operation == TermOperation::minimum ||
         operation == TermOperation::conjunction || operation == TermOperation::disjunction;
}

/// What the constant stands for in a float contract of that width.
double float_of(std::uint64_t bits, unsigned bytes) {
  if (bytes == 8) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  const auto low = static_cast<std::uint32_t>(bits);
  float value;
  std::memcpy(&value, &low, sizeof value);
  return value;
}

/// Joining it changes nothing. Only the exact identity: -FLT_MAX is none of a maximum.
bool is_identity(std::uint64_t bits, const JoinContract& contract) {
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * contract.bytes);
  bits &= mask;
  const std::uint64_t top = std::uint64_t{1} << (8 * contract.bytes - 1);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (contract.operation) {
    case TermOperation::sum:
      return contract.is_float ? float_of(bits, contract.bytes) == 0 : bits == 0;
    case TermOperation::product:
      return contract.is_float ? float_of(bits, contract.bytes) == 1 : bits == 1;
    case TermOperation::maximum:
      if (contract.is_float) return float_of(bits, contract.bytes) == -infinity;
      return bits == (contract.is_signed ? top : 0);
    case TermOperation::minimum:
      if (contract.is_float) return float_of(bits, contract.bytes) == infinity;
      return bits == (contract.is_signed ? top - 1 : mask);
    case TermOperation::conjunction:
      return bits == mask;
    case TermOperation::disjunction:
      return bits == 0;
    default:
      return false;
  }
}

/// The operation of the contract on values of its type.
bool is_join(const TermNode& node, const JoinContract& contract) {
  using simulator::ptx::Type;
  if (node.kind != TermKind::operation || node.operation != contract.operation || node.is_modified ||
      simulator::ptx::bytes_of(node.type) != contract.bytes || node.part_count != 2)
    return false;
  const bool is_float = node.type >= Type::f16 && node.type <= Type::f64;
  if (is_float != contract.is_float) return false;
  const bool has_sign = node.type >= Type::s8 && node.type <= Type::s64;
  const bool depends_on_sign =
      contract.operation == TermOperation::maximum || contract.operation == TermOperation::minimum;
  return is_float || !depends_on_sign || has_sign == contract.is_signed;
}

/// What a result is made of: how often each element counts.
struct Content {
  std::map<std::size_t, std::uint64_t> counts;
  std::vector<Term> nodes;  ///< of the result, those made of others first
  Term other = 0;           ///< a node that is no element, identity or join
};

class Reader {
 public:
  Reader(const TermRecorder& terms, const JoinContract& contract, std::uint32_t array)
      : graph_(terms.graph()),
        contract_(contract),
        array_(array),
        marks_(graph_.size()),
        counts_(graph_.size()) {}

  std::optional<std::size_t> element(Term term) const {
    const TermNode& node = graph_.at(term);
    if (contract_.bytes == 8) {
      if (node.operation != TermOperation::pair) return {};
      const auto low = word(node.parts[0]), high = word(node.parts[1]);
      return low && high && *low % 2 == 0 && *high == *low + 1 ? std::optional(*low / 2) : std::nullopt;
    }
    return contract_.bytes == 4 ? word(term) : std::nullopt;
  }

  Content read(std::span<const Term> results) {
    Content content;
    ++mark_;
    std::vector<Term> open;
    const auto reach = [&](Term term) {
      if (marks_[term] == mark_) return;
      marks_[term] = mark_;
      counts_[term] = 0;
      open.push_back(term);
    };
    for (const Term result : results) {
      reach(result);
      ++counts_[result];
    }
    while (!open.empty()) {
      const Term term = open.back();
      open.pop_back();
      content.nodes.push_back(term);
      if (!element(term) && is_join(graph_.at(term), contract_))
        for (std::size_t i = 0; i < 2; ++i) reach(graph_.at(term).parts[i]);
    }
    // A node is made after its parts, so its number is larger.
    std::sort(content.nodes.begin(), content.nodes.end(), std::greater());
    for (const Term term : content.nodes) {
      const TermNode& node = graph_.at(term);
      if (const auto index = element(term))
        content.counts[*index] += counts_[term];
      else if (is_join(node, contract_))
        for (std::size_t i = 0; i < 2; ++i) counts_[node.parts[i]] += counts_[term];
      else if (node.kind != TermKind::constant || !is_identity(node.bits, contract_))
        content.other = term;
    }
    return content;
  }

  const TermGraph& graph() const { return graph_; }

 private:
  std::optional<std::size_t> word(Term term) const {
    const TermNode& node = graph_.at(term);
    if (node.kind != TermKind::element || node.bits >> 32 != array_) return {};
    return node.bits & 0xFFFFFFFFu;
  }

  const TermGraph& graph_;
  const JoinContract& contract_;
  const std::uint32_t array_;
  std::vector<std::uint32_t> marks_;
  std::uint32_t mark_ = 0;
  std::vector<std::uint64_t> counts_;
};

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

std::string thread_of(const TermNode& node) { return "thread " + std::to_string(node.thread); }

/// Tells a refuted result.
class Teller {
 public:
  Teller(const TermRecorder& terms, const JoinContract& contract, const Reader& reader, std::string array,
         std::string result)
      : terms_(terms),
        contract_(contract),
        reader_(reader),
        array_(std::move(array)),
        result_(std::move(result)) {}

  void tell(const Content& content, const std::vector<ElementRange>& elements) {
    std::vector<std::size_t> missing, foreign, twice;
    std::uint64_t often = 2;
    const auto is_wanted = [&](std::size_t i) {
      return std::any_of(elements.begin(), elements.end(),
                         [&](const ElementRange& each) { return each.contains(i); });
    };
    for (const ElementRange& range : elements)
      for (std::size_t i = range.begin; i < range.end; i += range.step)
        if (!content.counts.contains(i)) missing.push_back(i);
    for (const auto& [i, count] : content.counts) {
      if (!is_wanted(i))
        foreign.push_back(i);
      else if (count > 1 && !is_idempotent(contract_.operation)) {
        if (twice.empty()) often = count;
        twice.push_back(i);
      }
    }
    if (missing.empty() && foreign.empty() && twice.empty()) return;
    judgement.kind = Judgement::Kind::refuted;
    std::string text = result_;
    if (content.counts.empty())
      text += " does not depend on " + array_ + "[]: " + listed(array_, missing) +
              (missing.size() == 1 ? " is" : " are") + " missing";
    else if (missing.size() == 1 && foreign.size() == 1 && twice.empty())
      text += " has " + listed(array_, foreign) + " in the place of " + listed(array_, missing);
    else {
      std::vector<std::string> parts;
      if (!missing.empty()) parts.push_back("misses " + listed(array_, missing));
      if (!twice.empty())
        parts.push_back("counts " + listed(array_, twice) +
                        (often == 2 ? " twice" : " " + std::to_string(often) + " times"));
      if (!foreign.empty())
        parts.push_back("counts " + listed(array_, foreign) + ", which " +
                        (foreign.size() == 1 ? "belongs" : "belong") + " elsewhere");
      for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? " " : i + 1 == parts.size() ? ", and " : ", ") + parts[i];
    }
    judgement.sentence = text;
    if (!missing.empty()) tell_last_holder(content, missing);
    if (!twice.empty()) tell_doubling(content, twice.front());
    if (!foreign.empty()) tell_load(content, foreign.front());
  }

  Judgement judgement;

 private:
  /// Which of `sought` lie below each node.
  std::vector<bool> holders_of(std::size_t sought) const {
    const TermGraph& graph = reader_.graph();
    std::vector<bool> holds(graph.size());
    for (Term term = 2; term < graph.size(); ++term) {
      const TermNode& node = graph.at(term);
      if (const auto index = reader_.element(term))
        holds[term] = *index == sought;
      else if (is_join(node, contract_))
        holds[term] = holds[node.parts[0]] || holds[node.parts[1]];
    }
    return holds;
  }

  std::vector<std::size_t> elements_below(Term root) const {
    const TermGraph& graph = reader_.graph();
    std::vector<Term> open{root}, seen;
    std::vector<std::size_t> found;
    while (!open.empty()) {
      const Term term = open.back();
      open.pop_back();
      if (std::find(seen.begin(), seen.end(), term) != seen.end()) continue;
      seen.push_back(term);
      if (const auto index = reader_.element(term))
        found.push_back(*index);
      else if (is_join(graph.at(term), contract_))
        open.insert(open.end(), {graph.at(term).parts[0], graph.at(term).parts[1]});
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  /// The largest part that holds what is missing, and is itself no part of the result.
  void tell_last_holder(const Content& content, const std::vector<std::size_t>& missing) {
    const TermGraph& graph = reader_.graph();
    const std::vector<bool> holds = holders_of(missing.front());
    std::vector<bool> is_used(graph.size());
    for (const Term term : content.nodes) is_used[term] = true;
    Term last = 0;
    for (Term term = 2; term < graph.size(); ++term)
      if (holds[term] && !is_used[term] && is_join(graph.at(term), contract_)) last = term;
    if (last == 0) return;
    const std::vector<std::size_t> all = elements_below(last);
    const bool are_all_missing = std::includes(missing.begin(), missing.end(), all.begin(), all.end());
    if (!are_all_missing) return;
    const TermNode& node = graph.at(last);
    judgement.sentence += "; " + thread_of(node) +
                          (contract_.operation == TermOperation::sum ? "'s sum of " : "'s join of ") +
                          listed(array_, all) + " is never " + verb_of(contract_.operation);
    judgement.lines.push_back(line_of(terms_, last, "makes what is never " + verb_of(contract_.operation)));
  }

  /// The first node of which both parts have the element.
  void tell_doubling(const Content& content, std::size_t twice) {
    const TermGraph& graph = reader_.graph();
    const std::vector<bool> holds = holders_of(twice);
    for (auto term = content.nodes.rbegin(); term != content.nodes.rend(); ++term) {
      const TermNode& node = graph.at(*term);
      if (reader_.element(*term) || !is_join(node, contract_) || !holds[node.parts[0]] ||
          !holds[node.parts[1]])
        continue;
      judgement.lines.push_back(line_of(terms_, *term, "counts it twice"));
      return;
    }
  }

  void tell_load(const Content& content, std::size_t foreign) {
    const TermGraph& graph = reader_.graph();
    for (auto term = content.nodes.rbegin(); term != content.nodes.rend(); ++term) {
      const TermNode& node = graph.at(*term);
      if (reader_.element(*term) || !is_join(node, contract_)) continue;
      for (std::size_t i = 0; i < 2; ++i)
        if (const auto index = reader_.element(node.parts[i]); index && *index == foreign) {
          judgement.lines.push_back(line_of(terms_, *term, "takes it"));
          return;
        }
    }
  }

  const TermRecorder& terms_;
  const JoinContract& contract_;
  const Reader& reader_;
  const std::string array_, result_;
};

/// Why the terms of a launch decide nothing; empty where they do.
std::string why_undecided(const TermRecorder& terms) {
  if (!terms.why_incomplete().empty()) return terms.why_incomplete();
  if (terms.has_lucky_store()) return "two threads store values that happen to be equal";
  if (terms.conditions().empty()) return {};
  const simulator::TermCondition& first = terms.conditions().front();
  const simulator::SourcePlace& place = simulator::place_of(*terms.launch().program, first.pc);
  const auto* const what = first.use == simulator::TermCondition::Use::branch    ? "a branch"
                           : first.use == simulator::TermCondition::Use::address ? "an address"
                                                                                 : "an exchange";
  return std::string(what) + " depends on values (line " + std::to_string(place.line) + ")";
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

}  // namespace

Judgement judge(DeviceMemory& memory, const std::string& array, const JoinContract& contract,
                std::span<const JoinedResult> results, std::optional<std::size_t> wrong) {
  TermRecorder* const terms = memory.terms_of_latest_launch(wrong.has_value());
  if (terms == nullptr) return {};
  const auto tried = [](std::string why) { return Judgement{Judgement::Kind::tried, std::move(why), {}}; };
  if (contract.operation == TermOperation::other || (contract.bytes != 4 && contract.bytes != 8))
    return tried("what joins the elements is no single operation");
  if (std::string why = why_undecided(*terms); !why.empty()) return tried(std::move(why));
  std::string elements = contract.array.empty() ? "in" : contract.array;
  std::uint32_t number = terms->allocation_named(elements);
  if (number == 0) number = terms->allocation_named(elements = array);
  if (number == 0) return tried("its elements are no array of the launch");

  // Every term has to be there before it is read.
  std::vector<std::vector<Term>> words(results.size());
  const auto term_at = [&](std::uint64_t address) {
    const Term low = terms->word_at(address);
    if (contract.bytes == 4) return low;
    const Term high = terms->word_at(address + 4);
    return low == simulator::fixed || high == simulator::fixed ? simulator::fixed
                                                               : terms->graph().pair(low, high, {});
  };
  for (std::size_t k = 0; k < results.size(); ++k)
    for (const std::uint64_t address : results[k].results) words[k].push_back(term_at(address));

  Reader reader(*terms, contract, number);
  Judgement first_refuted;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const bool is_it = wrong == results[k].index;
    std::erase(words[k], simulator::fixed);
    const Content content = reader.read(words[k]);
    if (content.other != 0 && (is_it || !wrong)) return tried(why_tried(*terms, content.other));
    if (content.other != 0) continue;
    Teller teller(*terms, contract, reader, elements,
                  is_it ? "it" : array + "[" + std::to_string(results[k].index) + "]");
    teller.tell(content, results[k].elements);
    if (teller.judgement.kind != Judgement::Kind::refuted) continue;
    if (is_it || !wrong) return std::move(teller.judgement);
    if (first_refuted.kind == Judgement::Kind::unknown) first_refuted = std::move(teller.judgement);
  }
  if (wrong) return first_refuted;
  return {Judgement::Kind::proved, {}, {}};
}

namespace {

report::Proofs*& noted_in() {
  static report::Proofs* proofs = nullptr;
  return proofs;
}

}  // namespace

void note_proofs_in(report::Proofs* proofs) { noted_in() = proofs; }

void note_right(const std::string& where, const Judgement& judgement) {
  if (noted_in() == nullptr) return;
  const bool is_proved = judgement.kind == Judgement::Kind::proved;
  report::Proofs one{.why_tried = is_proved ? "" : judgement.sentence};
  (is_proved ? one.proved_at : one.tried_at).push_back(where);
  noted_in()->add(std::move(one));
}

}  // namespace warpwise::harness
