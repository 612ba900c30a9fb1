#include "races.hpp"

#include <algorithm>

namespace warpwise::simulator::observe {

namespace {

constexpr std::uint32_t word_bytes = 4;
constexpr std::uint32_t lane_bits = 5;
constexpr std::uint32_t last_event = (1u << (32 - lane_bits)) - 1;
/// An epoch with more events forgets its beginning: a kernel without barriers must not eat the memory.
constexpr std::size_t most_events = std::size_t{1} << 22;

}  // namespace

/// One access on its way through the cells: what enter() asks for.
struct SharedRaces::Visit {
  SharedRaces& races;
  const StrongUses& uses;
  const WarpContext& warp;
  const Access& access;
  bool is_write;
  Touch me{};
  std::uint64_t address = 0;
  std::uint32_t length = word_bytes;  ///< bytes of the piece at `address`
  std::optional<Race> race{};

  bool is_live(Stamp stamp) const { return stamp >= races.floor_; }
  Touch touch_of(Stamp stamp) const {
    const Event& event = races.events_[(stamp >> lane_bits) - races.first_event_];
    const std::uint32_t lane = stamp & (warp_size - 1);
    return {{races.order_.block(), races.order_.epoch(), event.time, event.warp, lane},
            event.pc,
            event.is_strong,
            false,
            event.is_of_several_words};
  }
  bool is_ordered(const Touch& other) const {
    if (races.order_.is_ordered(other.when, me.when.warp, me.when.lane)) return true;
    return other.is_strong &&
           races.order_.is_ordered_by_flag(other.when, access.space, address, me.when, me.is_strong);
  }
  bool is_ordered_quickly(const Touch& other) const {
    return other.when.warp == me.when.warp && other.when.time < me.when.time &&
           races.order_.is_ordered(other.when, me.when.warp, me.when.lane);
  }
  /// Nobody can race with such an access now: it is of an earlier epoch, or this very thread's.
  bool is_dead_or_mine(Stamp stamp) const {
    return !is_live(stamp) || ((stamp & (warp_size - 1)) == me.when.lane &&
                               races.events_[(stamp >> lane_bits) - races.first_event_].warp == warp.warp);
  }
  void on_race(const Touch& other, bool other_writes) {
    if (race) return;
    std::uint64_t where = address;
    if (other_writes && is_write && access.value != nullptr) {
      // Two threads that store the same value do no harm, whoever comes first.
      const auto shared = warp.block->shared;
      const std::byte* const there = address + length <= shared.size() ? shared.data() + address : nullptr;
      const std::uint64_t difference = first_difference(access, me, other, address, length, there);
      if (difference >= length) return;
      where += difference / races.granule_ * races.granule_;
    }
    race = Race{other, me, other_writes, is_write, where};
  }
  void enter_lanes(LaneMask lanes, Stamp stamp) {
    // Of one's own, since the compiler must take it that a store to a cell changes the members.
    RaceCell<Stamp>* const words = races.words_.data();
    const std::size_t count = races.words_.size();
    const Stamp floor = races.floor_;
    for (const std::uint32_t lane : lanes_in(lanes)) {
      const std::uint64_t start = access.address[lane], end = start + access.bytes;
      if (start % word_bytes != 0 || access.bytes % word_bytes != 0) {
        enter_pieces(lane, start, end, stamp);
        continue;
      }
      for (std::size_t word = start / word_bytes; word < end / word_bytes && word < count; ++word) {
        RaceCell<Stamp>& cell = words[word];
        const bool is_fresh = std::max({cell.write, cell.other_write, cell.read, cell.other_read}) < floor;
        if (is_fresh && is_write)
          cell = {stamp + lane, 0, 0, 0};
        else if (is_fresh)
          cell.read = stamp + lane;
        else if (races.is_split(word))
          enter_pieces(lane, word * word_bytes, (word + 1) * word_bytes, stamp);
        else
          enter_cell(cell, lane, word * word_bytes, word_bytes, stamp);
      }
    }
  }
  void enter_pieces(std::uint32_t lane, std::uint64_t start, std::uint64_t end, Stamp stamp) {
    const std::uint32_t granule = races.granule_;
    for (std::uint64_t at = start; at < end && at / word_bytes < races.words_.size(); at += granule) {
      races.split(at / word_bytes, stamp);
      enter_cell(races.pieces_[at / granule], lane, at, granule, stamp);
    }
  }
  void enter_cell(RaceCell<Stamp>& cell, std::uint32_t lane, std::uint64_t at, std::uint32_t bytes,
                  Stamp stamp) {
    me.when.lane = lane;
    address = at;
    length = bytes;
    const bool is_mine = !me.is_strong && is_dead_or_mine(cell.write) && is_dead_or_mine(cell.other_write) &&
                         is_dead_or_mine(cell.read) && (!is_write || is_dead_or_mine(cell.other_read));
    if (!is_mine) {
      enter(cell, stamp + lane, me, is_write, *this);
    } else if (is_write) {
      cell = {stamp + lane, 0, 0, 0};
    } else {
      cell.read = stamp + lane;
    }
  }
};

SharedRaces::SharedRaces(BlockOrder& order, const StrongUses& uses, std::uint32_t granule,
                         std::uint32_t bytes)
    : order_(order), uses_(uses), granule_(granule), words_((bytes + word_bytes - 1) / word_bytes) {
  if (granule == word_bytes) return;
  pieces_.resize(words_.size() * word_bytes / granule);
  split_.resize(words_.size());
}

/// The word is watched in pieces from now on; `stamp` is that of the access which asks for it.
void SharedRaces::split(std::size_t word, Stamp stamp) {
  if (is_split(word)) return;
  split_[word] = floor_;
  const std::size_t pieces = word_bytes / granule_;
  std::fill_n(pieces_.begin() + static_cast<std::ptrdiff_t>(word * pieces), pieces, words_[word]);
  // Live, and of lane 1 in all four: so that the word is not taken for a fresh one, nor by
  // are_of_same_lanes() for what the lanes of one warp have left.
  const Stamp mark = stamp | 1;
  words_[word] = {mark, mark, mark, mark};
}

void SharedRaces::begin_epoch() {
  first_event_ += static_cast<std::uint32_t>(events_.size());
  events_.clear();
  floor_ = first_event_ << lane_bits;
}

SharedRaces::Stamp SharedRaces::begin_event(const WarpContext& warp, const Access& access,
                                            AccessShape shape) {
  if (events_.size() >= most_events) begin_epoch();
  if (first_event_ + events_.size() >= last_event) {  // numbers are spent: begin anew
    std::fill(words_.begin(), words_.end(), RaceCell<Stamp>{});
    std::fill(split_.begin(), split_.end(), 0);
    events_.clear();
    first_event_ = 1;
    floor_ = first_event_ << lane_bits;
  }
  Event event{order_.time(warp.warp), access.pc, warp.warp, is_atomic(access.kind), false};
  if (access.ordering != Ordering::weak) {
    event.is_strong = true;
    event.is_of_several_words = shape != AccessShape::uniform;
  }
  events_.push_back(event);
  return static_cast<Stamp>(first_event_ + events_.size() - 1) << lane_bits;
}

/// The four stamps of the cells of neighbouring words, touched in this epoch by the same lanes of this warp
/// alone: a thread that reads, adds and stores again. `cells` has warp_size entries.
bool SharedRaces::are_of_same_lanes(const RaceCell<Stamp>* cells, std::uint32_t warp) const {
  const RaceCell<Stamp>& first = cells[0];
  Stamp expected[] = {first.write, first.other_write, first.read, first.other_read};
  for (Stamp& stamp : expected) {
    if (stamp < floor_) {
      stamp = 0;  // with no lane added does it become a live one
      continue;
    }
    if ((stamp & (warp_size - 1)) != 0 || events_[(stamp >> lane_bits) - first_event_].warp != warp)
      return false;
  }
  bool is_other = false;
  for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
    const RaceCell<Stamp>& cell = cells[lane];
    is_other |= (cell.write >= floor_) & (cell.write != expected[0] + lane);
    is_other |= (cell.other_write >= floor_) & (cell.other_write != expected[1] + lane);
    is_other |= (cell.read >= floor_) & (cell.read != expected[2] + lane);
    is_other |= (cell.other_read >= floor_) & (cell.other_read != expected[3] + lane);
  }
  return !is_other;
}

