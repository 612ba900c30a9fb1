#include "bench.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tables.hpp"

namespace warpwise::print {
namespace {

using report::BenchKernel;
using report::BenchRow;
using report::BenchVerdict;
using report::Median;

/// Four significant digits below a second.
std::string milliseconds_text(double milliseconds) {
  return fixed(milliseconds, milliseconds < 0.1 ? 5 : milliseconds < 10 ? 4 : 2);
}

std::string interval_text(const Median& ratio) { return fixed(ratio.low, 3) + "-" + fixed(ratio.high, 3); }

/// "faster", "slower", or neither: the interval holds 1.
std::string word_of(const Median& ratio) {
  return ratio.high < 1 ? "faster" : ratio.low > 1 ? "slower" : "the same";
}

std::string plots_text(const BenchKernel& kernel) {
  Series ours{'o', {}, {}}, cub{'c', {}, {}}, ratio{'o', {}, {}}, one{'-', {}, {}};
  for (const BenchRow& row : kernel.rows) {
    const double x = along(row);
    for (Series* series : {&ours, &cub, &ratio, &one}) series->x.push_back(x);
    ours.y.push_back(gigabytes_per_second(row, row.ours));
    cub.y.push_back(gigabytes_per_second(row, row.cub));
    ratio.y.push_back(row.ratio.median);
    one.y.push_back(1);
  }
  const std::string axis = axis_of(kernel);
  return "\n" + plot_text("GB/s along " + axis + ": o this kernel, c CUB", {ours, cub}) + "\n" +
         plot_text("time by CUB's, along " + axis, {ratio, one}, 60, 8);
}

const BenchKernel* find(const report::BenchReport& bench, const BenchKernel& kernel) {
  for (const BenchKernel& other : bench.kernels)
    if (other.chapter == kernel.chapter && other.kernel == kernel.kernel) return &other;
  return nullptr;
}

std::string change_text(const Median& now, const Median& then) {
  const double percent = 100 * (now.median / then.median - 1);
  const bool is_apart = now.low > then.high || now.high < then.low;
  return (percent < 0 ? "" : "+") + fixed(percent, 1) + " %" +
         (is_apart ? percent < 0 ? " faster" : " slower" : " within the spread");
}

}  // namespace

double along(const BenchRow& row) { return std::log2(row.bins == 0 ? row.n : row.bins); }

std::string axis_of(const BenchKernel& kernel) {
  return kernel.rows.front().bins == 0 ? "log2 n" : "log2 of the bins";
}

std::string machine_text(const report::BenchMachine& machine) {
  const auto speed = [](double bytes) { return rounded(bytes / 1e9) + " GB/s"; };
  std::string text =
      machine.gpu + ", driver for CUDA " + machine.driver + ", compiled with CUDA " + machine.toolkit + "\n";
  text += "  its memory: " + speed(machine.read) + " read, " + speed(machine.copy) +
          " copied (read and written), both measured here";
  const double datasheet = report::datasheet_bandwidth(machine.gpu);
  if (datasheet != 0) text += "; " + speed(datasheet) + " by the datasheet";
  if (machine.peak != 0) text += "; " + speed(machine.peak) + " by clock and width";
  return text +
         "\n  ms: time on the GPU. ratio: of it to CUB's in the same pairs, and its 95 % interval.\n"
         "  called: the same ratio from the call on, with what the host does before the last kernel "
         "starts.\n";
}

std::string rows_text(const BenchKernel& kernel) {
  Table table({"n", "ms", "GB/s", "CUB ms", "GB/s", "ratio", "95 %", "", "called", "runs"});
  for (const BenchRow& row : kernel.rows) {
    table.add_row({size_text(row), milliseconds_text(row.ours.median),
                   rounded(gigabytes_per_second(row, row.ours)), milliseconds_text(row.cub.median),
                   rounded(gigabytes_per_second(row, row.cub)), fixed(row.ratio.median, 3),
                   interval_text(row.ratio), word_of(row.ratio), fixed(row.called.median, 3),
                   std::to_string(row.pairs)});
  }
  return table.text("    ");
}

std::string kernel_text(const BenchKernel& kernel) {
  std::string text = kernel.kernel + " beside " + kernel.counterpart +
                     (kernel.remark.empty() ? "" : " (" + kernel.remark + ")") + "\n";
  if (kernel.verdict == BenchVerdict::wrong)
    return text + "    is WRONG: " + kernel.problem + "\n    Nothing was timed.\n";
  if (kernel.verdict == BenchVerdict::unwritten)
    return text + "    is still to be written: " + kernel.problem + "\n";
  if (!kernel.rows.empty()) text += rows_text(kernel);
  if (kernel.verdict == BenchVerdict::failed) return text + "    FAILED: " + kernel.problem + "\n";
  if (kernel.rows.size() >= 3) text += plots_text(kernel);
  return text;
}

std::string comparison_text(const report::BenchReport& now, const report::BenchReport& then,
                            const std::string& then_name) {
  std::string text =
      "Compared with " + then_name + " (" + then.machine.gpu + ", CUDA " + then.machine.toolkit + ")\n";
  bool is_empty = true;
  for (const BenchKernel& kernel : now.kernels) {
    const BenchKernel* other = find(then, kernel);
    if (other == nullptr) continue;
    Table table({"n", "then GB/s", "now GB/s", "time", "ratio then", "now"});
    unsigned rows = 0;
    for (const BenchRow& row : kernel.rows) {
      for (const BenchRow& before : other->rows) {
        if (!row.is_same_size(before)) continue;
        table.add_row({size_text(row), rounded(gigabytes_per_second(before, before.ours)),
                       rounded(gigabytes_per_second(row, row.ours)), change_text(row.ours, before.ours),
                       fixed(before.ratio.median, 3), fixed(row.ratio.median, 3)});
        ++rows;
      }
    }
    if (rows == 0) continue;
    text += "\n  " + kernel.kernel + "\n" + table.text("    ");
    is_empty = false;
  }
  return is_empty ? text + "\n  It has none of these kernels at one of these sizes.\n" : text;
}

std::string plot_text(const std::string& title, const std::vector<Series>& series, unsigned columns,
                      unsigned rows) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double left = infinity, right = -infinity, top = 0;
  for (const Series& one : series) {
    for (const double x : one.x) left = std::min(left, x), right = std::max(right, x);
    for (const double y : one.y) top = std::max(top, y);
  }
  if (left > right || top <= 0) return {};
  std::vector<std::string> cells(rows, std::string(columns, ' '));
  const double width = std::max(right - left, 1e-9);
  for (auto one = series.rbegin(); one != series.rend(); ++one) {
    for (std::size_t i = 0; i < one->x.size(); ++i) {
      const auto column = static_cast<std::size_t>(std::lround((one->x[i] - left) / width * (columns - 1)));
      const auto row = static_cast<std::size_t>(std::lround(one->y[i] / top * (rows - 1)));
      cells[rows - 1 - row][column] = one->mark;
    }
  }
  std::string text = "    " + title + "\n";
  for (unsigned row = 0; row < rows; ++row) {
    std::string label = row == 0 ? rounded(top) : row == rows - 1 ? "0" : "";
    label.insert(0, 8 - std::min<std::size_t>(8, label.size()), ' ');
    std::string line = cells[row];
    line.erase(line.find_last_not_of(' ') + 1);
    text += "  " + label + " |" + line + "\n";
  }
  std::string axis = fixed(left, 0);
  const std::string end = fixed(right, 0);
  axis += std::string(columns > axis.size() + end.size() ? columns - axis.size() - end.size() : 1, ' ') + end;
  return text + "           +" + std::string(columns, '-') + "\n            " + axis + "\n";
}

