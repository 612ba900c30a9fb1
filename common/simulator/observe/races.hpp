#pragma once
/// \file Finds races: in the shared memory of one block, and in global memory, within a block and between
/// blocks; and accesses to what a cp.async may still be writing.

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "../global_memory.hpp"
#include "../observer.hpp"
#include "block_order.hpp"
#include "race_cell.hpp"

namespace warpwise::simulator::observe {

// ---- races_shared.cpp

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

// ---- races_global.cpp
//
// What is remembered of global memory during one launch, shared by all host threads.

/// An access to global memory in one number: lane (5 bits), flags (3), place in the launch's reach (19),
/// segment (37).
using GlobalStamp = std::uint64_t;

/// Between two synchronisations a warp is in one segment: all its accesses share this.
struct Segment {
  std::uint64_t block = 0;
  std::uint32_t epoch = 0, time = 0, warp = 0;
};

/// The segments that one host thread has made. Only that thread adds; all may read what a stamp names.
class SegmentTable {
 public:
  SegmentTable() = default;
  ~SegmentTable();
  SegmentTable(const SegmentTable&) = delete;  ///< stamps name places in it
  std::uint64_t add(const Segment& segment);   ///< its index; the oldest are overwritten after 2^29
  const Segment& at(std::uint64_t index) const;

 private:
  /// Each chunk is as large as all before it: small launches, of which a program may have thousands, take
  /// little.
  static constexpr std::uint64_t first_chunk = std::uint64_t{1} << 9;
  static constexpr std::uint64_t capacity = std::uint64_t{1} << 29;
  static constexpr std::size_t chunks = 21;
  struct Place {
    std::size_t chunk;
    std::uint64_t index;  ///< in it
  };
  static Place place_of(std::uint64_t index) {
    const auto chunk = static_cast<std::size_t>(std::bit_width(index / first_chunk));
    return {chunk, chunk == 0 ? index : index - (first_chunk << (chunk - 1))};
  }
  std::array<std::atomic<Segment*>, chunks> chunks_{};
  std::uint64_t size_ = 0;
};

inline constexpr std::uint64_t line_bytes = 128;

/// The shadow of 128 bytes. While whole warps read and write it in one piece, one cell stands for all of it
/// (`whole`, whose stamps bear the lane of the line's first bytes); the first other access splits it into
/// cells of a size that suits it. While all accesses to such a cell touch the same bytes of it (a member of a
/// structure, say), it stays one, and `extent` says which bytes; else it is split into pieces of a granule,
/// and holds a pointer to them. All accesses to cells are of whole granules. Trivial, so that fresh zero
/// pages are valid lines.
struct ShadowLine {
  std::uint32_t lock;            ///< 0: free; only through LineLock
  std::uint8_t lane_bytes;       ///< bytes a lane of the accesses in `whole`
  std::uint8_t cell_bytes;       ///< of a cell, where the line is split: a granule, or 4 to 16
  RaceCell<GlobalStamp>* cells;  ///< or nullptr: the line is whole
  union {
    GlobalStamp whole[4];     ///< as the members of RaceCell
    std::uint8_t extent[32];  ///< of a split line, by cell: see extent_of() in races_global.cpp
  };
};

/// Holds a line's lock.
class LineLock {
 public:
  explicit LineLock(ShadowLine& line) : lock_(line.lock) {
    while (lock_.exchange(1, std::memory_order_acquire) != 0) {
    }
  }
  ~LineLock() { lock_.store(0, std::memory_order_release); }
  LineLock(const LineLock&) = delete;  ///< releases once

 private:
  std::atomic_ref<std::uint32_t> lock_;
};

/// The lines of one allocation.
class ShadowRegion {
 public:
  explicit ShadowRegion(const Allocation& allocation);
  ShadowLine& line_of(std::uint64_t address) {
    return reinterpret_cast<ShadowLine*>(lines_.data())[(address - base_) / line_bytes];
  }
  std::uint64_t base() const { return base_; }

 private:
  std::uint64_t base_;  ///< of the first line
  ZeroedBytes lines_;   ///< pages of zeros that are never touched cost nothing
};

/// The last plain store of one host thread: its stamp is in the shadow before its values are in memory, so
/// that who meets the stamp in between must ask here what it stores.
class LastStore {
 public:
  void set(const Moment& when, const Access& access);
  /// Whether `other` is of this store, which stores the `length` bytes `value` at `address`, by lane
  /// `other.when.lane` and, where that is more than its own, the lanes behind it.
  bool stores(const Touch& other, std::uint64_t address, const std::byte* value, std::uint64_t length) const;

