#pragma once
/// \file What a trace says, for a terminal of 80 columns.

#include <iosfwd>

#include "../report/trace.hpp"
#include "moment.hpp"

namespace warpwise::print {

/// Costs of each line of the launch; then of one warp (the first of the first block) each step: its line, its
/// lanes, what its accesses cost, and which banks they ask; then what was left out. Of a moment, its steps
/// alone.
void print_text(std::ostream& out, const report::TracedLaunch& traced, const Moment& moment = {});

/// One character a lane: '#' works, '.' does not.
std::string lanes_text(std::uint32_t lanes);
/// One character a bank: how many different words of it the access asks for ('.', 1 to 9, then a to w).
std::string banks_text(const simulator::Trace& trace, const simulator::TraceAccess& access);

}  // namespace warpwise::print
