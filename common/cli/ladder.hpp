#pragma once
/// \file The tour's table of all kernels, and the climb from rung to rung.

#include <limits>
#include <string>

#include "../report/report.hpp"
#include "published.hpp"

namespace warpwise::cli {

/// The table, chapter by chapter, and below it what its columns mean. `published`: bandwidths that come with
/// the course, in a column of their own, named as what they are. Where it is wider than `width` columns,
/// those of the figures that can best be missed are left out, and named.
std::string ladder_table(const report::Report& report, const PublishedTimes& published = {},
                         std::size_t width = std::numeric_limits<std::size_t>::max());

/// The rungs alone, one after the other: which of the table's figures each made better, and which worse, than
/// the rung before it, by a twentieth or more. Empty where there are fewer than two. The published bandwidth
/// stands where this machine took no time.
std::string climb_text(const report::Report& report, const PublishedTimes& published = {});

}  // namespace warpwise::cli
