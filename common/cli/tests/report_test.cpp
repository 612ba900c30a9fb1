#include "../report.hpp"

#include <nlohmann/json.hpp>

#include "../failure.hpp"
#include "common/testing/catch.hpp"
#include "temporary_folder.hpp"

using namespace warpwise;
using namespace warpwise::cli;
using warpwise::testing::ContainsSubstring;

namespace {

harness::Report example() {
  simulator::Finding race;
  race.kind = simulator::FindingKind::race;
  race.file = "exercise.cu";
  race.line = 14;
  race.message = "thread 32 reads s[32] while thread 0 may still write it";
  race.threads = {0, 32};
  race.count = 1792;

  harness::ReportedLaunch launch;
  launch.device = "sim";
  launch.report.kernel = "reduce_naive";
  launch.report.grid = {256, 1, 1};
  launch.report.block = {256, 1, 1};
  launch.report.counters.block_barriers = 2304;
  launch.report.findings = {race};

  harness::Report report;
  report.chapter = "ch01_naive";
  report.launches = {launch};
  report.checks = {{"reduce_naive", "safety", "failed", {{"reduce_naive: safety", "a \"race\"", {race}}}}};
  return report;
}

}  // namespace

TEST_CASE("a report becomes the JSON that is promised") {
  const auto json = nlohmann::json::parse(json_of(std::vector<harness::Report>{example()}));
  const auto& launch = json.at("launches").at(0);
  CHECK(launch.at("kernel") == "reduce_naive");
  CHECK(launch.at("grid") == nlohmann::json({256, 1, 1}));
  CHECK(launch.at("counters").at("block_barriers") == 2304);
  CHECK(launch.at("counters").at("shared_load_wavefronts") == 0);
  const auto& finding = launch.at("findings").at(0);
  CHECK(finding.at("kind") == "race");
  CHECK(finding.at("file") == "exercise.cu");
  CHECK(finding.at("line") == 14);
  CHECK(finding.at("message") == "thread 32 reads s[32] while thread 0 may still write it");
  CHECK(json.at("checks").at(0).at("outcome") == "failed");
  CHECK(json.at("checks").at(0).at("failures").at(0).at("message") == "a \"race\"");
}

TEST_CASE("what a chapter wrote in lines is what is read") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "lines") << [] {
    std::ostringstream text;
    harness::write_report(text, example());
    return text.str();
  }();
  const harness::Report report = read_report_file(folder.path() / "lines");
  CHECK(json_of(std::vector{report}) == json_of(std::vector{example()}));
}

TEST_CASE("text that is no report is one sentence") {
  const TemporaryFolder folder;
  folder.write("lines", "nonsense\n");
  CHECK_THROWS_WITH(read_report_file(folder.path() / "lines"), ContainsSubstring("lines: report:1:"));
  CHECK_THROWS_WITH(read_report_file(folder.path() / "none"), ContainsSubstring("cannot read"));
}