 private:
  mutable std::mutex mutex_;
  Moment when_;
  Pc pc_ = 0;
  LaneMask lanes_ = 0;
  std::uint64_t bytes_ = 0;  ///< a lane
  std::array<std::uint64_t, warp_size> address_{};
  std::array<std::byte, warp_size * 16> value_{};
};

class GlobalShadow {
 public:
  GlobalShadow(std::uint32_t granule, std::uint64_t most_cell_bytes)
      : granule_(granule), most_cell_bytes_(most_cell_bytes) {}

  std::uint32_t granule() const { return granule_; }
  /// False where the cells of split lines would take more memory than they may.
  bool take_cells(std::uint64_t bytes) { return cell_bytes_.fetch_add(bytes) + bytes <= most_cell_bytes_; }
  ShadowRegion& region_of(const Allocation& allocation);
  /// Before any host thread starts: the number of its table and of its last store.
  std::uint32_t add_host_thread();
  SegmentTable& segments(std::uint32_t host_thread) { return *segments_[host_thread]; }
  LastStore& last_store(std::uint32_t host_thread) { return *last_stores_[host_thread]; }
  std::size_t host_threads() const { return segments_.size(); }

 private:
  const std::uint32_t granule_;
  const std::uint64_t most_cell_bytes_;
  std::atomic<std::uint64_t> cell_bytes_ = 0;
  std::mutex mutex_;
  std::unordered_map<const Allocation*, std::unique_ptr<ShadowRegion>> regions_;
  std::vector<std::unique_ptr<SegmentTable>> segments_;
  std::vector<std::unique_ptr<LastStore>> last_stores_;
};

/// For one host thread; all of a launch share the shadow.
class GlobalRaces {
 public:
  /// `shadow` and `uses` outlive it.
  GlobalRaces(GlobalShadow& shadow, const StrongUses& uses, PcRange reach, std::uint32_t slots);

  void begin(const BlockContext& block);
  /// The first race of this access with earlier ones.
  std::optional<Race> check(BlockOrder& order, const WarpContext& warp, const Access& access,
                            AccessShape shape);

 private:
  /// The segment that a warp is in.
  struct Current {
    std::uint32_t epoch = 0, time = 0;
    GlobalStamp stamp = 0;
  };
  struct Visit;

  GlobalStamp stamp_of(const BlockOrder& order, const WarpContext& warp, const Access& access,
                       AccessShape shape);
  ShadowRegion& region_of(Pc pc, const Allocation& allocation);
  std::uint32_t cell_bytes_for(const Access& access, AccessShape shape) const;
  bool split(ShadowLine& line, std::uint32_t cell_bytes);
  void enter_cell(Visit& visit, ShadowLine& line, std::uint64_t start, std::uint64_t end, GlobalStamp stamp);
  RaceCell<GlobalStamp>* new_cells(std::size_t count);

  GlobalShadow& shadow_;
  const StrongUses& uses_;
  const PcRange reach_;
  const std::uint32_t host_thread_;                                       ///< as its table, in stamps
  std::vector<std::vector<Current>> current_;                             ///< by slot and warp
  std::vector<std::pair<const Allocation*, ShadowRegion*>> last_region_;  ///< by place in the reach
  std::vector<std::unique_ptr<RaceCell<GlobalStamp>[]>> arena_;           ///< cells of split lines
  std::size_t arena_used_ = 0;                                            ///< of its last part
};

// ---- memory_checks.cpp
//
// PTX ISA 9.7.9.25.3: until its own thread has waited, a copy by cp.async may take place at any time.

/// The copies of one block that nobody has waited for yet.
class CopiesUnderWay {
 public:
  struct Clash {
    std::uint32_t lane = 0;  ///< of the access
    std::uint64_t address = 0;
    Pc copy_pc = 0;
    std::uint32_t copy_thread = 0;
  };

  void begin(std::uint32_t warps);
  /// `access` is the store of a cp.async. Its addresses and values are kept.
  void start(std::uint32_t warp, const Access& access);
  void commit(std::uint32_t warp, LaneMask lanes);
  /// What has landed of each of `lanes` when all but its last `left` groups have: accesses whose pointers
  /// hold until the next call.
  std::vector<Access> wait(std::uint32_t warp, std::uint32_t left, LaneMask lanes);
  /// The first lane of an access to shared memory that touches what a copy may be writing.
  std::optional<Clash> clash_with(const Access& access) const;

 private:
  struct Copy {
    std::uint32_t warp = 0;
    Access access;      ///< lanes: those whose copy is under way
    LaneMask open = 0;  ///< of them, in no group yet
    std::array<std::uint32_t, warp_size> group;
    std::array<std::uint64_t, warp_size> address;
    std::array<std::byte, warp_size * 16> value;
  };
  std::vector<Copy> copies_, landed_;
  std::vector<std::array<std::uint32_t, warp_size>> groups_;  ///< committed so far, by warp and lane
};

}  // namespace warpwise::simulator::observe
