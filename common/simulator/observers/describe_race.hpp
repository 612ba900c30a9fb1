#pragma once
/// \file A race in words.

#include "copies_under_way.hpp"
#include "findings.hpp"
#include "naming.hpp"
#include "race_cell.hpp"

namespace warpwise::simulator {

/// The same race told the same way whichever side came second: `second` becomes the reader, or else the one
/// that is not atomic, or else the access further down in the code. So a missing barrier is one finding, not
/// two, and between blocks the finding does not depend on which host thread was faster.
Race told_from_one_side(const machine::Program& program, Race race);

/// `element_bytes`: size of what the access moves. The finding is about the second side.
Description describe_race(const machine::Program& program, const Naming& naming, const Race& race,
                          ptx::Space space, std::uint32_t element_bytes);

/// `thread` touches what a cp.async may be writing.
Description describe_clash(const machine::Program& program, const Naming& naming,
                           const machine::Access& access, std::uint32_t thread,
                           const CopiesUnderWay::Clash& clash);

}  // namespace warpwise::simulator
