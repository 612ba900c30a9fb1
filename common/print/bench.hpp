#pragma once
/// \file What was measured on a GPU, for a terminal and as pictures: by `./warpwise bench` and by `./warpwise
/// profile`.

#include <cstdint>
#include <string>
#include <vector>

#include "../report/bench_report.hpp"
#include "../report/report.hpp"

namespace warpwise::print {

// --- Bench ------------------------------------------------------------------------------------------------

/// The GPU and how fast its memory is: measured, and by the datasheet.
std::string machine_text(const report::BenchMachine& machine);

/// One kernel: its verdict, then a row a size and, where there are three sizes or more, plots of bandwidth
/// and of the ratio to CUB's time.
std::string kernel_text(const report::BenchKernel& kernel);

/// The rows alone, as a table under its heading.
std::string rows_text(const report::BenchKernel& kernel);

/// Every kernel and size that both have: then, now, and whether the intervals of the two medians are apart.
/// `then_name` stands above the column.
std::string comparison_text(const report::BenchReport& now, const report::BenchReport& then,
                            const std::string& then_name);

/// Where a row stands along the plots of its kernel, and what they name that: its size, or how many bins it
/// has.
double along(const report::BenchRow& row);
std::string axis_of(const report::BenchKernel& kernel);

/// A line of a plot: points (x, y) and the mark that shows them.
struct Series {
  char mark;
  std::vector<double> x, y;
};
/// y upward from 0, x as it is; where marks meet the first of the series is seen. Empty without points.
std::string plot_text(const std::string& title, const std::vector<Series>& series, unsigned columns = 60,
                      unsigned rows = 10);

/// Time, bandwidth and ratio of each kernel that was timed, side by side, a row of pictures a kernel.
std::string bench_svg(const report::BenchReport& bench);

/// A piece of a page: the plots as one picture, and the rows of the table. `bench` has one kernel.
std::string figures_html(const report::BenchReport& bench);

// --- Profile ----------------------------------------------------------------------------------------------

/// One counter of one kernel. `hardware` is what it was counted to be.
struct CounterPair {
  std::string chapter, kernel, counter;
  std::uint64_t simulated = 0, hardware = 0;
  std::string verdict;  ///< "=", "differs", or why the two need not agree

  bool is_equal() const { return simulated == hardware; }
};

/// What both sides counted at one line; loads, stores and atomics together.
struct LinePair {
  struct Counts {
    std::uint64_t simulated = 0, hardware = 0;
    bool operator==(const Counts&) const = default;
  };
  std::string file;  ///< its name, without folders
  unsigned line = 0;
  Counts shared_wavefronts, global_requests, global_sectors;
};

/// The two tables of one kernel: counters, and the lines that touch memory (none: the hardware names no
/// lines).
std::string profile_text(const report::Launch& simulated, const std::vector<CounterPair>& pairs,
                         const std::vector<LinePair>& lines);

/// What the hardware counted then and now, where that has changed; all counters that both have are looked at.
std::string profile_comparison(const std::vector<CounterPair>& now, const std::vector<CounterPair>& then,
                               const std::string& then_name);

}  // namespace warpwise::print