// --- Profile ----------------------------------------------------------------------------------------------

namespace {

bool is_equal(const LinePair::Counts& counts) { return counts.simulated == counts.hardware; }

/// "1 024", or "1 024 / 1 030" where the hardware counted otherwise.
std::string both(const LinePair::Counts& counts) {
  if (counts == LinePair::Counts{}) return "";
  return is_equal(counts) ? grouped(counts.simulated)
                          : grouped(counts.simulated) + " / " + grouped(counts.hardware);
}

std::string lines_table(const std::vector<LinePair>& lines) {
  if (lines.empty()) return "    line by line: Nsight Compute names no lines of this kernel\n";
  Table table({"line", "", "shared wavefronts", "global requests", "sectors"});
  bool differs = false;
  for (const LinePair& line : lines) {
    const bool agrees =
        is_equal(line.shared_wavefronts) && is_equal(line.global_requests) && is_equal(line.global_sectors);
    differs = differs || !agrees;
    table.add_row({line.file + ":" + std::to_string(line.line), agrees ? "=" : "differs",
                   both(line.shared_wavefronts), both(line.global_requests), both(line.global_sectors)});
  }
  return "    line by line; simulated / hardware where the two differ\n" + table.text("    ") +
         (differs ? "    Nsight Compute names the toolkit's line where the simulator names the one that "
                    "calls it, and\n"
                    "    counts a request once for each 128-byte line of the cache that it touches.\n"
                  : "");
}

}  // namespace

std::string profile_text(const report::Launch& simulated, const std::vector<CounterPair>& pairs,
                         const std::vector<LinePair>& lines) {
  Table table({"counter", "simulated", "hardware", ""});
  for (const CounterPair& pair : pairs)
    table.add_row({pair.counter, grouped(pair.simulated), grouped(pair.hardware), pair.verdict});
  return simulated.report.kernel + ", " + grouped(simulated.elements) + " elements, " +
         grouped(simulated.report.grid[0]) + " blocks of " + grouped(simulated.report.block[0]) + "\n" +
         table.text("    ") + lines_table(lines);
}

std::string profile_comparison(const std::vector<CounterPair>& now, const std::vector<CounterPair>& then,
                               const std::string& then_name) {
  Table table({"kernel", "counter", "then", "now"}, 2);
  unsigned compared = 0, changed = 0;
  for (const CounterPair& pair : now) {
    for (const CounterPair& before : then) {
      if (pair.chapter != before.chapter || pair.kernel != before.kernel || pair.counter != before.counter)
        continue;
      ++compared;
      if (pair.hardware == before.hardware) continue;
      table.add_row({pair.kernel, pair.counter, grouped(before.hardware), grouped(pair.hardware)});
      ++changed;
    }
  }
  return "Compared with " + then_name + ": " + std::to_string(compared) + " hardware counters, " +
         (changed == 0 ? "all as they were\n" : std::to_string(changed) + " changed\n\n" + table.text());
}

}  // namespace warpwise::print
