#pragma once
/// \file Checks a module once, so that what runs it can index without looking.

#include "../ptx.hpp"

namespace warpwise::simulator::ptx {

/// Throws Error where a reference of the module leads nowhere: a register, variable, parameter, label,
/// location or function that is not there, a guard that is no predicate, an initialiser or relocation that
/// does not fit its variable, a name that is defined twice, a definition without code.
/// Modules built by hand (tests, generators) can be checked with it too.
void validate(const Module& module);

}  // namespace warpwise::simulator::ptx
