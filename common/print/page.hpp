#pragma once
/// \file The page that draws runs: one HTML file with all that it needs. Its parts are in page/.

#include <span>
#include <string>

#include "../report/trace.hpp"

namespace warpwise::print {

struct NamedRun {
  std::string name;  ///< "ch03_bank_conflicts/solution.cu: reduce_sequential"
  report::TraceFile traces;
};

/// The whole file. `runs`: the one that is drawn, and where there is a second the one to stand beside it.
/// `start`: the moment at which it opens, as its address says it ("step=12&view=data"); empty: the usual one.
/// `measured`: HTML that stands below the drawing.
std::string page_of(const std::string& title, std::span<const NamedRun> runs, const std::string& start = {},
                    const std::string& measured = {});

/// What it holds of them, as JSON: of each run {"name", "traces", "facts"}. Traces are as `--trace` writes
/// them (docs/trace.schema.json); facts, an object for each launch, is what the pictures and the text say of
/// it too.
std::string page_data(std::span<const NamedRun> runs);

}  // namespace warpwise::print
