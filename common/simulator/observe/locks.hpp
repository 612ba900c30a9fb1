#pragma once
/// \file Whether code stands in a loop, or where a lock has been taken: read off the program, when a race is
/// put in words.

#include "../program.hpp"

namespace warpwise::simulator::observe {

/// Whether a branch at or behind `place`, an index into the function's code, leads back to it or further up.
bool is_in_loop(const ptx::Function& function, std::size_t place);
/// Likewise of all that stands from `first` to `last`: a branch at or behind `last` leads back to `first` or
/// further up.
bool is_in_loop(const ptx::Function& function, std::size_t first, std::size_t last);

/// True where the instruction at `pc` follows, in its function, a loop that takes a lock: an `atom.cas` that
/// replaces one constant by another, or an `atom.exch` that stores a constant, again until it succeeds. (The
/// compare-and-swap loop of an update computes what it stores.)
bool is_behind_lock(const Program& program, Pc pc);

}  // namespace warpwise::simulator::observe
