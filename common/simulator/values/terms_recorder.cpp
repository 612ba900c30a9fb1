#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "../terms.hpp"
#include "term_observer.hpp"

namespace warpwise::simulator {

using namespace values;

struct TermRecorder::State : Followed {};

namespace {

std::optional<std::uint64_t> passed_offset_of(const Allocation& allocation,
                                              std::span<const std::byte> parameters) {
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= parameters.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t pointer = 0;
    std::memcpy(&pointer, parameters.data() + at, sizeof pointer);
    if (allocation.contains(pointer, 1)) return pointer - allocation.base;
  }
  return {};
}

}  // namespace

TermRecorder::TermRecorder() : state_(std::make_unique<State>()) {}
TermRecorder::~TermRecorder() = default;

void TermRecorder::set_computed(std::set<std::uint64_t> arrays) { computed_ = std::move(arrays); }

void Followed::begin(const LaunchContext& next, std::uint32_t of_slots,
                     const std::set<std::uint64_t>& computed) {
  launch = next;
  slots = of_slots;
  graph.clear();
  allocations.clear();
  condition.reset();
  why_incomplete.clear();
  lucky_store.reset();
  whim.reset();
  passages.clear();
  matched.clear();
  observer.reset();
  const std::vector<const Allocation*> all = launch.memory->all();
  for (const Allocation* each : all)
    allocations.push_back({each->base, each->bytes, each->name, passed_offset_of(*each, launch.parameters)});
  memory.begin(all, computed, slots, graph);
  if (program == launch.program) return;
  program = launch.program;
  forms.assign(program->size(), {});
  joining_forms.assign(program->size(), {});
}

void TermRecorder::set_patience(const Patience& patience) { state_->patience = patience; }

void TermRecorder::begin(const LaunchContext& launch, std::uint32_t slots) {
  state_->begin(launch, slots, computed_);
}

void TermRecorder::add_observers(ObserverList& of_thread) {
  if (state_->observer) return state_->lose("the launch has several host threads");
  auto observer = std::make_unique<TermObserver>(*state_);
  of_thread.add(*observer);
  state_->observer = std::move(observer);
}

TermGraph& TermRecorder::graph() { return state_->graph; }
const TermGraph& TermRecorder::graph() const { return state_->graph; }
const LaunchContext& TermRecorder::launch() const { return state_->launch; }

Term TermRecorder::word_at(std::uint64_t address) const {
  for (std::size_t i = 0; i < state_->allocations.size(); ++i)
    if (const State::Named& each = state_->allocations[i]; address - each.base < each.bytes)
      return state_->memory.global_word(address, static_cast<std::uint32_t>(i + 1), each.base);
  return state_->graph.undefined();
}

std::uint32_t TermRecorder::allocation_named(std::string_view name) const {
  std::uint32_t found = 0;
  for (std::size_t i = 0; i < state_->allocations.size(); ++i) {
    const State::Named& each = state_->allocations[i];
    if (each.name != name) continue;
    if (each.passed_offset) return static_cast<std::uint32_t>(i + 1);
    if (found == 0) found = static_cast<std::uint32_t>(i + 1);
  }
  return found;
}

std::uint64_t TermRecorder::passed_offset(std::uint32_t allocation) const {
  return state_->allocations.at(allocation - 1).passed_offset.value_or(0);
}

std::uint64_t TermRecorder::base_of(std::uint32_t allocation) const {
  return state_->allocations.at(allocation - 1).base;
}

std::string_view TermRecorder::name_of_allocation(std::uint32_t number) const {
  return number == 0 || number > state_->allocations.size() ? std::string_view()
                                                            : state_->allocations[number - 1].name;
}

const std::optional<TermCondition>& TermRecorder::condition() const { return state_->condition; }

std::vector<std::uint64_t> TermRecorder::compared_with(std::uint32_t allocation) const {
  constexpr std::size_t most = 64;
  std::vector<std::uint64_t> found;
  const TermGraph& graph = state_->graph;
  std::vector<bool> depends(graph.size());  // parts come before what is made of them
  for (Term term = 2; term < graph.size() && found.size() < most; ++term) {
    const TermNode& node = graph.at(term);
    depends[term] =
        node.kind == TermKind::unknown || (node.kind == TermKind::element && node.bits >> 32 == allocation);
    for (std::size_t i = 0; i < node.part_count; ++i) depends[term] = depends[term] || depends[node.parts[i]];
    if (!depends[term] ||
        (node.operation != TermOperation::comparison && node.operation != TermOperation::minimum &&
         node.operation != TermOperation::maximum))
      continue;
    for (const Term part : {node.parts[0], node.parts[1]})
      if (const TermNode& constant = graph.at(part); constant.kind == TermKind::constant)
        if (std::find(found.begin(), found.end(), constant.bits) == found.end())
          found.push_back(constant.bits);
  }
  return found;
}

std::vector<std::uint32_t> TermRecorder::exceptions_in(std::uint32_t allocation) const {
  const TermGraph& graph = state_->graph;
  std::vector<std::uint64_t> uses(
      graph.size());  // a bit for each operation: parts come before what they make
  std::map<std::uint64_t, std::vector<std::uint32_t>> words;  // by uses
  std::vector<std::uint32_t> seen;
  for (Term term = static_cast<Term>(graph.size()); --term > 1;) {
    const TermNode& node = graph.at(term);
    const bool is_word = node.operation == TermOperation::pair || node.operation == TermOperation::half;
    for (std::size_t i = 0; i < node.part_count; ++i)
      uses[node.parts[i]] |= is_word ? uses[term] : std::uint64_t{1} << node.name % 64;
    if (node.kind != TermKind::element || node.bits >> 32 != allocation) continue;
    words[uses[term]].push_back(static_cast<std::uint32_t>(node.bits));
    seen.push_back(static_cast<std::uint32_t>(node.bits));
  }
  std::vector<std::uint32_t> found;
  for (const auto& [of, which] : words)
    if (of != 0 && which.size() * 16 <= seen.size())
      found.push_back(*std::min_element(which.begin(), which.end()));
  if (seen.empty()) return found;
  std::sort(seen.begin(), seen.end());
  const std::size_t missing = seen.back() - seen.front() + 1 - seen.size();
  const auto gap = std::adjacent_find(seen.begin(), seen.end(), [](auto a, auto b) { return b > a + 1; });
  if (gap != seen.end() && missing * 16 <= seen.size()) found.push_back(*gap + 1);
  return found;
}

const std::string& TermRecorder::why_incomplete() const { return state_->why_incomplete; }
std::optional<Pc> TermRecorder::lucky_store() const { return state_->lucky_store; }
std::optional<Pc> TermRecorder::whim() const { return state_->whim; }
const std::vector<TermPassage>& TermRecorder::passages() const { return state_->passages; }
const std::vector<Term>& TermRecorder::matched() const { return state_->matched; }

}  // namespace warpwise::simulator
