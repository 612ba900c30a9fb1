#pragma once
/// \file Every result check again, in every order that the lanes of a warp may take: with fewer sizes, and
/// the first, small launches alone.

#include <cstddef>
#include <optional>
#include <string>

#include "verdict.hpp"

namespace warpwise::harness {

/// Runs a check; one of the result then once more under each of the chapters' other schedules (schedules.hpp:
/// lockstep, and four seeds), on the simulated GPU. Where it fails there, the record says under which. What
/// WARPWISE_CHECK calls. A check of the safety that ends with a wrong result looks for findings all the same.
void run_check(Aspect aspect, void (*check)());

/// The order in which the check is run again; empty while it runs as it stands.
const std::optional<std::string>& other_order();

/// In other orders, ends the check quietly: it goes on to what is large or takes long, and what is small has
/// been tried. Does nothing where there is no other order.
void expect_small_in_other_orders(std::size_t elements);

/// A launch of so many threads is about to begin: the same, where it is large or comes late.
void begin_launch_in_other_orders(std::size_t threads);

}  // namespace warpwise::harness
