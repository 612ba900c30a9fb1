#include "happens_before.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory_resource>
#include <set>

namespace warpwise::simulator::observe {

namespace {

/// Beyond so many steps a search gives up and assumes that there is an order.
constexpr std::size_t longest_search = 4096;

/// The place in `acquired` that names `variable`, or its size; `guess` is looked at first. Lists that are
/// compared mostly have the same variables in the same order.
std::size_t place_of(const std::vector<Knowledge::Acquired>& acquired, const SyncVariablePointer& variable,
                     std::size_t guess) {
  if (guess < acquired.size() && acquired[guess].variable == variable) return guess;
  const auto found = std::find_if(acquired.begin(), acquired.end(), [&](const Knowledge::Acquired& known) {
    return known.variable == variable;
  });
  return static_cast<std::size_t>(found - acquired.begin());
}

/// Goes through all that `knowledge` leads to, each piece once, until `is_found(known)` or
/// `is_found_behind(acquired, next)` is true, which adds to `next` what was known there. True as well where
/// somebody knows everything, and where there is too much to search through.
template <class IsFound, class IsFoundBehind>
bool search(const KnowledgePointer& knowledge, IsFound is_found, IsFoundBehind is_found_behind) {
  if (!knowledge) return false;
  std::byte room[std::size_t{1} << 15];
  std::pmr::monotonic_buffer_resource memory(room, sizeof room);
  std::vector<const Knowledge*> next{
      knowledge.get()};  // alive as long as `knowledge`: no log forgets in a launch
  std::pmr::set<const Knowledge*> seen(&memory);
  std::pmr::map<const SyncVariable*, std::uint64_t> searched(&memory);  // up to which position
  for (std::size_t i = 0; i < next.size(); ++i) {
    const Knowledge* const known = next[i];
    if (!seen.insert(known).second) continue;
    if (known->is_everything || seen.size() > longest_search || is_found(*known)) return true;
    for (const KnowledgePointer& parent : known->parents) next.push_back(parent.get());
    for (const Knowledge::Acquired& acquired : known->acquired) {
      std::uint64_t& position = searched[acquired.variable.get()];
      if (acquired.position <= position) continue;  // positions count from 1
      position = acquired.position;
      if (is_found_behind(acquired, next)) return true;
    }
  }
  return false;
}

}  // namespace

bool FenceMark::covers(const Moment& then, std::uint32_t warp, std::uint32_t lane) const {
  if (then.epoch < epoch) return true;
  if (then.epoch != epoch || then.warp != warp) return false;
  return then.time <= warp_time || (then.lane == lane && then.time <= time);
}

bool Release::covers(const Moment& then, bool is_same_block) const {
  if (then.epoch < fenced_epoch) return true;
  return (is_same_block ? in_block : everywhere).covers(then, warp, lane);
}

void SyncVariable::add(Release release) {
  const std::lock_guard lock(mutex_);
  release.position = ++position_;
  if (release.knowledge) {
    const bool is_news = knowledge_.empty() || knowledge_.back().second != release.knowledge;
    if (is_news) knowledge_.emplace_back(release.position, release.knowledge);
  }
  std::vector<Release>& of_block = by_block_[release.block];
  if (!of_block.empty()) {
    // A loop that sets the same flag again without a new fence says nothing new.
    const Release& last = of_block.back();
    const bool is_same = last.warp == release.warp && last.lane == release.lane &&
                         last.in_block.epoch == release.in_block.epoch &&
                         last.in_block.time == release.in_block.time &&
                         last.fenced_epoch == release.fenced_epoch && last.knowledge == release.knowledge;
    if (is_same) return;
  }
  of_block.push_back(std::move(release));
}

std::uint64_t SyncVariable::position() const {
  const std::lock_guard lock(mutex_);
  return position_;
}

bool SyncVariable::covers(const Moment& then, bool is_same_block, std::uint64_t position,
                          std::vector<const Knowledge*>& next) const {
  const std::lock_guard lock(mutex_);
  if (const auto found = by_block_.find(then.block); found != by_block_.end()) {
    for (const Release& release : found->second) {
      if (release.position <= position && release.covers(then, is_same_block)) return true;
    }
  }
  add_knowledge(position, next);
  return false;
}

void SyncVariable::note_epochs(std::uint64_t position,
                               std::unordered_map<std::uint64_t, std::uint32_t>& below,
                               std::vector<const Knowledge*>& next) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [block, releases] : by_block_) {
    for (const Release& release : releases) {
      if (release.position > position) continue;
      std::uint32_t& known = below[block];
      known = std::max({known, release.fenced_epoch, release.everywhere.epoch});
    }
  }
  add_knowledge(position, next);
}

void SyncVariable::add_knowledge(std::uint64_t position, std::vector<const Knowledge*>& next) const {
  for (const auto& [at, knowledge] : knowledge_) {
    if (at > position) break;  // they ascend
    next.push_back(knowledge.get());
  }
}