/// The common case at the price of a few vector instructions: neighbouring words, or pieces, that nobody but
/// the same lane has touched in this epoch. Returns false, with nothing entered, where it is not that.
bool SharedRaces::enter_consecutive(const WarpContext& warp, const Access& access, Stamp stamp) {
  const std::uint64_t start = access.address[0];
  if (start % access.bytes != 0 || start / word_bytes + warp_size > words_.size()) return false;
  const bool is_of_words = access.bytes == word_bytes;
  if (!is_of_words) {
    const std::uint64_t last = start + std::uint64_t{warp_size} * access.bytes - 1;
    for (std::size_t word = start / word_bytes; word <= last / word_bytes; ++word) split(word, stamp);
  }
  RaceCell<Stamp>* const cells = (is_of_words ? words_ : pieces_).data() + start / access.bytes;
  Stamp latest = 0;
  for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
    const RaceCell<Stamp>& cell = cells[lane];
    latest = std::max(latest,
                      std::max(std::max(cell.write, cell.other_write), std::max(cell.read, cell.other_read)));
  }
  const bool is_fresh = latest < floor_;
  if (!is_fresh && (events_.back().is_strong || !are_of_same_lanes(cells, warp.warp))) return false;
  if (access.kind == AccessKind::load) {
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) cells[lane].read = stamp + lane;
  } else {
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) cells[lane] = {stamp + lane, 0, 0, 0};
  }
  return true;
}

std::optional<Race> SharedRaces::check(const WarpContext& warp, const Access& access, AccessShape shape) {
  if (access.lanes == 0) return std::nullopt;
  const Stamp stamp = begin_event(warp, access, shape);
  if (shape == AccessShape::consecutive && access.lanes == all_lanes &&
      (access.bytes == word_bytes || access.bytes == granule_) && enter_consecutive(warp, access, stamp)) {
    return std::nullopt;
  }
  const Event& event = events_.back();
  Visit visit{*this, uses_, warp, access, access.kind != AccessKind::load};
  visit.me = {order_.now(warp.warp, 0), access.pc, event.is_strong, false, event.is_of_several_words};
  if (shape == AccessShape::uniform && (access.kind == AccessKind::load || access.value == nullptr)) {
    // Of many lanes that do the same to one word, two are enough to find whatever conflicts with any.
    const std::uint32_t last = warp_size - 1 - static_cast<std::uint32_t>(std::countl_zero(access.lanes));
    visit.enter_lanes(lane_bit(lowest_lane(access.lanes)) | lane_bit(last), stamp);
  } else {
    visit.enter_lanes(access.lanes, stamp);
  }
  return visit.race;
}

}  // namespace warpwise::simulator::observe
