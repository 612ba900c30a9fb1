#include "profile_text.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "table.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> tab_separated(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

std::uint64_t simulated_count(const report::Launch& launch, const std::string& counter) {
  for (const simulator::CounterField& field : simulator::counter_fields)
    if (field.name == counter) return launch.report.counters.*field.member;
  return 0;
}

/// Whether two spellings of a path mean the same file of the course: the same name in a folder of the same
/// name.
bool is_same_file(const fs::path& one, const fs::path& other) {
  return one.filename() == other.filename() &&
         one.lexically_normal().parent_path().filename() == other.lexically_normal().parent_path().filename();
}

/// What both sides counted at one line.
struct LinePair {
  std::string file;
  unsigned line = 0;
  std::uint64_t wavefronts[2] = {}, requests[2] = {}, sectors[2] = {};  ///< simulated, hardware

  bool is_equal() const {
    return wavefronts[0] == wavefronts[1] && requests[0] == requests[1] && sectors[0] == sectors[1];
  }
};

LinePair& pair_at(std::vector<LinePair>& pairs, const std::string& file, unsigned line) {
  for (LinePair& pair : pairs)
    if (pair.line == line && is_same_file(pair.file, file)) return pair;
  pairs.push_back({file, line, {}, {}, {}});
  return pairs.back();
}

std::vector<LinePair> line_pairs(const report::Launch& simulated, const std::vector<HardwareLine>& lines) {
  std::vector<LinePair> pairs;
  for (const simulator::LineCounters& line : simulated.report.lines) {
    const simulator::Counters& c = line.counters;
    const auto wavefronts = c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts;
    const auto requests = c.global_load_requests + c.global_store_requests + c.global_atomic_requests;
    const auto sectors = c.global_load_sectors + c.global_store_sectors + c.global_atomic_sectors;
    if (wavefronts + requests + sectors == 0) continue;
    LinePair& pair = pair_at(pairs, line.file, line.line);
    pair.wavefronts[0] += wavefronts, pair.requests[0] += requests, pair.sectors[0] += sectors;
  }
  for (const HardwareLine& line : lines) {
    if (line.kernel != simulated.report.kernel) continue;
    LinePair& pair = pair_at(pairs, line.file, line.line);
    pair.wavefronts[1] += line.shared_wavefronts;
    pair.requests[1] += line.global_requests;
    pair.sectors[1] += line.global_sectors;
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const LinePair& a, const LinePair& b) {
    const auto name = [](const LinePair& pair) { return fs::path(pair.file).filename().string(); };
    return name(a) != name(b) ? name(a) < name(b) : a.line < b.line;
  });
  return pairs;
}

/// "1 024", or "1 024 / 1 030" where the hardware counted otherwise.
std::string both(const std::uint64_t (&counts)[2]) {
  if (counts[0] == 0 && counts[1] == 0) return "";
  return counts[0] == counts[1] ? grouped(counts[0]) : grouped(counts[0]) + " / " + grouped(counts[1]);
}

std::string lines_table(const report::Launch& simulated, const std::vector<HardwareLine>& lines) {
  const bool has_lines = std::any_of(lines.begin(), lines.end(), [&](const HardwareLine& line) {
    return line.kernel == simulated.report.kernel;
  });
  if (!has_lines) return "    line by line: Nsight Compute names no lines of this kernel\n";
  Table table({"line", "", "shared wavefronts", "global requests", "sectors"});
  bool differs = false;
  for (const LinePair& pair : line_pairs(simulated, lines)) {
    differs = differs || !pair.is_equal();
    table.add_row({fs::path(pair.file).filename().string() + ":" + std::to_string(pair.line),
                   pair.is_equal() ? "=" : "differs", both(pair.wavefronts), both(pair.requests),
                   both(pair.sectors)});
  }
  return "    line by line; simulated / hardware where the two differ\n" + table.text("    ") +
         (differs ? "    Nsight Compute names the toolkit's line where the simulator names the one that "
                    "calls it, and\n"
                    "    counts a request once for each 128-byte line of the cache that it touches.\n"
                  : "");
}

}  // namespace

KnownDifferences::KnownDifferences(std::string_view table) {
  std::istringstream stream{std::string(table)};
  for (std::string line; std::getline(stream, line);) {
    const std::vector<std::string> fields = tab_separated(line);
    if (!line.starts_with('#') && fields.size() == 3) rows_.push_back({fields[0], fields[1], fields[2]});
  }
}

std::string KnownDifferences::reason(const std::string& kernel, const std::string& counter) const {
  for (const Row& row : rows_)
    if ((row.kernel == kernel || row.kernel == "*") && row.counter == counter) return row.reason;
  return {};
}

std::vector<CounterPair> pairs_of(const report::Launch& simulated, const HardwareLaunch& hardware,
                                  const KnownDifferences& known) {
  std::vector<CounterPair> pairs;
  for (const CounterMetrics& compared : compared_counters()) {
    CounterPair pair{simulated.chapter,
                     hardware.kernel,
                     compared.counter,
                     simulated_count(simulated, compared.counter),
                     hardware.counters.at(compared.counter),
                     "="};
    if (pair.simulated == 0 && pair.hardware == 0) continue;
    if (!pair.is_equal()) {
      const std::string reason = known.reason(pair.kernel, pair.counter);
      pair.verdict = reason.empty() ? "differs" : reason;
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

std::string profile_text(const report::Launch& simulated, const std::vector<CounterPair>& pairs,
                         const std::vector<HardwareLine>& lines) {
  Table table({"counter", "simulated", "hardware", ""});
  for (const CounterPair& pair : pairs)
    table.add_row({pair.counter, grouped(pair.simulated), grouped(pair.hardware), pair.verdict});
  return simulated.report.kernel + ", " + grouped(simulated.elements) + " elements, " +
         grouped(simulated.report.grid[0]) + " blocks of " + grouped(simulated.report.block[0]) + "\n" +
         table.text("    ") + lines_table(simulated, lines);
}

std::string table_of(const std::vector<CounterPair>& pairs, const std::string& head) {
  std::string text = head + "\nchapter\tkernel\tcounter\tsimulated\thardware\t\n";
  for (const CounterPair& pair : pairs)
    text += pair.chapter + '\t' + pair.kernel + '\t' + pair.counter + '\t' + std::to_string(pair.simulated) +
            '\t' + std::to_string(pair.hardware) + '\t' + pair.verdict + '\n';
  return text;
}

std::vector<CounterPair> pairs_from(std::string_view table) {
  std::vector<CounterPair> pairs;
  std::istringstream stream{std::string(table)};
  for (std::string line; std::getline(stream, line);) {
    const std::vector<std::string> fields = tab_separated(line);
    if (line.starts_with('#') || fields.size() != 6) continue;
    pairs.push_back({fields[0], fields[1], fields[2], std::strtoull(fields[3].c_str(), nullptr, 10),
                     std::strtoull(fields[4].c_str(), nullptr, 10), fields[5]});
  }
  return pairs;
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

}  // namespace warpwise::cli
