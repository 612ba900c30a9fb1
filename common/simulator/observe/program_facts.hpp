#pragma once
/// \file What the observers read off the program's text: once, so that no event has to, or when a finding is
/// put in words. In which order instructions run is not looked at.

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../launch.hpp"
#include "../program.hpp"

namespace warpwise::simulator::observe {

struct ProgramFacts {
  /// Of the kernel and the device functions in its reach; other kernels of the module are of no account.
  explicit ProgramFacts(const LaunchContext& launch);
  /// Those of an earlier launch of the kernel, if there was one.
  static std::shared_ptr<const ProgramFacts> of(const LaunchContext& launch);

  /// Bytes of the smallest access to a space, at most 4.
  std::uint32_t shared_granule = 4, global_granule = 4;
  bool has_fences = false;         ///< some instruction could release or acquire
  bool reads_strongly = false;     ///< some instruction could wait for what another thread writes
  std::vector<bool> only_arrives;  ///< by place in the reach: bar.arrive, which does not wait
  /// Likewise: a plain load whose value is the first guess of a compare-and-swap loop (FirstGuesses). If the
  /// guess is stale the loop goes round once more, so such a load races with no atomic; it acquires nothing.
  std::vector<bool> is_first_guess;
};

/// The plain loads of a function whose value is the first guess of a compare-and-swap loop (CUDA C++
/// programming guide, "Atomic functions"): what an atom.cas on the same state space, or on global memory by a
/// generic address, compares with is what they have read, moved, or put together of its bytes.
class FirstGuesses {
 public:
  explicit FirstGuesses(const ptx::Function& function);
  bool contain(const ptx::Instruction& load) const;

 private:
  std::map<ptx::Space, std::unordered_set<ptx::RegisterId>> guesses_;  ///< registers that are compared with
};

/// What becomes of the value that an instruction loads, or of anything computed from it. All are indices into
/// the function's code.
struct ValueUses {
  std::vector<std::size_t> branches;  ///< whose guard it is, each once
  bool decides_otherwise = false;     ///< guards another instruction, or makes an address
  bool goes_to_shared = false;        ///< stored in shared memory, from where it may decide something
  bool goes_to_global = false;        ///< stored in global memory, or the operand of an atomic there
  bool is_lost = false;               ///< handed to a call or to the caller, or put aside in local memory
};

/// The instructions of a function by the registers that they read. The function outlives it.
class RegisterReaders {
 public:
  explicit RegisterReaders(const ptx::Function& function);
  ValueUses uses_of(std::size_t load) const;

 private:
  const ptx::Function& function_;
  std::vector<std::vector<std::uint32_t>> by_register_;
};

/// Whether what the instruction at `load` reads, or anything computed from it, is a source of the one at
/// `user`, in the same function.
bool reaches_instruction(const Program& program, Pc load, Pc user);

/// The word that the instruction at `pc` reads again and again, as far as its function shows by the same
/// address: whether an atomic outside the loop adds to it, and one that sets it back.
struct Counter {
  bool is_added_to = false;
  std::optional<Pc> reset;
};
Counter counter_polled_at(const Program& program, Pc pc);

/// True where the instruction at `pc` follows, in its function, a loop that takes a lock: an `atom.cas` that
/// replaces one constant by another, or an `atom.exch` that stores a constant, again until it succeeds. (The
/// compare-and-swap loop of an update computes what it stores.)
bool is_behind_lock(const Program& program, Pc pc);

// ---- What a program does with its strong accesses (volatile, relaxed, acquire, release: PTX ISA 8.4):
// whether a thread waits for what it reads, or takes it as it comes.

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
