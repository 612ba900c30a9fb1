#pragma once
/// \file What the screen shows beside a report: what the chapter's files say of its kernels.

#include <string>

#include "../print/screen.hpp"

namespace warpwise::harness {

/// Of the report's source, and of `contract`, the path of the chapter's kernels.hpp. `folder`: below which
/// both lie; empty: where their paths say. What cannot be read says nothing.
print::ScreenContent screen_content(const report::Report& report, const std::string& contract,
                                    const std::string& folder = {});

/// The text of a line of a source file, each of which is read once; empty where it cannot be.
print::SourceLine source_line_reader();

}  // namespace warpwise::harness
