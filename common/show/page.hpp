#pragma once
/// \file The page that draws runs: one HTML file with all that it needs. Its parts are in page/.

#include <span>
#include <string>

namespace warpwise::show {

/// The traces of one run, as a file says them (docs/trace.schema.json).
struct NamedTraces {
  std::string name;  ///< "ch03_bank_conflicts/solution.cu"
  std::string json;
};

/// The whole file. `runs`: the one that is drawn, and where there is a second the one to stand beside it.
/// `start`: the moment at which it opens, as its address says it ("step=12&view=data"); empty: the page
/// chooses. `measured`: HTML that stands below the drawing.
std::string page_of(const std::string& title, std::span<const NamedTraces> runs,
                    const std::string& start = {}, const std::string& measured = {});

}  // namespace warpwise::show
