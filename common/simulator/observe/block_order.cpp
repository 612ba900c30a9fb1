#include "block_order.hpp"

#include <algorithm>
#include <utility>

namespace warpwise::simulator::observe {

namespace {

/// A lane whose warp has read more variables than this without a fence is taken to know everything.
constexpr std::size_t most_pending = 1024;

bool acquires(Ordering ordering) { return ordering == Ordering::acquire || ordering == Ordering::acq_rel; }
bool releases(Ordering ordering) { return ordering == Ordering::release || ordering == Ordering::acq_rel; }

}  // namespace

BlockOrder::BlockOrder(SyncVariables& global_variables, bool has_fences)
    : global_variables_(global_variables), has_fences_(has_fences), arrivals_(barriers_per_block) {}

void BlockOrder::begin(const BlockContext& block) {
  block_ = block.linear;
  threads_ = block.threads;
  epoch_ = 1;
  fenced_epoch_ = 0;
  has_fenced_everywhere_ = false;
  block_knowledge_.reset();
  knowledge_.clear();
  if (asked_.front().knowledge) {
    for (Asked& asked : asked_) asked = {};
    next_asked_ = 0;
  }
  for (auto& arrivals : arrivals_) arrivals.clear();
  if (!has_fences_ && warps_.size() == block.warps) {
    // All that was used.
    for (Warp& warp : warps_) warp.time = 1, warp.warp_time = 0, warp.exchanges = {}, warp.sharing = 0;
    return;
  }
  warps_.assign(block.warps, Warp{});
  shared_variables_.clear();
}

void BlockOrder::set_knowledge(std::uint32_t thread, KnowledgePointer known) {
  if (knowledge_.empty()) knowledge_.assign(warps_.size() * warp_size, block_knowledge_);
  knowledge_[thread] = std::move(known);
  warps_[thread / warp_size].sharing = 0;
}

const KnowledgePointer& BlockOrder::known_by(std::uint32_t thread) const {
  return knowledge_.empty() ? block_knowledge_ : knowledge_[thread];
}

void BlockOrder::mark_fence(Warp& warp, Scope scope, LaneMask lanes) {
  const bool is_everywhere = scope == Scope::gpu || scope == Scope::sys;
  const FenceMark mark{epoch_, warp.time, warp.warp_time};
  for (const std::uint32_t lane : lanes_in(lanes)) {
    warp.in_block[lane] = mark;
    if (is_everywhere) warp.everywhere[lane] = mark;
  }
  has_fenced_everywhere_ |= is_everywhere;
  ++warp.time;
}

void BlockOrder::on_fence(std::uint32_t warp, Scope scope, LaneMask lanes) {
  acquire(warp, lanes, false);
  mark_fence(warps_[warp], scope, lanes);
}

void BlockOrder::acquire_now(std::uint32_t warp) {
  warps_[warp].has_acquired = false;
  acquire(warp, all_lanes, true);
}

/// What `lanes` read before becomes known to them.
void BlockOrder::acquire(std::uint32_t warp, LaneMask lanes, bool only_acquiring) {
  std::vector<Pending>& pending = warps_[warp].pending;
  if (pending.empty()) return;
  struct Found {
    Knowledge::Acquired what;
    LaneMask lanes;
  };
  std::vector<Found> found;
  for (Pending& read : pending) {
    if ((read.lanes & lanes) == 0 || (only_acquiring && !read.is_acquire)) continue;
    if (const SyncVariablePointer variable = variables_of(read.is_shared).find(read.address))
      if (const std::uint64_t position = variable->position())
        found.push_back({{variable, position}, read.lanes & lanes});
    read.lanes &= ~lanes;
  }
  std::erase_if(pending, [](const Pending& read) { return read.lanes == 0; });
  if (found.empty()) return;

  for (LaneMask rest = lanes; rest != 0;) {
    // Lanes that knew the same and read the same.
    const std::uint32_t first = lowest_lane(rest);
    const KnowledgePointer known = known_by(warp * warp_size + first);
    LaneMask same = 0;
    for (const std::uint32_t lane : lanes_in(rest))
      if (known_by(warp * warp_size + lane) == known) same |= lane_bit(lane);
    std::vector<Knowledge::Acquired> added;
    for (const Found& each : found) {
      const bool has_read = (each.lanes >> first & 1) != 0;
      same &= has_read ? each.lanes : ~each.lanes;
      if (has_read) added.push_back(each.what);
    }
    rest &= ~same;
    if (added.empty()) continue;
    const KnowledgePointer grown = with_acquired(known, added);
    for (const std::uint32_t lane : lanes_in(same)) set_knowledge(warp * warp_size + lane, grown);
  }
}

void BlockOrder::on_warp_barrier(std::uint32_t warp, LaneMask lanes, LaneMask exited) {
  Warp& state = warps_[warp];
  const bool is_whole_warp = (lanes | exited) == all_lanes;
  if (is_whole_warp && knowledge_.empty()) {
    state.warp_time = state.time++;
    return;
  }
  meet({{warp, state.time, lanes, true}});
  if (is_whole_warp) state.warp_time = state.time;
  ++state.time;
}

/// Strictly, only __syncwarp() hands on what a lane has acquired. But a lane that waits for a flag and then
/// passes that on by a shuffle is what cooperative groups do, and works on every GPU: accepted. What the
/// lanes of the warp wrote themselves stays unordered, as it is on a GPU.
void BlockOrder::share_acquired(std::uint32_t warp, LaneMask lanes) {
  Warp& state = warps_[warp];
  if ((lanes & ~state.sharing) == 0) return;
  Knowledge together;
  const Knowledge* last = nullptr;
  for (const std::uint32_t lane : lanes_in(lanes)) {
    const Knowledge* const known = known_by(warp * warp_size + lane).get();
    if (known != nullptr && known != last) add_acquired(together.acquired, known->acquired);
    last = known;
  }
  KnowledgePointer shared;  // of all lanes that know nothing else
  for (const std::uint32_t lane : lanes_in(together.acquired.empty() ? 0 : lanes)) {
    KnowledgePointer known = known_by(warp * warp_size + lane);
    const bool has_more = known && (!known->met.empty() || !known->parents.empty() || known->is_everything);
    if (has_more) {
      if (!contains(known->acquired, together.acquired)) known = with_acquired(known, together.acquired);
    } else {
      if (!shared)
        shared = known && contains(known->acquired, together.acquired)
                     ? known
                     : with_acquired(nullptr, together.acquired);
      known = shared;
    }
    set_knowledge(warp * warp_size + lane, std::move(known));
  }
  state.sharing = lanes;
}

std::vector<Pc> BlockOrder::exchanges_since(const Moment& then) const {
  std::vector<Pc> found;
  for (const Exchange& exchange : warps_[then.warp].exchanges)
    if (exchange.epoch == then.epoch && exchange.time >= then.time) found.push_back(exchange.pc);
  return found;
}

void BlockOrder::on_barrier_arrive(std::uint32_t warp, std::uint32_t barrier, LaneMask lanes,
                                   bool is_waiting) {
  if (barrier >= barriers_per_block) return;
  // bar.sync counts as a fence for what was read before it (PTX ISA 9.7.13.1: it orders memory accesses).
  acquire(warp, lanes, false);
  arrivals_[barrier].push_back({warp, warps_[warp].time, lanes, is_waiting});
  ++warps_[warp].time;
}

bool BlockOrder::on_barrier_release(std::uint32_t barrier, bool is_whole_block) {
  if (barrier >= barriers_per_block) return false;
  std::vector<Arrival> arrivals;
  arrivals.swap(arrivals_[barrier]);
  const bool all_wait = std::all_of(arrivals.begin(), arrivals.end(),
                                    [](const Arrival& arrival) { return arrival.is_waiting; });
  if (is_whole_block && all_wait) {
    begin_epoch();
    arrivals.clear();
    arrivals.swap(arrivals_[barrier]);  // keeps its room
    return true;
  }
  meet(arrivals);
  return false;
}

void BlockOrder::begin_epoch() {
  ++epoch_;
  // Strictly, a fence orders only what its own thread does later. That a barrier hands it on to the thread
  // which sets the flag is common practice, and works on every GPU: accepted.
  if (has_fenced_everywhere_) fenced_epoch_ = epoch_;
  has_fenced_everywhere_ = false;
  if (knowledge_.empty()) return;
  knowledge_.push_back(block_knowledge_);
  block_knowledge_ = merged(knowledge_);
  knowledge_.clear();
}

/// The waiting lanes of `arrivals` get to know what all lanes of it did, and what they knew.
void BlockOrder::meet(const std::vector<Arrival>& arrivals) {
  Knowledge together;
  for (const Arrival& arrival : arrivals) {
    const Moment when{block_, epoch_, arrival.time, arrival.warp, 0};
    together.met.push_back({when, arrival.lanes, warps_[arrival.warp].warp_time});
    for (const std::uint32_t lane : lanes_in(arrival.lanes)) {
      const KnowledgePointer& known = known_by(arrival.warp * warp_size + lane);
      if (!known) continue;
      const auto& parents = together.parents;
      if (std::find(parents.begin(), parents.end(), known) == parents.end())
        together.parents.push_back(known);
    }
  }
  // The same lanes meeting again know all that the last meeting made known: keep the chain short.
  if (together.parents.size() == 1 && together.parents[0]->met.size() == together.met.size()) {
    const KnowledgePointer last = together.parents[0];
    const bool is_same_group = std::equal(last->met.begin(), last->met.end(), together.met.begin(),
                                          [](const Knowledge::Meeting& a, const Knowledge::Meeting& b) {
                                            return a.when.warp == b.when.warp && (a.lanes & ~b.lanes) == 0;
                                          });
    if (is_same_group) {
      together.parents = last->parents;
      together.acquired = last->acquired;
      together.is_everything = last->is_everything;
    }
  }
  const auto shared = std::make_shared<const Knowledge>(std::move(together));
  for (const Arrival& arrival : arrivals) {
    if (!arrival.is_waiting) continue;
    for (const std::uint32_t lane : lanes_in(arrival.lanes))
      set_knowledge(arrival.warp * warp_size + lane, shared);
  }
}

void BlockOrder::on_strong_access(std::uint32_t warp, const Access& access) {
  if (!has_fences_ && access.ordering != Ordering::acquire && !releases(access.ordering)) return;
  const bool is_shared = access.space == ptx::Space::shared;
  Warp& state = warps_[warp];
  const bool reads = access.kind == AccessKind::load || access.kind == AccessKind::atomic;
  const bool writes = access.kind != AccessKind::load;
  if (writes && releases(access.ordering)) mark_fence(state, access.scope, access.lanes);
  state.has_acquired |= reads && acquires(access.ordering);
  // A vector is as many accesses as it has elements (PTX ISA 8.2.2). A wide one is entered word by word,
  // since its conflicts may be looked for in parts.
  const std::uint32_t element_bytes =
      std::min(4u, static_cast<std::uint32_t>(access.bytes / access.elements));
  for (const std::uint32_t lane : lanes_in(access.lanes)) {
    const bool has_something = state.in_block[lane].epoch != 0 || fenced_epoch_ != 0;
    if (!reads && !has_something) continue;
    for (std::uint32_t byte = 0; byte < access.bytes; byte += element_bytes) {
      const std::uint64_t address = (access.address[lane] + byte) & ~std::uint64_t{3};
      if (writes && has_something) {
        variables_of(is_shared).at(address)->add({block_, 0, warp, lane, state.in_block[lane],
                                                  state.everywhere[lane], fenced_epoch_,
                                                  known_by(warp * warp_size + lane)});
      }
      if (reads) note_read(warp, {address, lane_bit(lane), is_shared, acquires(access.ordering)});
    }
  }
}

/// What lanes have read they acquire with their next fence, or, by an acquiring load, at once.
void BlockOrder::note_read(std::uint32_t warp, const Pending& read) {
  Warp& state = warps_[warp];
  std::vector<Pending>& pending = state.pending;
  const auto is_same = [&](const Pending& other) {
    return other.address == read.address && other.is_shared == read.is_shared &&
           other.is_acquire == read.is_acquire;
  };
  std::size_t at = state.next_pending;
  if (at >= pending.size() || !is_same(pending[at]))
    at = static_cast<std::size_t>(std::find_if(pending.begin(), pending.end(), is_same) - pending.begin());
  state.next_pending = at + 1;
  if (at < pending.size()) {
    pending[at].lanes |= read.lanes;
  } else if (pending.size() < most_pending) {
    pending.push_back(read);
  } else {
    Knowledge everything;
    everything.is_everything = true;
    const auto shared = std::make_shared<const Knowledge>(std::move(everything));
    for (const std::uint32_t lane : lanes_in(read.lanes)) set_knowledge(warp * warp_size + lane, shared);
  }
}

bool BlockOrder::is_ordered(const Moment& then, std::uint32_t warp, std::uint32_t lane) const {
  if (then.block == block_) {
    if (then.epoch < epoch_) return true;
    if (then.warp == warp && (then.lane == lane || then.time <= warps_[warp].warp_time)) return true;
  }
  const KnowledgePointer& known = known_by(warp * warp_size + lane);
  if (!known) return false;
  return (then.block != block_ && is_known_epoch(known, then)) || reaches(known, block_, then);
}

/// False where that takes a search.
bool BlockOrder::is_known_epoch(const KnowledgePointer& known, const Moment& then) const {
  const auto found = std::find_if(asked_.begin(), asked_.end(),
                                  [&](const Asked& asked) { return asked.knowledge == known; });
  if (found == asked_.end()) {
    asked_[next_asked_] = {known, nullptr};
    next_asked_ = (next_asked_ + 1) % asked_.size();
    return false;
  }
  if (!found->epochs) found->epochs = std::make_unique<const EpochsKnown>(known);
  return found->epochs->covers(then);
}

bool BlockOrder::is_ordered_by_flag(const Moment& then, ptx::Space space, std::uint64_t address,
                                    const Moment& me, bool me_is_strong) {
  return has_acquired_from(space, address, me.warp, me.lane) ||
         (me_is_strong && has_seen(then, me.warp, me.lane));
}

bool BlockOrder::has_acquired_from(ptx::Space space, std::uint64_t address, std::uint32_t warp,
                                   std::uint32_t lane) {
  const KnowledgePointer& known = known_by(warp * warp_size + lane);
  if (!known) return false;
  if (known->is_everything) return true;
  const SyncVariablePointer variable =
      variables_of(space == ptx::Space::shared).find(address & ~std::uint64_t{3});
  return variable &&
         std::any_of(known->acquired.begin(), known->acquired.end(),
                     [&](const Knowledge::Acquired& acquired) { return acquired.variable == variable; });
}

/// A strong access needs no fence of its own behind the flag that its thread has read.
bool BlockOrder::has_seen(const Moment& then, std::uint32_t warp, std::uint32_t lane) {
  std::vector<Knowledge::Acquired> seen;
  for (const Pending& read : warps_[warp].pending) {
    if ((read.lanes >> lane & 1) == 0) continue;
    if (const SyncVariablePointer variable = variables_of(read.is_shared).find(read.address))
      if (const std::uint64_t position = variable->position()) seen.push_back({variable, position});
  }
  return !seen.empty() && reaches(with_acquired(known_by(warp * warp_size + lane), seen), block_, then);
}

}  // namespace warpwise::simulator::observe
