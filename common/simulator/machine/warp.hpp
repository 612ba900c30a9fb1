#pragma once
/// \file One warp: 32 lanes, each with its own program counter, kept as a few groups of lanes.
///
/// The group with the deepest call, then the lowest pc, runs; it stops where the next group waits, and both
/// go on as one. A divergent branch splits a group. Which lanes come first is the schedule's choice
/// (groups.cpp); everything else here obeys PTX alone.

#include <array>
#include <span>
#include <vector>

#include "group.hpp"
#include "launch.hpp"

namespace warpwise::simulator::machine {

class Block;
class Worker;

class Warp {
 public:
  enum class Stop : std::uint8_t {
    finished,
    blocked,   ///< every group waits at a barrier or a `*.sync`
    polling,   ///< every group that can run polls without success
    turn_over  ///< has run long enough
  };

  Warp(Worker& worker, Block& block, std::uint32_t index);
  Warp(const Warp&) = delete;
  Warp& operator=(const Warp&) = delete;

  void begin(LaneMask lanes);
  Stop run();
  void end();

  LaneMask exited() const { return context_.exited; }
  /// Lanes that existed when the block began.
  LaneMask born() const { return born_; }
  const WarpContext& context() const { return context_; }
  bool is_finished() const { return group_count_ == 0; }
  Group* group_of(std::uint32_t lane);
  std::span<Group> groups() { return {groups_.data(), group_count_}; }
  /// Completes a `*.sync` whose missing lanes cannot come any more, after reporting it. False if none waits.
  bool give_up_sync();
  void report(Fault fault);
  bool has_ready_group() const {
    for (std::uint32_t i = 0; i < group_count_; ++i)
      if (groups_[i].state == Group::State::ready) return true;
    return false;
  }
  /// Every group waits, or polls in a state that repeats: it goes on only if somebody else changes memory.
  bool is_stuck() const;
  /// Tells of the groups that poll.
  void report_deadlock();
  /// Groups that a barrier has released at the same place become one.
  void meet() {
    if (group_count_ > 1) merge_ready();
  }

 private:
  enum class Next : std::uint8_t { advance, reschedule };
  enum class Leave : std::uint8_t { reschedule, turn_over };

  // groups.cpp: which group runs
  Group* select();
  Group* select_converged();
  Group* select_lockstep();
  Group* select_at_random();
  void merge_ready();
  Group& add_group(Frame* frame, Pc pc, LaneMask mask);
  void remove_group(Group& group);
  void set_limit(const Group& chosen);
  bool waits_at_meeting(const Group& group);
  std::uint64_t random();

  // warp.cpp: the interpreter
  Leave execute(Group& group);
  bool jump_back(Group& group);
  bool rejoin(Group& group);
  LaneMask lanes_of_other_barriers(const Group& group, const Instruction& instruction) const;
  void look_for_repetition(Group& group);
  std::uint64_t state_hash(const Group& group) const;
  void split_off(Group& group, LaneMask away, Pc pc);
  Next step(Group& group, const Instruction& instruction, LaneMask active);
  void exit_lanes(Group& group);
  void forget_at_syncs(LaneMask leaving);
  Next branch_table(Group& group, const Instruction& instruction);

  // collective.cpp: `*.sync`
  Next collective(Group& group, const Instruction& instruction);
  Next arrive(Group& group, const Instruction& instruction);
  void release_if_complete(LaneMask need, Pc pc);
  LaneMask lanes_waiting(LaneMask need, Pc pc) const;
  bool waits_with(const Group& group, LaneMask need, Pc pc) const;
  void complete(LaneMask need, Pc pc);
  const Collective& collective_at(Pc pc) const;
  void perform_across_places(Pc pc, LaneMask lanes);
  void perform(const Instruction& instruction, Pc pc, std::byte* rows, LaneMask lanes);
  void shuffle(const Instruction& instruction, std::byte* rows, LaneMask lanes);

  // calls.cpp
  Next call(Group& group, const Instruction& instruction);
  Next call_function(Group& group, const Call& call, std::uint32_t function);
  Next call_indirect(Group& group, const Call& call);
  Next return_from(Group& group);
  void prepare(Frame& frame);
  void prepare_for_next_block(Frame& frame);
  void leave_frames(LaneMask lanes);
  void print(const Group& group, const Call& call);
  void assertion(const Group& group, const Call& call);
  void allocate(const Group& group, const Call& call);
  void release(const Group& group, const Call& call);
  /// Bytes at a generic address as lane `lane` sees it; empty where nothing is.
  std::span<std::byte> bytes_at(std::uint64_t address, std::uint32_t lane);
  std::string text_at(std::uint64_t address, std::uint32_t lane);

  // memory_access.cpp
  struct Addresses;
  void access(Group& group, const Instruction& instruction, Pc pc, LaneMask active);
  void access_space(Group& group, const Instruction& instruction, Pc pc, ptx::Space space, LaneMask active,
                    Addresses& addresses);
  LaneMask check_each(const MemoryOperation& operation, Pc pc, ptx::Space space, LaneMask active,
                      Addresses& addresses);
  std::uint64_t space_bytes(ptx::Space space) const;
  bool is_in_shared_part(std::uint64_t low, std::uint64_t high, std::uint32_t bytes) const;
  bool are_in_shared_part(const std::uint64_t* value, LaneMask lanes, std::uint32_t bytes) const;

  // expansion.cpp: instructions that are several accesses
  void copy_async(Group& group, const AsyncCopy& copy, Pc pc, LaneMask active);
  void read_pieces(Group& group, const AsyncCopy& copy, std::uint32_t bytes, Pc pc, LaneMask lanes);
  void vector_atomic(Group& group, const VectorAtomic& vector, Pc pc, LaneMask active);

  Worker& worker_;
  const Code& code_;  ///< of the launch
  Block& block_;
  WarpContext context_;
  LaneMask born_ = 0;
  std::array<Group, warp_size> groups_;
  std::uint32_t group_count_ = 0;
  Pc limit_ = 0;  ///< the running group stops here
  std::uint64_t executed_ = 0, turn_end_ = 0;
  std::uint64_t random_state_ = 0;
  Schedule::Kind schedule_ = Schedule::Kind::converged;
  std::vector<Meeting> meetings_;
  std::vector<Frame*> frames_;  ///< in use; the first is the kernel's, kept from block to block
  std::vector<std::byte> local_;
  std::uint32_t local_stride_ = 0;  ///< bytes of local memory a lane
};

}  // namespace warpwise::simulator::machine
