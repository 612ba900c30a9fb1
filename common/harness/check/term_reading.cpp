#include "term_reading.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

namespace warpwise::harness {

namespace {

using simulator::Term;
using simulator::TermGraph;
using simulator::TermKind;
using simulator::TermNode;
using simulator::TermOperation;

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

/// `operation` on values of the contract's type.
bool is_operation(const TermNode& node, TermOperation operation, const JoinContract& contract) {
  using simulator::ptx::Type;
  if (node.kind != TermKind::operation || node.operation != operation || node.is_modified ||
      simulator::ptx::bytes_of(node.type) != contract.bytes)
    return false;
  const bool is_float = node.type >= Type::f16 && node.type <= Type::f64;
  if (is_float != contract.is_float) return false;
  const bool has_sign = node.type >= Type::s8 && node.type <= Type::s64;
  const bool depends_on_sign = operation == TermOperation::maximum || operation == TermOperation::minimum;
  return is_float || !depends_on_sign || has_sign == contract.is_signed;
}

}  // namespace

bool is_idempotent(TermOperation operation) {
  return operation == TermOperation::maximum || operation == TermOperation::minimum ||
         operation == TermOperation::conjunction || operation == TermOperation::disjunction;
}

TermReader::TermReader(const TermGraph& graph, const JoinContract& contract, std::uint32_t factors)
    : graph_(graph), contract_(contract), factors_(factors), marks_(graph.size()), counts_(graph.size()) {}

std::optional<Leaf> TermReader::element(Term term) const {
  const TermNode* node = &graph_.at(term);
  if (contract_.bytes == 8) {
    if (node->operation != TermOperation::pair) return {};
    const TermNode &low = graph_.at(node->parts[0]), &high = graph_.at(node->parts[1]);
    if (low.kind != TermKind::element || high.kind != TermKind::element || low.bits % 2 != 0 ||
        high.bits != low.bits + 1)
      return {};
    node = &low;
  }
  if (node->kind != TermKind::element) return {};
  return Leaf{static_cast<std::uint32_t>(node->bits >> 32),
              (node->bits & 0xFFFFFFFFu) / (contract_.bytes / 4)};
}

std::optional<Leaf> TermReader::product(Term a, Term b) const {
  auto first = element(a), second = element(b);
  if (first && first->array == factors_) std::swap(first, second);
  const bool is_pair = first && second && second->array == factors_ && first->index == second->index;
  return is_pair ? first : std::nullopt;
}

TermReader::Parts TermReader::parts_of(Term term) const {
  const TermNode& node = graph_.at(term);
  if (const auto leaf = element(term)) return {.leaf = leaf, .is_known = contract_.factors.empty()};
  if (is_operation(node, contract_.operation, contract_) && node.part_count == 2)
    return {.joined = {node.parts[0], node.parts[1]}, .count = 2};
  const bool is_sum_of_integers = contract_.operation == TermOperation::sum && !contract_.is_float;
  if (is_sum_of_integers && is_operation(node, TermOperation::difference, contract_))
    return {.joined = {node.parts[0], node.parts[1]}, .count = 2, .is_difference = true};
  if (!contract_.factors.empty() && is_operation(node, TermOperation::product, contract_))
    if (const auto leaf = product(node.parts[0], node.parts[1])) return {.leaf = leaf};
  if (!contract_.factors.empty() && is_operation(node, TermOperation::product_and_sum, contract_))
    if (const auto leaf = product(node.parts[0], node.parts[1]))
      return {.leaf = leaf, .joined = {node.parts[2]}, .count = 1};
  return {.is_known = node.kind == TermKind::constant && is_identity(node.bits, contract_)};
}

bool TermReader::is_constant_of_an_operator(Term term) const {
  return graph_.at(term).kind == TermKind::constant && contract_.operation != TermOperation::selection;
}

bool TermReader::changes_result(Term constant, std::uint64_t often) const {
  const std::uint64_t bits = graph_.at(constant).bits;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * contract_.bytes);
  switch (contract_.operation) {
    case TermOperation::sum:
      return contract_.is_float || (bits * often & mask) != 0;
    case TermOperation::product:  // twice -1 is 1
      return often == 1 || (contract_.is_float && std::abs(float_of(bits, contract_.bytes)) != 1);
    default:
      return true;
  }
}

