#pragma once
/// \file Whether code runs where a lock has been taken: read off the program, when a race is put in words.

#include "../program.hpp"

namespace warpwise::simulator::observe {

/// True where the instruction at `pc` follows, in its function, a loop that takes a lock: an `atom.cas` that
/// replaces one constant by another, or an `atom.exch` that stores a constant, again until it succeeds. (The
/// compare-and-swap loop of an update computes what it stores.)
bool is_behind_lock(const Program& program, Pc pc);

}  // namespace warpwise::simulator::observe
