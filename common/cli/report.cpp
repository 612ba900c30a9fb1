#include "report.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "chapters.hpp"
#include "failure.hpp"

namespace warpwise::cli {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const simulator::Counters& counters) {
  Json object = Json::object();
  for (const auto& [name, member] : simulator::Counters::members())
    object[std::string(name)] = counters.*member;
  object["lane_utilisation"] = counters.lane_utilisation();
  return object;
}

Json json_of(const std::vector<simulator::Finding>& findings) {
  Json list = Json::array();
  for (const simulator::Finding& finding : findings) {
    Json object = {{"kind", name_of(finding.kind)}, {"file", finding.file},   {"line", finding.line},
                   {"message", finding.message},    {"note", finding.note},   {"help", finding.help},
                   {"source", finding.source},      {"count", finding.count}, {"block", finding.block},
                   {"threads", finding.threads}};
    if (finding.other_line != 0) {
      object["other_file"] = finding.other_file;
      object["other_line"] = finding.other_line;
    }
    list.push_back(std::move(object));
  }
  return list;
}

Json json_of(const harness::ReportedLaunch& launch) {
  const simulator::LaunchReport& report = launch.report;
  Json lines = Json::array();
  for (const simulator::LineCounters& line : report.lines) {
    lines.push_back({{"file", line.file}, {"line", line.line}, {"counters", json_of(line.counters)}});
  }
  return {{"kernel", report.kernel},
          {"device", launch.device},
          {"grid", report.grid},
          {"block", report.block},
          {"shared_bytes", report.shared_bytes},
          {"completed", report.completed},
          {"seconds", report.seconds},
          {"counters", json_of(report.counters)},
          {"divergent_branches_by_interval", report.divergent_branches_by_interval},
          {"lines", std::move(lines)},
          {"findings", json_of(report.findings)}};
}

Json json_of(const harness::ReportedCheck& check, const std::string& chapter) {
  Json failures = Json::array();
  for (const harness::ReportedFailure& failure : check.failures) {
    failures.push_back({{"test", failure.test_case},
                        {"message", failure.sentence},
                        {"findings", json_of(failure.findings)}});
  }
  return {{"chapter", chapter},
          {"kernel", check.kernel},
          {"aspect", check.aspect},
          {"outcome", check.outcome},
          {"failures", std::move(failures)}};
}

}  // namespace

std::string json_of(const std::vector<harness::Report>& reports) {
  Json document = {{"launches", Json::array()}, {"checks", Json::array()}};
  for (const harness::Report& report : reports) {
    for (const harness::ReportedLaunch& launch : report.launches) {
      Json object = json_of(launch);
      if (!report.chapter.empty()) object["chapter"] = report.chapter;
      document["launches"].push_back(std::move(object));
    }
    for (const harness::ReportedCheck& check : report.checks) {
      document["checks"].push_back(json_of(check, report.chapter));
    }
  }
  // What a student's printf or file name brings need not be UTF-8.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

harness::Report read_report_file(const std::filesystem::path& lines) {
  std::ifstream file(lines, std::ios::binary);
  if (!file) throw Failure("cannot read " + shown(lines) + ".");
  try {
    return harness::read_report(file);
  } catch (const std::runtime_error& error) {
    throw Failure(shown(lines) + ": " + error.what());
  }
}

void write_json(const std::filesystem::path& file, const std::vector<std::filesystem::path>& lines) {
  std::vector<harness::Report> reports;
  for (const std::filesystem::path& path : lines) reports.push_back(read_report_file(path));
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if (!(out << json_of(reports) << std::flush)) throw Failure("cannot write " + file.string() + ".");
}

}  // namespace warpwise::cli