std::string TermReader::text_of(Term constant) const {
  const std::uint64_t bits = graph_.at(constant).bits;
  if (contract_.is_float && contract_.bytes == 8) return harness::text_of(float_of(bits, 8));
  if (contract_.is_float) return harness::text_of(static_cast<float>(float_of(bits, 4)));
  if (contract_.bytes == 8)
    return contract_.is_signed ? std::to_string(static_cast<std::int64_t>(bits)) : std::to_string(bits);
  const auto low = static_cast<std::uint32_t>(bits);
  return contract_.is_signed ? std::to_string(static_cast<std::int32_t>(low)) : std::to_string(low);
}

Content TermReader::read(std::span<const Term> results) {
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
    const Parts parts = parts_of(term);
    for (std::size_t i = 0; i < parts.count; ++i) reach(parts.joined[i]);
  }
  // A node is made after its parts, so its number is larger.
  std::sort(content.nodes.begin(), content.nodes.end(), std::greater());
  for (const Term term : content.nodes) {
    const Parts parts = parts_of(term);
    if (parts.leaf) content.counts[*parts.leaf] += counts_[term];
    for (std::size_t i = 0; i < parts.count; ++i)
      counts_[parts.joined[i]] += parts.is_difference && i == 1 ? 0 - counts_[term] : counts_[term];
    if (!parts.is_known && is_constant_of_an_operator(term))
      content.constants.emplace_back(term, counts_[term]);
    else if (!parts.is_known)
      content.other = term;
  }
  std::erase_if(content.counts, [](const auto& each) { return each.second == 0; });  // added and taken away
  return content;
}

// ---- Fingerprints

namespace {

constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

/// A random number for each element, the same in every run.
std::uint64_t weight_of(const Leaf& leaf) {
  std::uint64_t value = (std::uint64_t{leaf.array} << 40 ^ leaf.index) + 0x9E3779B97F4A7C15u;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return (value ^ (value >> 31)) % prime;
}

}  // namespace

std::uint64_t TermReader::sum_of(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;
  return sum >= prime ? sum - prime : sum;
}

std::uint64_t TermReader::fingerprint(std::uint32_t array, std::size_t begin, std::size_t end) {
  std::vector<std::uint64_t>& before = sums_[array];
  if (before.empty()) before.push_back(0);
  while (before.size() <= end) before.push_back(sum_of(before.back(), weight_of({array, before.size() - 1})));
  return sum_of(before[end], prime - before[begin]);
}

bool TermReader::has_fingerprint_of(std::span<const Term> results, std::uint64_t wanted) {
  if (is_idempotent(contract_.operation)) return false;
  for (Term term = static_cast<Term>(fingerprints_.size()); term < graph_.size(); ++term) {
    const Parts parts = parts_of(term);
    bool is_known = parts.is_known && term != simulator::fixed;
    std::uint64_t print = parts.leaf ? weight_of(*parts.leaf) : 0;
    for (std::size_t i = 0; i < parts.count; ++i) {
      const std::uint64_t part = fingerprints_[parts.joined[i]];
      is_known = is_known && has_fingerprint_[parts.joined[i]];
      print = sum_of(print, parts.is_difference && i == 1 ? prime - part : part);
    }
    fingerprints_.push_back(print);
    has_fingerprint_.push_back(is_known);
  }
  std::uint64_t all = 0;
  for (const Term result : results) {
    if (!has_fingerprint_[result]) return false;
    all = sum_of(all, fingerprints_[result]);
  }
  return all == wanted;
}

}  // namespace warpwise::harness
