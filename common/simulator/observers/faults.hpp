#pragma once
/// \file What the machine ran into, in words.

#include "findings.hpp"
#include "naming.hpp"

namespace warpwise::simulator {

FindingKind kind_of(machine::FaultKind kind);
/// True for a barrier of one source line that the compiler made several instructions of.
bool is_harmless(const machine::Program& program, const machine::Fault& fault);
Description describe_fault(const Naming& naming, const machine::WarpContext& warp,
                           const machine::Fault& fault);

/// Lanes that go around a block barrier that others wait at.
Description describe_bypass(machine::Pc pc, std::uint32_t warp, machine::LaneMask lanes);

}  // namespace warpwise::simulator
