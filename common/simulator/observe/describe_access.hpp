#pragma once
/// \file What is wrong with an access, in words.

#include <optional>

#include "copies_under_way.hpp"
#include "findings.hpp"
#include "naming.hpp"
#include "race_cell.hpp"

namespace warpwise::simulator::observe {

/// The same race in the same words whichever side came second: `second` becomes the reader, or else the one
/// that is not atomic, or else the access further down in the code. So a missing barrier is one finding, not
/// two, and between blocks the finding does not depend on which host thread was faster.
Race seen_from_one_side(const Program& program, Race race);

/// `element_bytes`: size of what the access moves. The finding is about the second side. `passed`: the
/// instruction at which the lanes exchanged what was read before one of them wrote.
Description describe_race(const Program& program, const Naming& naming, const Race& race, ptx::Space space,
                          std::uint32_t element_bytes, std::optional<Pc> passed = std::nullopt);

/// `thread` touches what a cp.async may be writing.
Description describe_clash(const Program& program, const Naming& naming, const Access& access,
                           std::uint32_t thread, const CopiesUnderWay::Clash& clash);

/// The instruction at whose source line the finding is reported: where the value comes from, or else where it
/// is used.
Pc place_of_finding(const Program& program, const UndefinedUse& use);
/// Something depends on a value that nobody has set.
Description describe_undefined(const Program& program, const Naming& naming, const UndefinedUse& use);

}  // namespace warpwise::simulator::observe