void SyncVariable::forget() {
  const std::lock_guard lock(mutex_);
  by_block_.clear();
  knowledge_.clear();
}

SyncVariablePointer SyncVariables::at(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  SyncVariablePointer& variable = variables_[address];
  if (variable) return variable;
  variable = std::make_shared<SyncVariable>();
  if (all_.size() >= all_limit_) {
    std::erase_if(all_, [](const auto& each) { return each.expired(); });
    all_limit_ = std::max(all_limit_, 2 * all_.size());
  }
  all_.push_back(variable);
  return variable;
}

SyncVariablePointer SyncVariables::find(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = variables_.find(address);
  return found == variables_.end() ? nullptr : found->second;
}

SyncVariables::~SyncVariables() {
  std::vector<SyncVariablePointer> alive;  // until all have forgotten: so no chain of them falls at once
  for (const auto& each : all_) {
    if (SyncVariablePointer variable = each.lock()) alive.push_back(std::move(variable));
  }
  for (const SyncVariablePointer& variable : alive) variable->forget();
}

void SyncVariables::clear() {
  const std::lock_guard lock(mutex_);
  variables_.clear();
}

bool Knowledge::Meeting::covers(const Moment& then) const {
  if (then.block != when.block || then.warp != when.warp || then.epoch > when.epoch) return false;
  if (then.epoch < when.epoch || then.time <= warp_time) return true;
  return (lanes >> then.lane & 1) != 0 && then.time <= when.time;
}

bool reaches(const KnowledgePointer& knowledge, std::uint64_t block, const Moment& then) {
  const auto has_met = [&](const Knowledge& known) {
    return std::any_of(known.met.begin(), known.met.end(),
                       [&](const Knowledge::Meeting& meeting) { return meeting.covers(then); });
  };
  return search(knowledge, has_met,
                [&](const Knowledge::Acquired& acquired, std::vector<const Knowledge*>& next) {
                  return acquired.variable->covers(then, then.block == block, acquired.position, next);
                });
}

EpochsKnown::EpochsKnown(const KnowledgePointer& knowledge) {
  is_everything_ = search(
      knowledge, [](const Knowledge&) { return false; },
      [&](const Knowledge::Acquired& acquired, std::vector<const Knowledge*>& next) {
        acquired.variable->note_epochs(acquired.position, below_, next);
        return false;
      });
  if (is_everything_) below_.clear();
}

bool EpochsKnown::covers(const Moment& then) const {
  if (is_everything_) return true;
  const auto found = below_.find(then.block);
  return found != below_.end() && then.epoch < found->second;
}

void add_acquired(std::vector<Knowledge::Acquired>& acquired, const std::vector<Knowledge::Acquired>& added) {
  std::size_t guess = 0;
  for (const Knowledge::Acquired& each : added) {
    const std::size_t at = place_of(acquired, each.variable, guess);
    if (at == acquired.size())
      acquired.push_back(each);
    else
      acquired[at].position = std::max(acquired[at].position, each.position);
    guess = at + 1;
  }
}

bool contains(const std::vector<Knowledge::Acquired>& acquired,
              const std::vector<Knowledge::Acquired>& others) {
  std::size_t guess = 0;
  return std::all_of(others.begin(), others.end(), [&](const Knowledge::Acquired& other) {
    const std::size_t at = place_of(acquired, other.variable, guess);
    guess = at + 1;
    return at != acquired.size() && acquired[at].position >= other.position;
  });
}

KnowledgePointer with_acquired(const KnowledgePointer& knowledge,
                               const std::vector<Knowledge::Acquired>& added) {
  Knowledge grown = knowledge ? *knowledge : Knowledge{};
  add_acquired(grown.acquired, added);
  return std::make_shared<const Knowledge>(std::move(grown));
}

KnowledgePointer merged(const std::vector<KnowledgePointer>& all) {
  Knowledge together;
  std::vector<KnowledgePointer> next;
  std::set<const Knowledge*> seen;
  for (const KnowledgePointer& knowledge : all) {
    if (knowledge) next.push_back(knowledge);
  }
  if (next.empty()) return nullptr;
  for (std::size_t i = 0; i < next.size(); ++i) {
    const KnowledgePointer known = next[i];
    if (!seen.insert(known.get()).second) continue;
    together.is_everything |= known->is_everything;
    add_acquired(together.acquired, known->acquired);
    next.insert(next.end(), known->parents.begin(), known->parents.end());
  }
  if (seen.size() == 1 && next.front()->met.empty()) return next.front();
  if (together.acquired.empty() && !together.is_everything) return nullptr;
  return std::make_shared<const Knowledge>(std::move(together));
}

}  // namespace warpwise::simulator::observe
