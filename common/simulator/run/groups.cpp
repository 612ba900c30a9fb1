#include "groups.hpp"

namespace warpwise::simulator::run {

namespace {

constexpr std::uint32_t fruitless_limit = 64;   // backward branches of a group that polls
constexpr std::uint32_t turn_budget = 1 << 16;  // backward branches of any group while others wait
constexpr std::uint32_t look_period = 1 << 14;  // of them, between two looks at its state
constexpr std::uint32_t suspicious_yields = 4;  // of one that polls, before its state is looked at

}  // namespace

bool Group::jump_back() {
  if (has_polled) ++fruitless;
  has_polled = false;
  is_polling = fruitless >= fruitless_limit;
  if (!is_polling && ++turns % look_period != 0) return true;
  is_stuck = false;
  if (++yields >= suspicious_yields || !is_polling) look_for_repetition();
  if (!is_polling && !is_stuck && turns < turn_budget) return true;
  fruitless = turns = 0;
  has_yielded = true;
  return false;
}

void Groups::begin(Schedule::Kind schedule, std::uint64_t seed) {
  schedule_ = schedule;
  random_state_ = seed;
  meetings_.clear();
  count_ = 0;
}

Group& Groups::add(Frame* frame, Pc pc, LaneMask mask) {
  Group& group = groups_[count_++];
  group = Group{};
  group.frame = frame;
  group.pc = pc;
  group.mask = mask;
  return group;
}

void Groups::remove(Group& group) {
  const Group& last = groups_[--count_];
  if (&group != &last) group = last;
}

Group& Groups::split_off(Group& group, LaneMask away, Pc pc) {
  group.mask &= ~away;
  return add(group.frame, pc, away);
}

bool Groups::hold(LaneMask lanes) const {
  LaneMask held = 0;
  for (const Group& group : *this) {
    if (group.mask == 0 || (group.mask & held) != 0) return false;
    held |= group.mask;
  }
  return held == lanes;
}

Group* Groups::of_lane(std::uint32_t lane) {
  for (Group& group : *this)
    if (group.mask & lane_bit(lane)) return &group;
  return nullptr;
}

void Groups::merge_ready() {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (groups_[i].state != Group::State::ready) continue;
    for (std::uint32_t k = count_; k-- > i + 1;) {
      Group& other = groups_[k];
      if (other.state != Group::State::ready || other.pc != groups_[i].pc || other.frame != groups_[i].frame)
        continue;
      groups_[i].mask |= other.mask;
      groups_[i].has_yielded &= other.has_yielded;
      groups_[i].is_stuck &= other.is_stuck;
      remove(other);
    }
  }
}

void Groups::exit(Group& group) {
  for (Meeting& meeting : meetings_) meeting.lanes &= ~group.mask;
  std::erase_if(meetings_, [](const Meeting& meeting) { return meeting.lanes == 0; });
  remove(group);
}

void Groups::expect_meeting(const Group& group, Pc pc) {
  if (schedule_ == Schedule::Kind::lockstep && pc != no_pc)
    meetings_.push_back({group.frame, pc, group.mask});
}

bool Groups::rejoin(Group& group) {
  if (count_ != 2 || &group != &groups_[0] || schedule_ != Schedule::Kind::converged) return false;
  const Group& other = groups_[1];
  if (!other.can_run() || other.pc != group.pc || other.frame != group.frame) return false;
  group.mask |= other.mask;
  group.is_stuck &= other.is_stuck;
  count_ = 1;
  limit_ = no_pc;
  return true;
}

Group* Groups::select(LaneMask exited) {
  if (schedule_ == Schedule::Kind::split) return select_at_random();
  if (schedule_ == Schedule::Kind::lockstep) return select_lockstep(exited);
  if (count_ != 1) return select_converged();
  limit_ = no_pc;
  return groups_[0].can_run() ? &groups_[0] : nullptr;
}

bool Groups::is_at_exit(const Group& group) const {
  const Instruction& next = code_.instructions[group.pc];
  return next.kind == Kind::exit && next.guard == no_row;
}

/// Deepest call first, then lowest pc. Lanes that are about to leave the kernel come before all: nobody need
/// wait for them.
bool Groups::comes_before(const Group& a, const Group& b) const {
  if (is_at_exit(a) != is_at_exit(b)) return is_at_exit(a);
  if (a.frame->depth != b.frame->depth) return a.frame->depth > b.frame->depth;
  return a.pc < b.pc;
}

void Groups::set_limit(const Group& chosen) {
  limit_ = no_pc;
  for (const Group& group : *this)
    if (&group != &chosen && group.state == Group::State::ready && group.pc > chosen.pc &&
        group.frame->depth == chosen.frame->depth)
      lower_limit(group.pc);
}

Group* Groups::select_converged() {
  merge_ready();
  Group* best = nullptr;
  for (Group& group : *this)
    if (group.can_run() && (best == nullptr || comes_before(group, *best))) best = &group;
  if (best != nullptr) set_limit(*best);
  return best;
}

/// True where `group` stands at a meeting point that others have not reached. Points that are complete go.
bool Groups::waits_at_meeting(const Group& group, LaneMask exited) {
  for (std::size_t i = meetings_.size(); i-- > 0;) {
    Meeting& meeting = meetings_[i];
    if (meeting.frame != group.frame || meeting.pc != group.pc || !(meeting.lanes & group.mask)) continue;
    if (meeting.lanes & ~group.mask & ~exited) return true;
    meetings_.erase(meetings_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return false;
}

Group* Groups::select_lockstep(LaneMask exited) {
  for (;;) {
    merge_ready();
    Group* best = nullptr;
    bool has_waiting = false;
    for (Group& group : *this) {
      if (!group.can_run()) continue;
      if (waits_at_meeting(group, exited)) {
        has_waiting = true;
      } else if (best == nullptr || comes_before(group, *best)) {
        best = &group;
      }
    }
    if (best != nullptr) {
      set_limit(*best);
      for (const Meeting& meeting : meetings_)
        if (meeting.frame == best->frame && meeting.pc > best->pc) lower_limit(meeting.pc);
      return best;
    }
    // Only lanes that wait for others which cannot run, or poll: hardware would hang, we let them pass.
    if (!has_waiting || meetings_.empty()) return nullptr;
    meetings_.pop_back();
  }
}

/// SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
std::uint64_t Groups::random() {
  std::uint64_t z = random_state_ += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

Group* Groups::select_at_random() {
  std::array<std::uint32_t, warp_size> ready;
  std::uint32_t ready_count = 0;
  for (std::uint32_t i = 0; i < count_; ++i)
    if (groups_[i].can_run()) ready[ready_count++] = i;
  if (ready_count == 0) return nullptr;
  const std::uint64_t dice = random();
  Group& chosen = groups_[ready[dice % ready_count]];
  limit_ = chosen.pc + 1 + static_cast<Pc>(dice >> 32 & 7);
  const LaneMask subset = static_cast<LaneMask>(random()) & chosen.mask;
  // One turn in four splits; more than eight groups of 32 lanes would only cost time.
  if ((dice >> 40 & 3) == 0 && count_ < 8 && subset != 0 && subset != chosen.mask)
    split_off(chosen, chosen.mask & ~subset, chosen.pc);
  return &chosen;
}

}  // namespace warpwise::simulator::run
