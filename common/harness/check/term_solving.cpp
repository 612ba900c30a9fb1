#include "term_solving.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace warpwise::harness::detail {

namespace {

using simulator::Term;
using simulator::TermGraph;
using simulator::TermKind;
using simulator::TermNode;
using simulator::TermOperation;
using Bits = std::uint64_t;

constexpr unsigned most_nodes = 64;  ///< of one step

Bits salted(Bits value) {
  value = (value ^ (value >> 31)) * 0x9E3779B97F4A7C15u;
  return value ^ (value >> 29);
}

class Solver {
 public:
  Solver(const TermGraph& graph, std::uint32_t array, unsigned bytes)
      : graph_(graph), array_(array), bytes_(bytes) {}

  bool is_element(Term term) const {
    const TermNode& node = graph_.at(term);
    if (node.operation == TermOperation::pair && bytes_ == 8)
      return is_word(node.parts[0]) && is_word(node.parts[1]) &&
             graph_.at(node.parts[0]).bits + 1 == graph_.at(node.parts[1]).bits;
    return bytes_ == 4 && is_word(term);
  }
  bool is_constant(Term term) const { return graph_.at(term).kind == TermKind::constant; }
  struct Found {
    std::uint32_t word;  ///< the first of the element
    Bits value;
  };
  /// What the one element has to be that `term` depends on. `salt`: where several will do, which of them.
  std::optional<Found> element_for(Term term, Bits wanted, Bits salt) const {
    while (!is_element(term)) {
      const std::optional<Term> inner = only_source(term);
      if (!inner) return {};
      const std::optional<Bits> value = operand_for(term, *inner, wanted, salted(salt));
      if (!value) return {};
      term = *inner, wanted = *value;
    }
    const TermNode& node = graph_.at(bytes_ == 8 ? graph_.at(term).parts[0] : term);
    return Found{static_cast<std::uint32_t>(node.bits), wanted & ones(bytes_)};
  }

 private:
  bool is_word(Term term) const {
    const TermNode& node = graph_.at(term);
    return node.kind == TermKind::element && node.bits >> 32 == array_;
  }
  static Bits ones(unsigned bytes) { return ~Bits{0} >> (64 - 8 * bytes); }
  unsigned bytes_of(Term term) const {
    const TermNode& node = graph_.at(term);
    if (node.kind == TermKind::element || node.operation == TermOperation::half) return 4;
    if (node.operation == TermOperation::pair) return 8;
    const unsigned bytes = simulator::ptx::bytes_of(node.type);
    return graph_.name_of(node).find(".wide") != std::string::npos ? 2 * bytes : bytes;
  }

  /// The last node that every way from `term` to elements leads through; none where there are several ends.
  std::optional<Term> only_source(Term term) const {
    std::set<Term> open{term};
    for (unsigned steps = 0; steps < most_nodes; ++steps) {
      const Term last = *open.rbegin();
      if (open.size() == 1 && last != term) return last;
      if (graph_.at(last).kind != TermKind::operation || is_element(last)) return {};
      open.erase(last);
      for (std::size_t i = 0; i < graph_.at(last).part_count; ++i)
        if (!is_constant(graph_.at(last).parts[i])) open.insert(graph_.at(last).parts[i]);
      if (open.empty()) return {};
    }
    return {};
  }

  /// `term`, where `inner` is `value`; nothing for an operation that is not known here.
  std::optional<Bits> value_of(Term term, Term inner, Bits value) const {
    if (term == inner) return value;
    const TermNode& node = graph_.at(term);
    if (node.kind == TermKind::constant) return node.bits;
    const std::string& name = graph_.name_of(node);
    if (node.kind != TermKind::operation || node.is_modified || name.find(' ') != std::string::npos)
      return {};
    std::array<Bits, 4> parts{};
    for (std::size_t i = 0; i < node.part_count; ++i) {
      const std::optional<Bits> part = value_of(node.parts[i], inner, value);
      if (!part) return {};
      parts[i] = *part;
    }
    const auto [a, b, c, d] = parts;
    if (node.operation == TermOperation::half) return a >> 32 * b & ones(4);
    if (node.operation == TermOperation::pair) return b << 32 | (a & ones(4));
    using simulator::ptx::Type;
    if (node.type == Type::none || node.type == Type::pred ||
        (node.type >= Type::f16 && node.type <= Type::f64))
      return {};
    const unsigned bytes = simulator::ptx::bytes_of(node.type);
    const bool is_wide = name.find(".wide") != std::string::npos;
    const bool is_signed = name.find(".s") != std::string::npos;
    const auto widened = [&](Bits word) {
      if (!is_signed) return word & ones(bytes);
      return static_cast<Bits>(static_cast<std::int64_t>(word << (64 - 8 * bytes)) >> (64 - 8 * bytes));
    };
    const Bits product = is_wide ? widened(a) * widened(b) : a * b;
    const Bits mask = ones(is_wide ? 2 * bytes : bytes);
    switch (node.operation) {
      case TermOperation::sum:
        return (a + b) & mask;
      case TermOperation::difference:
        return (a - b) & mask;
      case TermOperation::product:
        return product & mask;
      case TermOperation::product_and_sum:
        return (product + c) & mask;
      case TermOperation::conjunction:
        return a & b & mask;
      case TermOperation::disjunction:
        return (a | b) & mask;
      case TermOperation::exclusive_or:
        return (a ^ b) & mask;
      default:
        break;
    }
    const unsigned width = 8 * bytes;
    if (name.starts_with("not.")) return ~a & mask;
    if (name.starts_with("neg.")) return (Bits{0} - a) & mask;
    if (name.starts_with("shl.")) return b < width ? a << b & mask : 0;
    if (name.starts_with("shr.")) {
      const Bits by = is_signed ? std::min<Bits>(b, width - 1) : b;
      return by < width ? (is_signed ? static_cast<Bits>(static_cast<std::int64_t>(widened(a)) >> by) & mask
                                     : (a & mask) >> by)
                        : 0;
    }
    if (name.starts_with("shf.l.wrap")) return (b << 32 | (a & ones(4))) << (c & 31) >> 32 & ones(4);
    if (name.starts_with("shf.r.wrap")) return (b << 32 | (a & ones(4))) >> (c & 31) & ones(4);
    return {};
  }

