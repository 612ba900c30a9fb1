#pragma once
/// \file What `./warpwise bench` measured, for a terminal and as pictures.

#include <string>
#include <vector>

#include "../report/bench.hpp"

namespace warpwise::cli {

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

/// A line of a plot: points (x, y) and the mark that shows them.
struct Series {
  std::string name;
  char mark;
  std::vector<double> x, y;
};
/// y upward from 0, x as it is; where marks meet the first of the series is seen. Empty without points.
std::string plot_text(const std::string& title, const std::vector<Series>& series, unsigned columns = 60,
                      unsigned rows = 10);

/// Time, bandwidth and ratio of each kernel that was timed, side by side, a row of pictures a kernel.
std::string bench_svg(const report::BenchReport& bench);

/// "10:20" -> 10 and 20; "12" -> 12 and 12. Throws Failure (wrong usage) for anything else, and for what is
/// not within 5 to 30.
struct LogRange {
  unsigned first = 10, last = 30;
};
LogRange log_range_from(const std::string& text);

}  // namespace warpwise::cli
