#pragma once
/// \file One block: its shared memory, its barriers, its warps, and whose turn it is.

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "undefined_values.hpp"
#include "warp.hpp"

namespace warpwise::simulator::run {

class Worker;

class Block {
 public:
  explicit Block(Worker& worker);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  void begin(std::uint64_t linear, std::uint32_t slot);

  enum class Stop : std::uint8_t {
    finished,
    waiting,  ///< every warp polls for something that another block must do, or the turn is over
  };
  Stop run();
  /// After Stop::waiting: only a change of memory by another block can help any of its threads.
  bool is_stuck() const;
  /// It was stuck with all changes of memory seen, and there were no others since (Worker::all_changes).
  bool is_stuck_since(std::uint64_t changes) const { return changes_seen_ == changes && is_stuck(); }
  void note_changes_seen(std::uint64_t changes) { changes_seen_ = changes; }
  void report_deadlock();
  /// Gives frames back and writes out what the kernel printed.
  void end();

  const BlockContext& context() const { return context_; }
  BlockContext& context() { return context_; }
  std::byte* shared() { return shared_.data(); }
  std::uint32_t shared_bytes() const { return shared_bytes_; }
  std::string& printed() { return printed_; }
  UndefinedMemory& undefined() { return undefined_; }
  /// Decides what a fault means for the launch: some end it.
  void note_fault(const Fault& fault);

  /// Lanes of `group` arrive at the bar instruction at `pc`. Where that opens a barrier, groups of `warp`
  /// meet: afterwards `group` may be another, or none.
  void arrive(Warp& warp, Group& group, const Instruction& instruction, Pc pc);
  /// `threads` more have exited: barriers that waited only for them open.
  void on_exit(std::uint32_t threads);

 private:
  struct Barrier {
    bool is_used = false;
    bool has_count = false;
    std::uint32_t count = 0;
    Pc pc = 0;
    std::optional<Pc> other_pc;
    std::uint32_t true_lanes = 0, voters = 0;  ///< bar.red
    std::uint32_t arrived_threads = 0;
    std::array<LaneMask, warp_size> arrived{};  ///< by warp: lanes that wait or passed
  };

  std::uint32_t arrived_at(const Barrier& barrier) const;
  std::uint32_t expected_at(const Barrier& barrier) const;
  void open_if_complete(std::uint32_t number);
  void open(std::uint32_t number);
  void report_different_barriers(std::uint32_t number);
  bool resolve_deadlock();
  /// Throws std::logic_error where a thread is lost: neither under way nor at its end. That is a defect of
  /// the machine, and whatever the launch has found is worth nothing.
  void check_threads() const;

  Worker& worker_;
  BlockContext context_;
  std::vector<std::unique_ptr<Warp>> warps_;
  std::vector<std::byte> shared_;
  std::uint32_t shared_bytes_ = 0;
  std::array<Barrier, barriers_per_block> barriers_{};
  std::uint32_t used_barriers_ = 0;  ///< bit set
  std::uint32_t alive_ = 0;          ///< threads that have not exited
  std::uint64_t changes_seen_ = ~std::uint64_t{0};
  std::string printed_;
  UndefinedMemory undefined_;  ///< used where undefined values are looked for
};

}  // namespace warpwise::simulator::run
