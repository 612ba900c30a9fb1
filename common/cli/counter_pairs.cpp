#include "counter_pairs.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "../print/tables.hpp"

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

LinePair& pair_at(std::vector<LinePair>& pairs, const std::string& file, unsigned line) {
  for (LinePair& pair : pairs)
    if (pair.line == line && is_same_file(pair.file, file)) return pair;
  LinePair& pair = pairs.emplace_back();
  pair.file = file;
  pair.line = line;
  return pair;
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

std::vector<LinePair> line_pairs(const report::Launch& simulated, const std::vector<HardwareLine>& lines) {
  const auto is_of_kernel = [&](const HardwareLine& line) { return line.kernel == simulated.report.kernel; };
  std::vector<LinePair> pairs;
  if (std::none_of(lines.begin(), lines.end(), is_of_kernel)) return pairs;
  for (const simulator::LineCounters& line : simulated.report.lines) {
    const std::uint64_t wavefronts = print::shared_wavefronts(line.counters);
    const std::uint64_t requests = print::global_requests(line.counters);
    const std::uint64_t sectors = print::global_sectors(line.counters);
    if (wavefronts + requests + sectors == 0) continue;
    LinePair& pair = pair_at(pairs, line.file, line.line);
    pair.shared_wavefronts.simulated += wavefronts;
    pair.global_requests.simulated += requests;
    pair.global_sectors.simulated += sectors;
  }
  for (const HardwareLine& line : lines) {
    if (!is_of_kernel(line)) continue;
    LinePair& pair = pair_at(pairs, line.file, line.line);
    pair.shared_wavefronts.hardware += line.shared_wavefronts;
    pair.global_requests.hardware += line.global_requests;
    pair.global_sectors.hardware += line.global_sectors;
  }
  for (LinePair& pair : pairs) pair.file = fs::path(pair.file).filename().string();
  std::stable_sort(pairs.begin(), pairs.end(), [](const LinePair& a, const LinePair& b) {
    return a.file != b.file ? a.file < b.file : a.line < b.line;
  });
  return pairs;
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

}  // namespace warpwise::cli
