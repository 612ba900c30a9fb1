#include "proof.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "../../simulator/program.hpp"
#include "matchers.hpp"
#include "proof_telling.hpp"
#include "term_reading.hpp"

namespace warpwise::harness {

namespace {

using simulator::Term;
using simulator::TermKind;
using simulator::TermNode;
using simulator::TermOperation;
using simulator::TermRecorder;

/// Why the terms of a launch decide nothing; empty where they do.
std::string why_undecided(const TermRecorder& terms) {
  const auto line = [&](simulator::Pc pc) {
    return " (line " + std::to_string(simulator::place_of(*terms.launch().program, pc).line) + ")";
  };
  if (const auto pc = terms.lucky_store())
    return "two threads store values that happen to be equal" + line(*pc);
  if (!terms.condition()) return terms.why_incomplete();
  const simulator::TermCondition& first = *terms.condition();
  const auto* const what = first.use == simulator::ValueUse::branch    ? "a branch"
                           : first.use == simulator::ValueUse::address ? "an address"
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
    const std::string name = is_it ? "it" : results_ + "[" + std::to_string(result.index) + "]";
    if (content.other != 0) {
      Judgement other = is_it ? told_operator(terms_, *reader_, name, content) : Judgement{};
      if (other.kind == Judgement::Kind::refuted) return other;
      return Judgement{Judgement::Kind::tried, why_tried(terms_, content.other), {}};
    }
    std::set<Leaf> leaves;
    for (const Located& range : wanted)
      for (std::size_t i = range.begin; i < range.end; i += range.step) leaves.insert({range.array, i});
    Judgement judgement = told(terms_, *reader_, name, content, leaves);
    if (judgement.kind == Judgement::Kind::refuted) return judgement;
    if (content.constants.empty()) return {};
    return Judgement{Judgement::Kind::tried, why_tried(terms_, content.constants.front().first), {}};
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
  // To tell one costs a walk over all terms: the wrong one is told, or else the first of the others.
  for (std::size_t k = 0; k < results.size(); ++k)
    if (wrong == results[k].index)
      if (std::optional<Judgement> found = judge.judge(results[k], made_of[k], true))
        return std::move(*found);
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (wrong == results[k].index) continue;
    std::optional<Judgement> found = judge.judge(results[k], made_of[k], false);
    if (found && (!wrong || found->kind == Judgement::Kind::refuted)) return std::move(*found);
  }
  if (wrong) return {};
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

void require_no_whim(DeviceMemory& memory) {
  const TermRecorder* const terms = memory.terms_of_latest_launch(false);
  if (terms == nullptr || !terms->whim()) return;
  const simulator::SourcePlace& place = simulator::place_of(*terms->launch().program, *terms->whim());
  fail("right this time, but a clock, or where a block or a warp runs, decides what it does (line " +
           std::to_string(place.line) + "): the next launch may give another result",
       {.where = spelled(case_of(memory, {}, 0))});
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
