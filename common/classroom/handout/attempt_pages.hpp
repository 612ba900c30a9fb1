#pragma once
/// \file attempts/KERNEL.md (common/harness/attempt_file.hpp) as students get it before the solutions: the
/// mistakes as sentences.

#include <string>
#include <string_view>

namespace warpwise::classroom {

/// Headings, what rejects each and why; without the differences, which show the solution around the mistake.
std::string without_differences(std::string_view page);

}  // namespace warpwise::classroom
