#pragma once
/// \file The interpreter: one warp of 32 lanes, each with its own program counter. Its Groups say which lanes
/// run next, its CallStack where they are; everything here obeys PTX alone.

#include "call_stack.hpp"
#include "groups.hpp"
#include "undefined_values.hpp"

namespace warpwise::simulator::run {

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
  const WarpContext& context() const { return context_; }
  Groups& groups() { return groups_; }
  /// Completes a `*.sync` whose missing lanes cannot come any more, after reporting it. False if none waits.
  bool give_up_sync();
  void report(Fault fault);
  /// Every group waits, or polls in a state that repeats: it goes on only if somebody else changes memory.
  bool is_stuck() const;
  /// Reports the groups that poll, or loop for ever.
  void report_deadlock();
  /// The launch is stopped where `group` is.
  Fault stopped(FaultKind kind, const Group& group, std::string why) const;

 private:
  enum class Next : std::uint8_t { advance, reschedule };
  enum class Leave : std::uint8_t { reschedule, turn_over };

  // warp.cpp: the interpreter
  Leave execute(Group& group);
  LaneMask lanes_of_other_barriers(const Group& group, const Instruction& instruction) const;

  [[gnu::noinline]] void watch(Frame& frame, Pc pc, LaneMask reached);

  // warp_steps.cpp: instructions of a whole group
  Next step(Group& group, const Instruction& instruction, LaneMask active);
  void exit_lanes(Group& group);
  Next branch_table(Group& group, const Instruction& instruction);

  // warp_collective.cpp: `*.sync`
  void forget_at_syncs(LaneMask leaving);
  Next collective(Group& group, const Instruction& instruction);
  Next arrive(Group& group, const Instruction& instruction);
  void release_if_complete(LaneMask need, Pc pc);
  LaneMask lanes_waiting(LaneMask need, Pc pc) const;
  bool waits_with(const Group& group, LaneMask need, Pc pc) const;
  void complete(LaneMask need, Pc pc);
  const Collective& collective_at(Pc pc) const;
  void perform_across_places(Pc pc, LaneMask lanes);
  [[gnu::noinline]] void report_meeting(LaneMask lanes);
  void perform(const Instruction& instruction, Pc pc, std::byte* rows, LaneMask lanes);
  void shuffle(const Instruction& instruction, Pc pc, std::byte* rows, LaneMask lanes);

  // warp_steps.cpp: calls
  Next call(Group& group, const Instruction& instruction);
  Next call_function(Group& group, const Call& call, std::uint32_t function);
  Next call_indirect(Group& group, const Instruction& instruction);
  Next return_from(Group& group);

  // warp_memory_access.cpp
  struct Addresses;
  void access(Group& group, const Instruction& instruction, Pc pc, LaneMask active);
  void access_space(Group& group, const Instruction& instruction, Pc pc, ptx::Space space, LaneMask active,
                    Addresses& addresses);
  LaneMask check_each(const MemoryOperation& operation, Pc pc, ptx::Space space, LaneMask active,
                      Addresses& addresses);
  bool are_accesses_watched() const;
  std::uint64_t space_bytes(ptx::Space space) const;
  bool is_in_shared_part(std::uint64_t low, std::uint64_t high, std::uint32_t bytes) const;
  bool are_in_shared_part(const std::uint64_t* value, LaneMask lanes, std::uint32_t bytes) const;

  // warp_steps.cpp: instructions that are several accesses
  void copy_async(Group& group, const AsyncCopy& copy, Pc pc, LaneMask active);
  void read_pieces(Group& group, const AsyncCopy& copy, std::uint32_t bytes, Pc pc, LaneMask lanes);
  void vector_atomic(Group& group, const VectorAtomic& vector, Pc pc, LaneMask active);

  Worker& worker_;
  const Code& code_;  ///< of the launch
  Block& block_;
  WarpContext context_;
  LaneMask born_ = 0;  ///< lanes that existed when the block began
  Groups groups_;
  CallStack stack_;
  DeviceLibrary library_;
  UndefinedValues undefined_;
  LaneMask excused_ = 0;                          ///< lanes whose address is undefined, and reported as that
  std::uint64_t excused_at_ = ~std::uint64_t{0};  ///< the value of executed_ at that access
  std::uint64_t executed_ = 0, turn_end_ = 0;
  std::uint64_t known_changes_ = 0;  ///< Worker::all_changes() when this warp last had its turn
};

}  // namespace warpwise::simulator::run
