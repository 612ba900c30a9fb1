#pragma once
/// \file Which source lines spend what a check has found too much of.

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "../report/report.hpp"

namespace warpwise::harness {

using SharedReport = std::shared_ptr<const simulator::LaunchReport>;

/// The (at most three) lines that spend most of `what`, with their shares of `amount`; the most first.
///
/// `what` is the wording of an expectation, "block barriers a block of 256": it holds the name of a counter
/// of simulator::Counters with spaces, or of several together, such as "atomic requests". The launch is the
/// latest of `launches` (in their order) that counted `amount`, in all, a block or a warp; else the last one,
/// of whose count the shares are then told in percent. Empty where `what` names no counter.
std::vector<report::LineShare> spenders(std::string_view what, double amount,
                                        std::span<const SharedReport> launches);

/// The place in `launches` of the latest that counted `amount` of `what`, in all, a block or a warp; empty
/// where none did.
std::optional<std::size_t> counted_launch(std::string_view what, double amount,
                                          std::span<const SharedReport> launches);

/// The (at most three) lines of a launch that write to global memory, report::writes_results: where to begin
/// to look for a wrong one.
std::vector<report::LineShare> writers(const simulator::LaunchReport& launch);

}  // namespace warpwise::harness
