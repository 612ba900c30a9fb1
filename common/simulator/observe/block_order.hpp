#pragma once
/// \file The order among the accesses of one block that its program guarantees, whatever order they took.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "../observer.hpp"
#include "happens_before.hpp"

namespace warpwise::simulator::observe {

/// For one block at a time; begin() starts the next. Not thread-safe: a block belongs to one host thread.
class BlockOrder {
 public:
  /// `global_variables` is shared by all blocks. Where `has_fences` is false no access of the program can
  /// release anything, and flags are not followed at all.
  BlockOrder(SyncVariables& global_variables, bool has_fences);

  void begin(const BlockContext& block);
  void on_fence(std::uint32_t warp, Scope scope, LaneMask lanes);
  void on_warp_barrier(std::uint32_t warp, LaneMask lanes, LaneMask exited);
  /// A shuffle, vote or match at `pc`: `lanes` executed it together. It orders nothing; but who asks can tell
  /// what came before it.
  void on_collective(std::uint32_t warp, Pc pc, LaneMask lanes, LaneMask exited) {
    before_access(warp);
    if (!knowledge_.empty()) share_acquired(warp, lanes);
    if ((lanes | exited) == all_lanes) note_exchange(warps_[warp], pc);
  }
  /// The shuffles, votes and matches that the whole warp has executed since `then`, as far as remembered.
  std::vector<Pc> exchanges_since(const Moment& then) const;
  void on_barrier_arrive(std::uint32_t warp, std::uint32_t barrier, LaneMask lanes, bool is_waiting);
  /// Returns true where a new epoch begins.
  bool on_barrier_release(std::uint32_t barrier, bool is_whole_block);
  /// For every access, before it is checked: acquires what an earlier acquiring load saw.
  void before_access(std::uint32_t warp) {
    if (warps_[warp].has_acquired) acquire_now(warp);
  }
  /// For every access that is not weak.
  void on_strong_access(std::uint32_t warp, const Access& access);

  std::uint64_t block() const { return block_; }
  std::uint32_t epoch() const { return epoch_; }
  std::uint32_t time(std::uint32_t warp) const { return warps_[warp].time; }
  Moment now(std::uint32_t warp, std::uint32_t lane) const {
    return {block_, epoch_, warps_[warp].time, warp, lane};
  }
  /// True where the program orders `then` before what lane `lane` of `warp` does now.
  bool is_ordered(const Moment& then, std::uint32_t warp, std::uint32_t lane) const;
  /// True where a strong access to `address` by `me`, a lane of this block, comes after the strong one at
  /// `then`, though is_ordered() is false: `me` has acquired from that very variable, so that its earlier
  /// atomics are over; or, where `me_is_strong`, would know of `then` if it fenced now.
  [[gnu::noinline]] bool is_ordered_by_flag(const Moment& then, ptx::Space space, std::uint64_t address,
                                            const Moment& me, bool me_is_strong);

 private:
  /// A word that was read, and may be a synchronisation variable: whether somebody has released it is asked
  /// when it is acquired. Most are data.
  struct Pending {
    std::uint64_t address = 0;
    LaneMask lanes = 0;  ///< that read it, and have not fenced since
    bool is_shared = false;
    bool is_acquire = false;  ///< needs no fence
  };
  /// All lanes of a warp that have not exited met at `pc`, at the end of `time` of `epoch`.
  struct Exchange {
    std::uint32_t epoch = 0, time = 0;
    Pc pc = 0;
  };
  struct Warp {
    std::uint32_t time = 1;
    std::array<Exchange, 4> exchanges;  ///< the last ones
    std::uint32_t exchange_count = 0;
    std::uint32_t warp_time = 0;  ///< what any lane did up to it is known to all
    bool has_acquired = false;
    LaneMask sharing = 0;  ///< these have acquired the same, and have learnt nothing since
    std::array<FenceMark, warp_size> in_block, everywhere;
    std::vector<Pending> pending;
    /// Where the next read is looked for first: a loop that polls reads the same words in turn.
    std::size_t next_pending = 0;
  };
  struct Arrival {
    std::uint32_t warp = 0, time = 0;
    LaneMask lanes = 0;
    bool is_waiting = true;
  };

  void note_exchange(Warp& warp, Pc pc) {
    warp.exchanges[warp.exchange_count++ % warp.exchanges.size()] = {epoch_, warp.time++, pc};
  }
  void acquire_now(std::uint32_t warp);
  SyncVariables& variables_of(bool is_shared) { return is_shared ? shared_variables_ : global_variables_; }
  void note_read(std::uint32_t warp, const Pending& read);
  void acquire(std::uint32_t warp, LaneMask lanes, bool only_acquiring);
  void mark_fence(Warp& warp, Scope scope, LaneMask lanes);
  void share_acquired(std::uint32_t warp, LaneMask lanes);
  bool has_acquired_from(ptx::Space space, std::uint64_t address, std::uint32_t warp, std::uint32_t lane);
  bool has_seen(const Moment& then, std::uint32_t warp, std::uint32_t lane);
  void begin_epoch();
  void meet(const std::vector<Arrival>& arrivals);
  bool is_known_epoch(const KnowledgePointer& known, const Moment& then) const;
  void set_knowledge(std::uint32_t thread, KnowledgePointer known);
  const KnowledgePointer& known_by(std::uint32_t thread) const;

  SyncVariables& global_variables_;
  SyncVariables shared_variables_;
  const bool has_fences_;
  std::uint64_t block_ = 0;
  std::uint32_t threads_ = 0;
  std::uint32_t epoch_ = 1;
  std::uint32_t fenced_epoch_ = 0;
  bool has_fenced_everywhere_ = false;  ///< in this epoch
  std::vector<Warp> warps_;
  std::vector<std::vector<Arrival>> arrivals_;  ///< by barrier
  KnowledgePointer block_knowledge_;            ///< what all threads have learnt of other blocks
  std::vector<KnowledgePointer> knowledge_;     ///< by thread; empty while none knows more than the block
  /// Of what was asked for last: `epochs` from the second question on.
  struct Asked {
    KnowledgePointer knowledge;
    std::unique_ptr<const EpochsKnown> epochs;
  };
  mutable std::array<Asked, warp_size> asked_;
  mutable std::size_t next_asked_ = 0;  ///< place of asked_ that is given up next
};

}  // namespace warpwise::simulator::observe
