#include "hardware.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <vector>

#include "judging.hpp"
#include "options.hpp"

namespace warpwise::harness {

namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

/// 0 for a kernel that was not launched: then the hardware's count differs.
std::uint64_t simulated_count(const report::Report& report, const std::string& kernel,
                              const std::string& counter) {
  const report::Launch* launch = report.launch(report.chapters.front().name, kernel, true);
  const auto field = std::find_if(std::begin(simulator::counter_fields), std::end(simulator::counter_fields),
                                  [&](const simulator::CounterField& one) { return one.name == counter; });
  if (launch == nullptr || field == std::end(simulator::counter_fields)) return 0;
  return launch->report.counters.*field->member;
}

}  // namespace

HardwareComparison compare_with_hardware(const report::Report& report, std::string_view table) {
  HardwareComparison comparison;
  std::istringstream lines{std::string(table)};
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() != 6 || fields[0] != report.chapters.front().name || fields[5] != "=") continue;
    const std::string simulated = std::to_string(simulated_count(report, fields[1], fields[2]));
    if (simulated != fields[4])
      comparison.differences +=
          fields[1] + ", " + fields[2] + ": simulated " + simulated + ", hardware " + fields[4] + '\n';
    ++comparison.compared;
  }
  return comparison;
}

int judge_counters(const report::Report& report, const std::string& table_path) {
  std::ifstream file(table_path, std::ios::binary);
  if (!file) throw UsageError(table_path + ": cannot be read");
  const auto comparison =
      compare_with_hardware(report, std::string(std::istreambuf_iterator<char>(file), {}));
  if (comparison.compared == 0) {
    std::cout << table_path << " has nothing of " << report.chapters.front().name
              << ": nothing was compared\n";
    return check_failed;
  }
  if (comparison.differences.empty()) {
    std::cout << comparison.compared << " counters are those of the hardware\n";
    return all_well;
  }
  std::cout << "The simulator does not count what the hardware counted:\n" << comparison.differences;
  return check_failed;
}

}  // namespace warpwise::harness
