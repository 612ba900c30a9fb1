#include "common/report/ci_formats.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/testing/catch.hpp"
#include "common/text/files.hpp"
#include "example.hpp"

using namespace warpwise::report;
using nlohmann::json;
using tests::finding_of;
using warpwise::simulator::Finding;
using warpwise::simulator::FindingKind;
using warpwise::testing::ContainsSubstring;

namespace {

const RunOfProgram in_folder{.program = "src/prog.cu", .folder = "/somewhere/my code"};

Finding race() {
  Finding race = finding_of(FindingKind::race);
  race.file = "/somewhere/my code/src/ker nel.cu";
  race.other_file = "/usr/include/helper.cuh";
  return race;
}

Launch launch_with(std::vector<Finding> findings, const std::string& kernel = "reduce") {
  Launch launch;
  launch.report.kernel = kernel;
  launch.report.findings = std::move(findings);
  launch.report.seconds = 0.5;
  return launch;
}

Report report_of(std::vector<Launch> launches) {
  Report report;
  report.launches = std::move(launches);
  return report;
}

json run_of(const Report& report, const RunOfProgram& run = in_folder) {
  const json document = json::parse(sarif_of(report, run));
  CHECK(document["version"] == "2.1.0");
  REQUIRE(document["runs"].size() == 1);
  return document["runs"][0];
}

}  // namespace

TEST_CASE("SARIF says of a finding what it is, where, how to mend it, and where the other thread was") {
  const json run = run_of(report_of({launch_with({race()})}));
  REQUIRE(run["results"].size() == 1);
  const json result = run["results"][0];
  CHECK(result["ruleId"] == "race");
  CHECK(run["tool"]["driver"]["rules"][result["ruleIndex"].get<int>()]["id"] == "race");
  CHECK(result["level"] == "error");
  CHECK(result["message"]["text"] ==
        "thread 3 reads in[5]\n\tafter the \"end\".\nseen twice\nhelp: guard it");
  CHECK(result["occurrenceCount"] == 2);
  const json location = result["locations"][0];
  CHECK(location["logicalLocations"][0]["fullyQualifiedName"] == "reduce");
  CHECK(location["physicalLocation"]["artifactLocation"]["uri"] == "src/ker%20nel.cu");
  CHECK(location["physicalLocation"]["artifactLocation"]["uriBaseId"] == "%SRCROOT%");
  CHECK(location["physicalLocation"]["region"]["startLine"] == 14);
  const json other = result["relatedLocations"][0]["physicalLocation"];
  CHECK(other["artifactLocation"]["uri"] == "file:///usr/include/helper.cuh");
  CHECK(other["region"]["startLine"] == 9);
}

TEST_CASE("SARIF has one result for each mistake, however many launches made it") {
  Finding other_index = finding_of(FindingKind::out_of_bounds), freed = other_index, follows = race();
  freed.help = "it has been freed";
  follows.line = 3;
  follows.follows = true;
  const Report report =
      report_of({launch_with({race(), other_index}), launch_with({race(), freed, follows})});
  const json results = run_of(report)["results"];
  REQUIRE(results.size() == 4);
  const auto with_line = [&](unsigned line, const std::string& kind) {
    return *std::find_if(results.begin(), results.end(), [&](const json& each) {
      return each["ruleId"] == kind &&
             each["locations"][0]["physicalLocation"]["region"]["startLine"] == line;
    });
  };
  CHECK(with_line(14, "race")["occurrenceCount"] == 4);
  CHECK(with_line(3, "race")["level"] == "note");
  CHECK(sarif_of(report, in_folder) == sarif_of(report, in_folder));
}

TEST_CASE(
    "SARIF shows a finding without a line at the program, since a viewer leaves out what has no place") {
  Finding lost = finding_of(FindingKind::launch);
  lost.file.clear();
  lost.line = lost.other_line = 0;
  const json run = run_of(report_of({launch_with({lost})}));
  const json place = run["results"][0]["locations"][0]["physicalLocation"];
  CHECK(place["artifactLocation"]["uri"] == "src/prog.cu");
  CHECK(place["region"]["startLine"] == 1);
  CHECK_FALSE(run["results"][0].contains("relatedLocations"));
}

TEST_CASE("SARIF of two programs has two names, so that one does not replace the other") {
  CHECK(run_of({})["automationDetails"]["id"] == "warpwise/src/prog.cu/");
}

TEST_CASE("SARIF says whether the program itself did well") {
  CHECK(run_of({})["invocations"][0]["executionSuccessful"] == true);
  RunOfProgram failed = in_folder;
  failed.failure = "ended with status 1";
  CHECK(run_of({}, failed)["invocations"][0]["executionSuccessful"] == false);
}

TEST_CASE("each kind is a rule, and its sentence is the beginning of its row in docs/findings.md") {
  const std::string page =
      warpwise::text::read_text(std::string(WARPWISE_SOURCE_DIR) + "/../../docs/findings.md");
  const json rules = run_of({})["tool"]["driver"]["rules"];
  REQUIRE(rules.size() == std::size(warpwise::simulator::finding_kind_names));
  for (const json& rule : rules) {
    const std::string sentence = rule["shortDescription"]["text"];
    CHECK_THAT(page, ContainsSubstring("\n| `" + rule["id"].get<std::string>() + "` | " +
                                       sentence.substr(0, sentence.size() - 1)));
  }
}

TEST_CASE(
    "JUnit has a case for each kernel and one for the program, and a failure where there is a finding") {
  RunOfProgram failed = in_folder;
  failed.failure = "ended with status 1";
  const Report report =
      report_of({launch_with({race()}), launch_with({race()}), launch_with({}, "scan<int>")});
  const std::string text = junit_of(report, failed);
  CHECK_THAT(text, ContainsSubstring("<testsuite name=\"src/prog.cu\" tests=\"3\" failures=\"2\">"));
  CHECK_THAT(text, ContainsSubstring("<testcase classname=\"src/prog.cu\" name=\"reduce\" time=\"1.000\">"));
  CHECK_THAT(text, ContainsSubstring(
                       "<testcase classname=\"src/prog.cu\" name=\"scan&lt;int&gt;\" time=\"0.500\"/>"));
  CHECK_THAT(text, ContainsSubstring("<failure message=\"ended with status 1\""));
  CHECK_THAT(text, ContainsSubstring("after the &quot;end&quot;"));
  const std::string twice = "race: thread 3";
  const std::size_t body = text.find(twice, text.find("type=\"race\""));
  REQUIRE(body != std::string::npos);
  CHECK(text.find(twice, body + 1) == std::string::npos);  // the second launch had the same
}

TEST_CASE("JUnit leaves out what XML has no way to write") {
  Finding strange = race();
  strange.message =
      "a\x01"
      "b\xFF"
      "c\xC3\xA4";
  CHECK_THAT(junit_of(report_of({launch_with({strange})}), in_folder),
             ContainsSubstring("race: abc\xC3\xA4"));
}
