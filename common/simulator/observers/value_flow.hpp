#pragma once
/// \file Where in a function the value of a register goes, as far as the text tells: in which order its
/// instructions run is not looked at.

#include <map>
#include <unordered_set>
#include <utility>

#include "../machine/program.hpp"

namespace warpwise::simulator {

/// The plain loads of a function whose value is the first guess of a compare-and-swap loop (CUDA C++
/// programming guide, "Atomic functions"): what an atom.cas on the same state space, or on global memory by a
/// generic address, compares with is what they have read, moved, or put together of its bytes.
class FirstGuesses {
 public:
  explicit FirstGuesses(const ptx::Function& function);
  bool contain(const ptx::Instruction& load) const;

 private:
  /// Is the state space shared, is it global; else neither is known.
  using Space = std::pair<bool, bool>;
  std::map<Space, std::unordered_set<ptx::RegisterId>> guesses_;  ///< registers that are compared with
};

/// `bfi.b64 d, a, b, 32, 32`: a becomes the upper half of b. nvcc 13.5 puts a value of 64 bits together this
/// way.
bool joins_two_words(const ptx::Instruction& instruction);

/// Whether what the instruction at `load` reads, or anything computed from it, is a source of the one at
/// `user`, in the same function.
bool reaches_instruction(const machine::Program& program, machine::Pc load, machine::Pc user);

}  // namespace warpwise::simulator
