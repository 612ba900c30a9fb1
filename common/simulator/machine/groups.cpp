/// \file Which group of a warp runs next, under each schedule.

#include <algorithm>

#include "block.hpp"
#include "worker.hpp"

namespace warpwise::simulator::machine {

Group& Warp::add_group(Frame* frame, Pc pc, LaneMask mask) {
  Group& group = groups_[group_count_++];
  group = Group{};
  group.frame = frame;
  group.pc = pc;
  group.mask = mask;
  return group;
}

void Warp::remove_group(Group& group) {
  const Group& last = groups_[--group_count_];
  if (&group != &last) group = last;
}

Group* Warp::group_of(std::uint32_t lane) {
  for (Group& group : groups())
    if (group.mask & lane_bit(lane)) return &group;
  return nullptr;
}

void Warp::merge_ready() {
  for (std::uint32_t i = 0; i < group_count_; ++i) {
    if (groups_[i].state != Group::State::ready) continue;
    for (std::uint32_t k = group_count_; k-- > i + 1;) {
      Group& other = groups_[k];
      if (other.state != Group::State::ready || other.pc != groups_[i].pc || other.frame != groups_[i].frame)
        continue;
      groups_[i].mask |= other.mask;
      groups_[i].has_yielded &= other.has_yielded;
      groups_[i].is_stuck &= other.is_stuck;
      remove_group(other);
    }
  }
}

Group* Warp::select() {
  if (group_count_ == 1 && schedule_ != Schedule::Kind::split) {
    Group& only = groups_[0];
    if (only.state != Group::State::ready || only.has_yielded) return nullptr;
    if (schedule_ == Schedule::Kind::lockstep) return select_lockstep();
    limit_ = no_pc;
    return &only;
  }
  switch (schedule_) {
    case Schedule::Kind::converged:
      return select_converged();
    case Schedule::Kind::lockstep:
      return select_lockstep();
    case Schedule::Kind::split:
      break;
  }
  return select_at_random();
}

namespace {

/// Deepest call first, then lowest pc. Lanes that are about to leave the kernel come before all: nobody need
/// wait for them.
bool comes_before(const Group& a, const Group& b, const Code& code) {
  const auto leaves = [&](const Group& g) {
    return code.instructions[g.pc].kind == Kind::exit && code.instructions[g.pc].guard == no_row;
  };
  if (leaves(a) != leaves(b)) return leaves(a);
  if (a.frame->depth != b.frame->depth) return a.frame->depth > b.frame->depth;
  return a.pc < b.pc;
}

}  // namespace

void Warp::set_limit(const Group& chosen) {
  limit_ = no_pc;
  for (const Group& group : groups())
    if (&group != &chosen && group.state == Group::State::ready && group.pc > chosen.pc &&
        group.frame->depth == chosen.frame->depth)
      limit_ = std::min(limit_, group.pc);
}

Group* Warp::select_converged() {
  merge_ready();
  Group* best = nullptr;
  for (Group& group : groups())
    if (group.state == Group::State::ready && !group.has_yielded &&
        (best == nullptr || comes_before(group, *best, code_)))
      best = &group;
  if (best != nullptr) set_limit(*best);
  return best;
}

/// True where `group` stands at a meeting point that others have not reached. Points that are complete go.
bool Warp::waits_at_meeting(const Group& group) {
  for (std::size_t i = meetings_.size(); i-- > 0;) {
    Meeting& meeting = meetings_[i];
    if (meeting.frame != group.frame || meeting.pc != group.pc || !(meeting.lanes & group.mask)) continue;
    if (meeting.lanes & ~group.mask & ~context_.exited) return true;
    meetings_.erase(meetings_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return false;
}

Group* Warp::select_lockstep() {
  for (;;) {
    merge_ready();
    Group* best = nullptr;
    bool has_waiting = false;
    for (Group& group : groups()) {
      if (group.state != Group::State::ready || group.has_yielded) continue;
      if (waits_at_meeting(group)) {
        has_waiting = true;
      } else if (best == nullptr || comes_before(group, *best, code_)) {
        best = &group;
      }
    }
    if (best != nullptr) {
      set_limit(*best);
      for (const Meeting& meeting : meetings_)
        if (meeting.frame == best->frame && meeting.pc > best->pc) limit_ = std::min(limit_, meeting.pc);
      return best;
    }
    // Only lanes that wait for others which cannot run, or poll: hardware would hang, we let them pass.
    if (!has_waiting || meetings_.empty()) return nullptr;
    meetings_.pop_back();
  }
}

/// SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
std::uint64_t Warp::random() {
  std::uint64_t z = random_state_ += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

Group* Warp::select_at_random() {
  std::array<std::uint32_t, warp_size> ready;
  std::uint32_t ready_count = 0;
  for (std::uint32_t i = 0; i < group_count_; ++i)
    if (groups_[i].state == Group::State::ready && !groups_[i].has_yielded) ready[ready_count++] = i;
  if (ready_count == 0) return nullptr;
  const std::uint64_t dice = random();
  const std::uint32_t chosen = ready[dice % ready_count];
  limit_ = groups_[chosen].pc + 1 + static_cast<Pc>(dice >> 32 & 7);
  const LaneMask subset = static_cast<LaneMask>(random()) & groups_[chosen].mask;
  // One turn in four splits; more than eight groups of 32 lanes would only cost time.
  if ((dice >> 40 & 3) == 0 && group_count_ < 8 && subset != 0 && subset != groups_[chosen].mask) {
    add_group(groups_[chosen].frame, groups_[chosen].pc, groups_[chosen].mask & ~subset);
    groups_[chosen].mask = subset;
  }
  return &groups_[chosen];
}

}  // namespace warpwise::simulator::machine
