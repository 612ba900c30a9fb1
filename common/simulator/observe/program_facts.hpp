#pragma once
/// \file What the observers read off the program's text: once, so that no event has to, or when a finding is
/// put in words. In which order instructions run is not looked at.

#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../program.hpp"

namespace warpwise::simulator::observe {

struct ProgramFacts {
  /// Of the kernel and the device functions in its reach; other kernels of the module are of no account.
  explicit ProgramFacts(const LaunchContext& launch);

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

/// Whether both are addresses of memory that stand in the text in the same words.
bool is_same_place(const ptx::Operand& a, const ptx::Operand& b);

/// Whether what the instruction at `load` reads, or anything computed from it, is a source of the one at
/// `user`, in the same function.
bool reaches_instruction(const Program& program, Pc load, Pc user);

// Whether code runs where a lock has been taken: read off the program, when a race is put in words.

/// True where the instruction at `pc` follows, in its function, a loop that takes a lock: an `atom.cas` that
/// replaces one constant by another, or an `atom.exch` that stores a constant, again until it succeeds. (The
/// compare-and-swap loop of an update computes what it stores.)
bool is_behind_lock(const Program& program, Pc pc);

}  // namespace warpwise::simulator::observe