  std::optional<Bits> operand_for(Term term, Term inner, Bits wanted, Bits salt) const {
    wanted &= ones(bytes_of(term));
    const unsigned width = 8 * bytes_of(inner);
    Bits value = salt & ones(width / 8);
    // From low bits to high ones:
    for (unsigned bit = 0; bit < width; ++bit) {
      const std::optional<Bits> found = value_of(term, inner, value);
      if (!found) return {};
      if (((*found ^ wanted) >> bit & 1) != 0) value ^= Bits{1} << bit;
    }
    if (value_of(term, inner, value) == wanted) return value;
    return by_elimination(term, inner, wanted, salt & ones(width / 8), width);
  }

  /// Gauss's, of bits: each bit of `inner` flips those of the result that it flips at `value`.
  std::optional<Bits> by_elimination(Term term, Term inner, Bits wanted, Bits value, unsigned width) const {
    const Bits at_start = *value_of(term, inner, value);
    std::vector<std::pair<Bits, Bits>> rows;  // what flips, and by which bits of `inner`
    const auto reduced = [&](std::pair<Bits, Bits> row) {
      for (const auto& [flips, by] : rows)
        if ((row.first & std::bit_floor(flips)) != 0) row.first ^= flips, row.second ^= by;
      return row;
    };
    for (unsigned bit = 0; bit < width; ++bit) {
      const Bits flipped = value ^ Bits { 1 } << bit;
      const auto row = reduced({*value_of(term, inner, flipped) ^ at_start, Bits{1} << bit});
      if (row.first != 0) rows.push_back(row);
    }
    const auto [left, by] = reduced({wanted ^ at_start, 0});
    value ^= by;
    if (left != 0 || value_of(term, inner, value) != wanted) return {};
    return value;
  }

  const TermGraph& graph_;
  const std::uint32_t array_;
  const unsigned bytes_;
};

}  // namespace

SolvedElements solved_elements(const simulator::TermRecorder& terms, std::uint32_t array, unsigned bytes) {
  constexpr std::size_t most_constants = 4, most_alike = 16;
  constexpr unsigned most_tries = 64;
  const TermGraph& graph = terms.graph();
  const Solver solver(graph, array, bytes);
  SolvedElements solved;
  unsigned tries = 0;
  const auto make_alike = [&](Term term) {
    if (!solved.alike.empty() || solver.is_element(term) || solver.is_constant(term) || ++tries > most_tries)
      return;
    std::set<Bits> found;
    for (Bits salt = 1; salt <= most_alike; ++salt) {
      const auto element = solver.element_for(term, salted(7), salt);
      if (!element) break;
      found.insert(element->value);
    }
    if (found.size() > 1) solved.alike.assign(found.begin(), found.end());
  };
  for (const Term term : terms.matched()) make_alike(term);
  std::map<std::pair<simulator::Pc, Bits>, std::pair<Term, Term>> compared;  // by place and constant
  for (Term term = 2; term < graph.size(); ++term) {
    const TermNode& node = graph.at(term);
    if (node.operation != TermOperation::comparison || node.kind != TermKind::operation) continue;
    const auto of = [&](Term value, Term other) {
      if (solver.is_constant(value) || solver.is_element(value)) return;
      if (!solver.is_constant(other)) return make_alike(value);
      const auto [place, is_new] = compared.try_emplace({node.pc, graph.at(other).bits}, value, value);
      place->second.second = value;
    };
    of(node.parts[0], node.parts[1]);
    of(node.parts[1], node.parts[0]);
  }
  for (const auto& [where, terms_of_it] : compared)
    for (const Term term : std::set{terms_of_it.first, terms_of_it.second})
      if (solved.equal_to_constants.size() < most_constants)
        if (const auto element = solver.element_for(term, where.second, where.second))
          solved.equal_to_constants.push_back(
              {(4 * std::size_t{element->word} - terms.passed_offset(array)) / bytes, element->value});
  return solved;
}

}  // namespace warpwise::harness::detail
