// The part of screen.hpp that shows the counters.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <ostream>

#include "ladder.hpp"
#include "screen.hpp"

namespace warpwise::harness {

namespace {

/// printf into a string: columns of figures are clearer so than with manipulators.
template <class... Values>
std::string formatted(const char* format, Values... values) {
  char line[256];
  std::snprintf(line, sizeof line, format, values...);
  return line;
}

/// Powers of two are easier to read as such: "2^16".
std::string size_text(unsigned n) {
  return n >= 4096 && std::has_single_bit(n) ? "2^" + std::to_string(std::countr_zero(n)) : std::to_string(n);
}

std::string row_of(const ExhibitRun& run, int name_width) {
  const simulator::Counters& counters = run.simulated->counters();
  const double blocks = static_cast<double>(std::max<std::uint64_t>(1, run.simulated->shape().grid.volume()));
  const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
  return formatted("  %-*s %5s %8llu %7.4g %8llu %7llu %8llu %6.2f %4.0f%%\n", name_width,
                   std::string(run.exhibit->kernel.text).c_str(), size_text(run.n).c_str(),
                   number(counters.divergent_branches), static_cast<double>(counters.block_barriers) / blocks,
                   number(shared_wavefronts(counters)), number(bank_conflicts(counters)),
                   number(global_sectors(counters)),
                   static_cast<double>(counters.warp_instructions) / std::max(1u, run.n),
                   100 * counters.lane_utilisation());
}

std::string time_of(const ExhibitRun& run, const std::string& gpu, int name_width) {
  return formatted("  %-*s %5s on %s: %.4g ms, %.4g GB/s\n", name_width,
                   std::string(run.exhibit->kernel.text).c_str(), size_text(run.gpu_n).c_str(), gpu.c_str(),
                   *run.gpu->milliseconds(), gigabytes_per_second(run));
}

}  // namespace

void print_counters(std::ostream& out, const std::vector<ExhibitRun>& runs, const std::string& gpu) {
  std::size_t longest = 7;
  for (const ExhibitRun& run : runs) longest = std::max(longest, run.exhibit->kernel.text.size());
  const int name_width = static_cast<int>(longest);
  const auto is_counted = [](const ExhibitRun& run) { return run.simulated.has_value(); };
  if (std::any_of(runs.begin(), runs.end(), is_counted)) {
    const char* const header = "  %-*s %5s %8s %7s %8s %7s %8s %6s %5s\n";
    out << '\n'
        << formatted(header, name_width, "", "", "diverg.", "barr.", "shared", "bank", "global", "instr.",
                     "lanes")
        << formatted(header, name_width, "counted", "n", "branches", "a block", "wavefr.", "confl.",
                     "sectors", "/elem.", "busy");
  }
  for (const ExhibitRun& run : runs) {
    if (run.simulated) out << row_of(run, name_width);
  }
  for (const ExhibitRun& run : runs) {
    if (run.gpu && run.gpu->milliseconds()) out << time_of(run, gpu, name_width);
    if (!run.problem.empty()) out << "  " << run.exhibit->kernel.text << ": " << run.problem << '\n';
  }
  for (const ExhibitRun& run : runs) {
    if (!run.simulated || run.exhibit->show == nullptr) continue;
    out << "\n  " << run.exhibit->kernel.text << ", n = " << run.n << ":\n";
    run.exhibit->show(out, *run.simulated);
  }
}

}  // namespace warpwise::harness
