#pragma once
/// \file The tour's table of all kernels, and the ladder from step to step.

#include <limits>
#include <string>

#include "../report/report.hpp"

namespace warpwise::print {

/// What the table shows of the counters. The lessons ask to predict most of them.
enum class LadderCounters { none, all };

/// The table, chapter by chapter, and below it what its columns mean. `published`: bandwidths that come with
/// the course, in a column of their own, named as what they are. Where it is wider than `width` columns,
/// those of the counters that can best be missed are left out, and named.
std::string ladder_table(const report::Report& report, const report::PublishedTimes& published = {},
                         LadderCounters counters = LadderCounters::none,
                         std::size_t width = std::numeric_limits<std::size_t>::max());

/// The steps alone, one after the other, each beside the one that it comes from: the bandwidth of both, and
/// the names, no more, of the counters that are lower and higher by a twentieth or more; below, what the
/// names mean. Empty where there are fewer than two steps. The published bandwidth stands where this machine
/// took no time.
std::string ladder_text(const report::Report& report, const report::PublishedTimes& published = {});

}  // namespace warpwise::print
