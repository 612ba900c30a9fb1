#pragma once
/// \file Whether code stands where a lock has been taken: read off the program, when a race is put in words.

#include "../machine/program.hpp"

namespace warpwise::simulator {

/// True where the instruction at `pc` follows, in its function, a loop that takes a lock: an `atom.cas` that
/// replaces one constant by another, or an `atom.exch` that stores a constant, again until it succeeds. (The
/// compare-and-swap loop of an update computes what it stores.)
bool is_behind_lock(const machine::Program& program, machine::Pc pc);

}  // namespace warpwise::simulator
