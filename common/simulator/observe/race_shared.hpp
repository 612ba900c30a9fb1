#pragma once
/// \file Finds races in the shared memory of one block.

#include <cstdint>
#include <optional>
#include <vector>

#include "../observer.hpp"
#include "block_order.hpp"
#include "race_cell.hpp"

namespace warpwise::simulator::observe {

/// For one slot: one block at a time. Memory is watched in words of 4 bytes. A word that smaller accesses
/// touch is watched in pieces of `granule` bytes for the rest of the epoch: 1, 2 or 4, the size of the
/// program's smallest access to shared memory. With 4 no word is ever split.
class SharedRaces {
 public:
  /// `order` and `uses` outlive it.
  SharedRaces(BlockOrder& order, const StrongUses& uses, std::uint32_t granule, std::uint32_t bytes);

  /// The first race of this access with earlier ones. To be called before shared memory changes.
  std::optional<Race> check(const WarpContext& warp, const Access& access, AccessShape shape);
  /// All accesses so far are known to the whole block, or belong to a block that has ended.
  void begin_epoch();

 private:
  /// One warp instruction; a stamp is its number and a lane.
  struct Event {
    std::uint32_t time = 0;
    std::uint32_t pc = 0;
    std::uint32_t warp = 0;
    bool is_strong = false;
    bool is_of_several_words = false;
  };
  using Stamp = std::uint32_t;
  struct Visit;

  Stamp begin_event(const WarpContext& warp, const Access& access, AccessShape shape);
  bool enter_consecutive(const WarpContext& warp, const Access& access, Stamp stamp);
  bool is_split(std::size_t word) const { return !split_.empty() && split_[word] == floor_; }
  void split(std::size_t word, Stamp stamp);
  bool are_of_same_lanes(const RaceCell<Stamp>* cells, std::uint32_t warp) const;

  BlockOrder& order_;
  const StrongUses& uses_;
  const std::uint32_t granule_;
  std::vector<RaceCell<Stamp>> words_;
  std::vector<RaceCell<Stamp>> pieces_;  ///< of the words that are split; empty without smaller accesses
  std::vector<Stamp> split_;             ///< by word: the floor of the epoch in which it was split
  std::vector<Event> events_;            ///< of this epoch
  std::uint32_t first_event_ = 1;        ///< number of events_[0]
  Stamp floor_ = 1u << 5;                ///< stamps below it are of an earlier epoch
};

}  // namespace warpwise::simulator::observe
