#pragma once
/// \file Writes modules in which every kind of operand stands in every kind of place, for the right type or
/// for another one. Whatever such a module says, it is refused with its line or runs to a report.

#include <cstdint>
#include <string>

namespace warpwise::simulator::tests {

/// Text of module number `seed`: a kernel `k(.u64 out)`, and the functions that it calls. Of its instructions
/// two in three have the operands that the PTX manual asks for; of the others one operand is of any kind.
std::string typed_module(std::uint64_t seed);

}  // namespace warpwise::simulator::tests
