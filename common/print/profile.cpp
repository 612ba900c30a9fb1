#include "bench.hpp"
#include "tables.hpp"

namespace warpwise::print {
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
