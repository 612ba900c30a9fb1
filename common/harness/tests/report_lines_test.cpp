#include "common/harness/report_lines.hpp"

#include <sstream>

#include "common/testing/catch.hpp"

using namespace warpwise::harness;
using warpwise::simulator::Finding;
using warpwise::simulator::FindingKind;
using warpwise::testing::ContainsSubstring;

namespace {

Finding example_finding() {
  Finding finding;
  finding.kind = FindingKind::out_of_bounds;
  finding.file = "a\\b.cu";
  finding.line = 14;
  finding.message = "thread 3 reads in[5]\n\tafter the end";
  finding.note = "seen twice";
  finding.help = "guard it";
  finding.source = "\tx = in[i];";
  finding.count = 2;
  finding.block = 7;
  finding.threads = {3, 35};
  finding.other_file = "b.cu";
  finding.other_line = 9;
  finding.other_source = "y = 2;";
  return finding;
}

Report example() {
  ReportedLaunch launch;
  launch.device = "sim";
  launch.report.kernel = "k";
  launch.report.grid = {2, 3, 1};
  launch.report.block = {256, 1, 1};
  launch.report.shared_bytes = 1024;
  launch.report.completed = false;
  launch.report.seconds = 0.25;
  launch.report.counters.warp_instructions = 123456789012;
  launch.report.counters.divergent_branches = 4;
  launch.report.lines.push_back({"a.cu", 14, {}});
  launch.report.lines.back().counters.branches = 5;
  launch.report.lines.back().counters.votes = 6;
  launch.report.lines.push_back({"a.cu", 15, {}});
  launch.report.lines.back().counters.branches = 7;
  launch.report.divergent_branches_by_interval = {0, 16};
  launch.report.findings = {example_finding()};
  Report report;
  report.chapter = "ch01_naive";
  report.title = "A tree";
  report.module = "a.ptx";
  report.devices = {"simulated GPU", "NVIDIA H200"};
  report.checks = {{"k", "result", "passed", {}},
                   {"k", "safety", "failed", {{"k: safety", "race", {example_finding()}}}}};
  report.launches = {launch, launch};
  return report;
}

std::string written(const Report& report) {
  std::ostringstream out;
  write_report(out, report);
  return out.str();
}

Report read(const std::string& text) {
  std::istringstream in(text);
  return read_report(in);
}

}  // namespace

TEST_CASE("a report survives being written and read") {
  const std::string text = written(example());
  const Report report = read(text);
  CHECK(written(report) == text);
  CHECK(report.devices.size() == 2);
  REQUIRE(report.launches.size() == 2);
  const auto& launch = report.launches[0].report;
  CHECK(launch.counters.warp_instructions == 123456789012);
  CHECK_FALSE(launch.completed);
  CHECK(launch.lines.size() == 2);
  CHECK(launch.lines[0].counters.votes == 6);
  CHECK(launch.divergent_branches_by_interval == std::vector<std::uint64_t>{0, 16});
  REQUIRE(launch.findings.size() == 1);
  CHECK(launch.findings[0].file == "a\\b.cu");
  CHECK(launch.findings[0].message == "thread 3 reads in[5]\n\tafter the end");
  CHECK(launch.findings[0].other_source == "y = 2;");
  CHECK(launch.findings[0].threads == std::vector<std::uint32_t>{3, 35});
  REQUIRE(report.checks.size() == 2);
  CHECK(report.checks[1].failures.at(0).findings.at(0).kind == FindingKind::out_of_bounds);
}

TEST_CASE("a report without a chapter") {
  Report report;
  report.launches.push_back({});
  CHECK(read(written(report)).chapter.empty());
}

TEST_CASE("other text is refused with its line") {
  CHECK_THROWS_WITH(read(""), ContainsSubstring("this is no report"));
  CHECK_THROWS_WITH(read("hello\n"), ContainsSubstring("report:1: "));
  CHECK_THROWS_WITH(read("warpwise-report\t1\nspeed\t1\n"),
                    ContainsSubstring("report:2: there is no record `speed`"));
  CHECK_THROWS_WITH(read("warpwise-report\t1\ncounter\tvotes\t1\n"), ContainsSubstring("no launch precedes"));
  const std::string text = written(example());
  CHECK_THROWS_WITH(read(text + "counter\tspeed\t1\n"), ContainsSubstring("there is no counter `speed`"));
  CHECK_THROWS_WITH(read(text + "counter\tvotes\tx\n"), ContainsSubstring("`x` is not a number"));
  CHECK_THROWS_WITH(read(text + "counter\tvotes\n"), ContainsSubstring("a field is missing"));
}
