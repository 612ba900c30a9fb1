#include "../terms.hpp"

#include <algorithm>

namespace warpwise::simulator {

namespace {

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 31)) * 0x9E3779B97F4A7C15u;
  return value ^ (value >> 29);
}

/// Who made it is not part of what it is.
std::uint64_t hash_of(const TermNode& node) {
  std::uint64_t hash = mixed(static_cast<std::uint64_t>(node.kind) << 32 | node.name) ^ node.bits;
  const auto two = [&](std::size_t i) { return std::uint64_t{node.parts[i]} << 32 | node.parts[i + 1]; };
  return mixed(mixed(hash + two(0)) + two(2));
}

bool is_same(const TermNode& a, const TermNode& b) {
  return a.kind == b.kind && a.name == b.name && a.bits == b.bits && a.parts == b.parts;
}

}  // namespace

TermGraph::TermGraph() : nodes_(2), table_(1u << 12), names_{""} {
  nodes_[1].kind = TermKind::undefined;  // 0 is `fixed`, and no node
}

void TermGraph::clear() {
  nodes_.resize(2);
  if (table_.size() > 1u << 16) table_.resize(1u << 16);
  std::fill(table_.begin(), table_.end(), Slot{});
  constants_.fill({});
}

void TermGraph::grow() {
  std::vector<Slot> old(table_.size() * 2);
  table_.swap(old);
  for (const Slot& slot : old) {
    if (slot.term == 0) continue;
    std::size_t at = slot.hash & (table_.size() - 1);
    while (table_[at].term != 0) at = (at + 1) & (table_.size() - 1);
    table_[at] = slot;
  }
}

Term TermGraph::intern(const TermNode& node) {
  const auto hash = static_cast<std::uint32_t>(hash_of(node));
  std::size_t at = hash & (table_.size() - 1);
  for (; table_[at].term != 0; at = (at + 1) & (table_.size() - 1))
    if (table_[at].hash == hash && is_same(nodes_[table_[at].term], node)) return table_[at].term;
  nodes_.push_back(node);
  for (std::size_t i = 0; i < node.part_count; ++i)
    nodes_.back().is_of_machine |= nodes_[node.parts[i]].is_of_machine;
  const auto term = static_cast<Term>(nodes_.size() - 1);
  table_[at] = {term, hash};
  if (nodes_.size() * 2 > table_.size()) grow();
  return term;
}

Term TermGraph::constant(std::uint64_t bits) {
  Constant& latest = constants_[mixed(bits) % constants_.size()];
  if (latest.term != 0 && latest.bits == bits) return latest.term;
  TermNode node;
  node.bits = bits;
  latest = {bits, intern(node)};
  return latest.term;
}

Term TermGraph::element(std::uint32_t allocation, std::uint32_t word, std::uint32_t thread,
                        std::uint64_t block) {
  TermNode node;
  node.kind = TermKind::element;
  node.thread = thread;
  node.block = block;
  node.bits = std::uint64_t{allocation} << 32 | word;
  return intern(node);
}

Term TermGraph::computed(std::uint32_t allocation, std::uint32_t word) {
  TermNode node;
  node.kind = TermKind::unknown;
  node.name = name("computed");
  node.bits = std::uint64_t{allocation} << 32 | word;
  return intern(node);
}

Term TermGraph::unknown(const TermNode& maker, bool is_of_order) {
  TermNode node = maker;
  node.kind = TermKind::unknown;
  node.is_of_order = is_of_order;
  node.bits = nodes_.size();
  return intern(node);
}

std::uint32_t TermGraph::name(std::string_view text) {
  const auto found = std::find(names_.begin(), names_.end(), text);
  if (found != names_.end()) return static_cast<std::uint32_t>(found - names_.begin());
  names_.emplace_back(text);
  return static_cast<std::uint32_t>(names_.size() - 1);
}

Term TermGraph::of_two(TermOperation operation, ptx::Type type, std::string_view named, Term first,
                       Term second, const TermNode& maker) {
  TermNode made = maker;
  made.kind = TermKind::operation;
  made.operation = operation;
  made.type = type;
  made.is_modified = false;
  made.name = name(named);
  made.part_count = 2;
  made.parts = {first, second};
  return intern(made);
}

Term TermGraph::half(Term of, std::uint32_t which, const TermNode& maker) {
  const TermNode& node = nodes_[of];
  if (node.kind == TermKind::constant) return constant(node.bits >> 32 * which & 0xFFFFFFFFu);
  if (node.kind == TermKind::undefined) return of;
  if (node.operation == TermOperation::pair) return node.parts[which];
  return of_two(TermOperation::half, ptx::Type::b32, "half", of, constant(which), maker);
}

Term TermGraph::pair(Term low, Term high, const TermNode& maker) {
  const TermNode &a = nodes_[low], &b = nodes_[high];
  if (a.kind == TermKind::constant && b.kind == TermKind::constant)
    return constant(b.bits << 32 | (a.bits & 0xFFFFFFFFu));
  if (a.kind == TermKind::undefined && b.kind == TermKind::undefined) return low;
  const auto is_half = [&](const TermNode& node, std::uint64_t which) {
    return node.operation == TermOperation::half && nodes_[node.parts[1]].bits == which;
  };
  if (is_half(a, 0) && is_half(b, 1) && a.parts[0] == b.parts[0]) return a.parts[0];
  return of_two(TermOperation::pair, ptx::Type::b64, "pair", low, high, maker);
}

Term TermGraph::operation(TermNode like) {
  like.kind = TermKind::operation;
  return intern(like);
}

}  // namespace warpwise::simulator
