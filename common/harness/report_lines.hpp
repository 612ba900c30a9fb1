#pragma once
/// \file The plain text in which an executable hands its report to the command line, which makes JSON of it.
///
/// One record a line, fields separated by tabs; tab, newline and backslash in a field are written \t, \n, \\.
///     warpwise-report 1
///     chapter   NAME TITLE MODULE DEVICE...
///     check     KERNEL ASPECT OUTCOME     OUTCOME: passed, failed, "not checked"
///     failure   TEST_CASE SENTENCE        of the check above
///     launch    KERNEL GRID_X GRID_Y GRID_Z BLOCK_X BLOCK_Y BLOCK_Z SHARED_BYTES COMPLETED DEVICE SECONDS
///     counter   NAME VALUE                of the launch above; only those that are not 0
///     line      FILE LINE NAME VALUE      likewise, of one source line
///     interval  INDEX VALUE               divergent branches between two barriers
///     finding   KIND FILE LINE MESSAGE NOTE HELP SOURCE COUNT BLOCK THREADS
///               OTHER_FILE OTHER_LINE OTHER_SOURCE
///                                         of the launch or failure above; THREADS: "0,32"
///
/// SECONDS are the host's for a simulated launch and the GPU's for a real one. A record is one line, though
/// the finding's fields take two lines here. `warpwise exec` writes the same without `chapter` and `check`.

#include <iosfwd>
#include <string>
#include <vector>

#include "../simulator/observers/report.hpp"

namespace warpwise::harness {

struct ReportedLaunch {
  simulator::LaunchReport report;  ///< on a real GPU: kernel, shape and seconds only
  std::string device;
};

struct ReportedFailure {
  std::string test_case, sentence;
  std::vector<simulator::Finding> findings;
};

struct ReportedCheck {
  std::string kernel, aspect, outcome;
  std::vector<ReportedFailure> failures;
};

struct Report {
  std::string chapter, title, module;  ///< empty for `exec`
  std::vector<std::string> devices;
  std::vector<ReportedCheck> checks;
  std::vector<ReportedLaunch> launches;
};

void write_report(std::ostream& out, const Report& report);
/// Throws std::runtime_error, "report:7: ...", for text that write_report did not write.
Report read_report(std::istream& in);

}  // namespace warpwise::harness
