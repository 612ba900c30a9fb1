#include "common/report/json.hpp"
#include "common/testing/catch.hpp"
#include "described.hpp"
#include "example.hpp"

using warpwise::report::Report;
using namespace warpwise;
using namespace warpwise::report::tests;

namespace {

Json schema_of_reports() { return schema_of_docs("report.schema.json"); }

Json written(const Report& report) { return Json::parse(report::json_of(report)); }

/// One of everything, with all its members, or with those alone that are always written.
Json full() { return written(report::tests::example_report()); }
Json bare() {
  Report report;
  report.chapters.emplace_back().kernels.emplace_back();
  report.launches.emplace_back().report.lines.emplace_back();
  report.launches.back().report.findings.emplace_back();
  report.verdicts.emplace_back().failures.emplace_back();
  return written(report);
}

/// Where in a document, and where in the schema, an object of each kind is described.
const std::pair<const char*, const char*> objects[] = {
    {"", ""},
    {"/chapters/0", "/$defs/chapter"},
    {"/chapters/0/kernels/0", "/$defs/kernel"},
    {"/launches/0", "/$defs/launch"},
    {"/launches/0/counters", "/$defs/counters"},
    {"/launches/0/lines/0", "/$defs/line"},
    {"/launches/0/findings/0", "/$defs/finding"},
    {"/checks/0", "/$defs/check"},
    {"/checks/0/failures/0", "/$defs/failure"},
};

std::vector<std::string> complaints_about(const Json& document) {
  return Schema(schema_of_reports()).complaints(document);
}

}  // namespace

TEST_CASE("the schema takes what is written") {
  CHECK(complaints_about(full()).empty());
  CHECK(complaints_about(bare()).empty());
  CHECK(complaints_about(written({})).empty());
}

TEST_CASE("the schema has every member that is written, and no other") {
  const Json schema = schema_of_reports();
  for (const auto& [place, definition] : objects) {
    INFO("document " << place << ", schema " << definition);
    const Json described = schema.at(Json::json_pointer(definition));
    CHECK(names_of(described.at("properties")) == names_of(full().at(Json::json_pointer(place))));
    CHECK(words_of(described.at("required")) == names_of(bare().at(Json::json_pointer(place))));
  }
}

TEST_CASE("the schema says what each counter counts, in the words of the one list") {
  const Json counters = schema_of_reports()["$defs"]["counters"]["properties"];
  CHECK(counters.size() == std::size(simulator::counter_fields) + 1);  // lane_utilisation
  for (const simulator::CounterField& field : simulator::counter_fields) {
    INFO(field.name);
    CHECK(counters.at(std::string(field.name)).at("description") == field.title);
  }
}

TEST_CASE("the schema and docs/simulator.md have every kind of finding, and no other") {
  std::set<std::string> kinds(std::begin(simulator::finding_kind_names),
                              std::end(simulator::finding_kind_names));
  CHECK(words_of(schema_of_reports()["$defs"]["finding"]["properties"]["kind"]["enum"]) == kinds);
  const std::string page = text_of_docs("simulator.md");
  const std::size_t table = page.find("| kind | what is reported |");
  REQUIRE(table != std::string::npos);
  const std::string rows = page.substr(table, page.find("\n\n", table) - table);
  for (const std::string& kind : kinds) CHECK_THAT(rows, testing::ContainsSubstring('`' + kind + '`'));
}

TEST_CASE("the schema has every aspect and outcome") {
  const Json check = schema_of_reports()["$defs"]["check"]["properties"];
  for (const report::Aspect aspect : report::all_aspects)
    CHECK(words_of(check["aspect"]["enum"]).contains(std::string(name_of(aspect))));
  for (const report::Outcome outcome : report::all_outcomes)
    CHECK(words_of(check["outcome"]["enum"]).contains(std::string(name_of(outcome))));
}

TEST_CASE("the schema notices what is missing, unknown or of a wrong kind") {
  Json wrong = bare();
  wrong["launches"][0].erase("kernel");
  CHECK(complaints_about(wrong) == std::vector<std::string>{"/launches/0: kernel is missing"});
  wrong = bare();
  wrong["launches"][0]["colour"] = "red";
  CHECK(complaints_about(wrong) == std::vector<std::string>{"/launches/0/colour: is not in the schema"});
  wrong = bare();
  wrong["launches"][0]["counters"]["shuffles"] = -1;
  CHECK(complaints_about(wrong) == std::vector<std::string>{"/launches/0/counters/shuffles: is less than 0"});
  wrong = bare();
  wrong["launches"][0]["findings"] = {{{"kind", "sadness"}}};
  CHECK_FALSE(complaints_about(wrong).empty());
}
