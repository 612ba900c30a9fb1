#pragma once
/// \file show: draws what each lane of a small run did.

#include <iosfwd>
#include <string>
#include <vector>

#include "../print/recorded_run.hpp"
#include "commands.hpp"

namespace warpwise::cli {

/// How runs are drawn: as a page of HTML, as text, or as one picture.
struct Drawing {
  bool is_text = false;   ///< no page: the same for a terminal
  std::string view;       ///< no page: one picture, as SVG; one of print::view_names()
  std::string output;     ///< file of the page or picture; empty: below the build folder
  print::Moment moment;   ///< of the first run, that is drawn
  bool is_opened = true;  ///< the page or picture, where there is a desktop
  std::string command;    ///< what draws it again: a picture says so

  bool is_page() const { return !is_text && view.empty(); }
};
/// Draws `runs`, of which the second stands beside the first; says on `out` where, or writes the text there.
/// `name`: of the file below the build folder, without its ending. `title` and `measured` are the page's
/// (print::page_of). Throws Failure (wrong usage) if the file cannot be written.
void draw(std::ostream& out, const Drawing& drawing, const std::string& name,
          const std::vector<print::NamedRun>& runs, const std::string& title,
          const std::string& measured = {});

struct ShowOptions {
  std::string chapter,
      kernel;  ///< kernel empty: the attempt's, the first that is written and not right, the first
  bool uses_solution = false;
  std::string attempt, accepted;  ///< the name of one
  /// Elements, threads where the kernel takes any number, the order of lanes. If nothing is said of all
  /// three: as in the launch that the checks reject, else few, 64, converged.
  unsigned long long n = 0;
  unsigned block = 0;
  std::string schedule = {};
  std::string beside;  ///< "solution" or "CHAPTER:KERNEL"; empty: nothing
  std::string bench;   ///< a result of `bench --json`, or "h200": the page has its figures of the kernel
  Drawing drawing = {};
  TypedLine line = {};
};
/// Records one small launch and draws it.
int show(const ShowOptions& options);

}  // namespace warpwise::cli
