#include <fstream>
#include <iterator>

#include "common/report/json.hpp"
#include "common/report/trace.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/json_schema.hpp"
#include "described_schema.hpp"
#include "example.hpp"

using namespace warpwise;
using namespace warpwise::report::tests;
using testing::Json;
using testing::JsonSchema;

namespace {

std::string text_of_docs(const std::string& name) {
  std::ifstream file(std::string(WARPWISE_SOURCE_DIR) + "/../../docs/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Where they differ the text as it should be lies in the build folder.
void check_committed(const std::string& name, const std::string& text) {
  const std::string file = std::string(WARPWISE_BINARY_DIR) + "/" + name;
  std::ofstream(file, std::ios::binary) << text;
  INFO("docs/" << name << " is not what the members are: cp " << file << " docs/");
  CHECK((text_of_docs(name) == text));
}

Json schema_of_reports() { return Json::parse(text_of_docs("report.schema.json")); }

/// It takes a launch from the schema of reports: both in one document.
Json schema_of_traces() {
  Json schema = Json::parse(text_of_docs("trace.schema.json"));
  const Json reports = schema_of_reports();
  for (const auto& [name, definition] : reports.at("$defs").items())
    if (!schema["$defs"].contains(name)) schema["$defs"][name] = definition;
  Json& launch = schema["$defs"]["traced_launch"]["properties"]["launch"];
  REQUIRE(launch.at("$ref") == "report.schema.json#/$defs/launch");
  launch["$ref"] = "#/$defs/launch";
  return schema;
}

Json written(const auto& document) { return Json::parse(report::json_of(document)); }

/// One of everything, with those members alone that are always written.
report::Report bare() {
  report::Report report;
  report.chapters.emplace_back().kernels.emplace_back();
  report.launches.emplace_back().report.lines.emplace_back();
  report.launches.back().report.findings.emplace_back();
  report.verdicts.emplace_back().failures.emplace_back();
  return report;
}

std::vector<std::string> complaints_about(const Json& document) {
  return JsonSchema(schema_of_reports()).complaints(document);
}

}  // namespace

TEST_CASE("the schemas in docs/ have every member that is written, and no other") {
  check_committed("report.schema.json",
                  lines_of(DescribedSchema().of<report::Report>(
                      "What `--report FILE` of ./warpwise tour, run and exec writes, and WARPWISE_REPORT")) +
                      "\n");
  check_committed(
      "trace.schema.json",
      lines_of(DescribedSchema({"launch"}, "report.schema.json")
                   .of<report::TraceFile>("What `--trace FILE` of ./warpwise run, show and exec writes, and "
                                          "WARPWISE_TRACE")) +
          "\n");
}

TEST_CASE("the schemas take what is written") {
  CHECK(complaints_about(written(example_report())).empty());
  CHECK(complaints_about(written(bare())).empty());
  CHECK(complaints_about(written(report::Report{})).empty());
  const JsonSchema traces(schema_of_traces());
  CHECK(traces.complaints(written(example_traces())).empty());
  CHECK(traces.complaints(written(bare_traces())).empty());
  CHECK(traces.complaints(written(report::TraceFile{})).empty());
}

TEST_CASE("docs/simulator.md has every kind of finding") {
  const std::string page = text_of_docs("simulator.md");
  const std::size_t table = page.find("| kind | what is reported |");
  REQUIRE(table != std::string::npos);
  const std::string rows = page.substr(table, page.find("\n\n", table) - table);
  for (const std::string_view kind : simulator::finding_kind_names)
    CHECK_THAT(rows, testing::ContainsSubstring('`' + std::string(kind) + '`'));
}

TEST_CASE("the schema notices what is missing, unknown or of a wrong kind") {
  const Json right = written(bare());
  Json wrong = right;
  wrong["launches"][0].erase("kernel");
  CHECK(complaints_about(wrong) == std::vector<std::string>{"/launches/0: kernel is missing"});
  wrong = right;
  wrong["launches"][0]["colour"] = "red";
  CHECK(complaints_about(wrong) == std::vector<std::string>{"/launches/0/colour: is not in the schema"});
  wrong = right;
  wrong["launches"][0]["counters"]["shuffles"] = -1;
  CHECK(complaints_about(wrong) == std::vector<std::string>{"/launches/0/counters/shuffles: is less than 0"});
  wrong = right;
  wrong["launches"][0]["findings"] = {{{"kind", "sadness"}}};
  CHECK_FALSE(complaints_about(wrong).empty());
}
