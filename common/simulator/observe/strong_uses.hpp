#pragma once
/// \file What a program does with its strong accesses (volatile, relaxed, acquire, release: PTX ISA 8.4):
/// whether a thread waits for what it reads, or takes it as it comes.

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "../program.hpp"
#include "program_facts.hpp"

namespace warpwise::simulator::observe {

enum class StrongUse : std::uint8_t {
  unknown,  ///< not looked at yet
  /// An atomic; a read that is repeated until its value, or a value read after it, will do; one whose value
  /// nobody uses, or is used out of sight.
  synchronises,
  /// A read whose value chooses between branches or addresses, or may do so by way of shared memory.
  decides,
  /// A read whose value goes into the contents of global memory, and decides nothing.
  passes_on,
  writes,  ///< a store
};

/// For one launch. Thread-safe. Nothing is looked at before it is asked for: most strong accesses never meet
/// another.
class StrongUses {
 public:
  /// Both outlive it.
  StrongUses(const LaunchContext& launch, const ProgramFacts& facts);

  /// Of the instruction at `pc`, which makes strong accesses.
  StrongUse of(Pc pc) const {
    const auto known = static_cast<StrongUse>(by_pc_[reach_.index_of(pc)].load(std::memory_order_relaxed));
    return known != StrongUse::unknown ? known : look_at(pc);
  }
  /// Some instruction of the launch could wait for what a strong store writes.
  bool can_wait() const { return facts_.reads_strongly; }

 private:
  StrongUse look_at(Pc pc) const;

  const Program& program_;
  const PcRange reach_;
  const ProgramFacts& facts_;
  mutable std::vector<std::atomic<std::uint8_t>> by_pc_;  ///< a StrongUse each
  mutable std::mutex mutex_;
  mutable std::map<const ptx::Function*, RegisterReaders> readers_;
};

}  // namespace warpwise::simulator::observe
