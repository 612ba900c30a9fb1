#pragma once
/// \file A recorded run for those who want to see it: as text, as pictures, as a page.

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../report/trace_file.hpp"

namespace warpwise::print {

/// One sentence about a moment that the run does not have, or a picture that cannot be drawn of it.
class NothingToDraw : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Which moment of a run is meant. Empty members leave the choice to the picture.
struct Moment {
  std::string place;                 ///< "21", "solution.cu:21", "21,22", or words of the line
  std::vector<std::uint32_t> steps;  ///< as a page numbers them, from 1
  std::vector<std::uint32_t> times;  ///< of a warp's steps that fit, from 1
  std::uint32_t access = 0;          ///< of a step's accesses to the memory that is drawn, from 1
  std::optional<std::uint64_t> block;
  std::optional<std::uint32_t> warp;
  bool is_open() const { return place.empty() && steps.empty() && times.empty(); }
};

/// The index of the first launch that has a finding, at the moment's place if it has one; else of the first
/// that comes by there, else 0.
std::size_t launch_with(const report::TraceFile& traces, const Moment& moment);

/// Where a page opens to show the moment, as its address says it: at a finding of the line, else at the
/// memory of its dearest step, else at who works when. Throws NothingToDraw.
std::string address_of(const report::TracedLaunch& traced, const Moment& moment);

/// Where a page opens if no moment is named: at the first finding; at the tree of the element that a check
/// calls wrong, or the line that it says spends too much; else where the run costs most.
std::string usual_address(const report::TracedLaunch& traced);

/// For a terminal of 80 columns: costs of each line of the launch; then of one warp (the first of the first
/// block) each step: its line, its lanes, what its accesses cost, and which banks they ask; then what was
/// left out, and the findings. Of a moment, its steps alone.
void print_text(std::ostream& out, const report::TracedLaunch& traced, const Moment& moment = {});

/// What picture_of() can draw: "costs", "lanes", "banks" ...
std::vector<std::string> view_names();

/// One picture as one SVG file, light and dark, that stands for itself: for lessons, slides, mail. `view`:
/// one of view_names(). `beside`: the second run, of the view "beside". `command`: what draws it, as one
/// would type it; it stands in the file. Throws NothingToDraw where the run has nothing of the kind.
std::string picture_of(std::string_view view, const report::TracedLaunch& traced, const Moment& moment,
                       const std::string& command, const report::TracedLaunch* beside = nullptr);

struct NamedRun {
  std::string name;  ///< "ch03_bank_conflicts/solution.cu: reduce_sequential"
  report::TraceFile traces;
};

/// The page that draws runs: one HTML file with all that it needs. `runs`: the one that is drawn, and where
/// there is a second the one to stand beside it. `start`: the moment at which it opens, as its address says
/// it
/// ("step=12&view=data"); empty: the usual one. `measured`: HTML that stands below the drawing.
std::string page_of(const std::string& title, std::span<const NamedRun> runs, const std::string& start = {},
                    const std::string& measured = {});

/// What the page holds of them, as JSON: of each run {"name", "traces", "facts"}. Traces are as `--trace`
/// writes them (docs/trace.schema.json); facts, an object for each launch, is what the pictures and the text
/// say of it too.
std::string page_data(std::span<const NamedRun> runs);

}  // namespace warpwise::print
