#include "common/report/trace.hpp"

#include "common/testing/catch.hpp"
#include "described.hpp"
#include "example.hpp"

using namespace warpwise;
using report::TraceFile;
using namespace report::tests;

namespace {

/// A trace in which every member has a value that is not its default.
TraceFile full() {
  simulator::Trace trace;
  trace.limits = {1, 2, 3};
  trace.schedule = "split:7";
  trace.blocks_left_out = 4;
  trace.instructions_left_out = 5;
  trace.has_all_values = false;
  trace.sources = {{"a.cu", {"first", "größer"}}};
  trace.code = {{"ld.shared.f32 %f1, [%r1];", 0, 14}};
  trace.arrays = {{"partial", true, 128, 256, 4}};
  simulator::TraceStep step{1, 2, 3, 0xf0f0f0f0, 0, 0, {}, {}, {}, 0x3, true, "sync"};
  step.accesses = {
      {0, "atomic", 0, 0x3, 4, 1, {-4, 8}, {"1", "unwritten"}, {"2", "3"}, {1, 0}, 2, 1, 3, true}};
  step.branches = {{0, 0xffffffff, 0x1}};
  step.shuffles = {{0, 0x3, {1, 0}, {"5", "6"}, {0, 1}}};
  trace.steps = {step};
  trace.barriers = {{1, 2, 1, {0xffffffff, 0xffff}}};
  trace.values = {{"in[5]", {}, 1, 33, 0}, {"add", {1, 1}, 1, 33, 0}};
  TraceFile traces;
  traces.launches_left_out = 6;
  traces.launches = {{report::tests::example_report().launches.at(0), trace}};
  return traces;
}

TraceFile bare() {
  TraceFile traces;
  simulator::Trace& trace = traces.launches.emplace_back().trace;
  trace.sources.emplace_back();
  trace.code.emplace_back();
  trace.arrays.emplace_back();
  trace.steps.resize(2);  // the second has nothing in it
  trace.steps[0].accesses.emplace_back().kind = "load";
  trace.steps[0].branches.emplace_back();
  trace.steps[0].shuffles.emplace_back();
  trace.barriers.emplace_back();
  trace.values.emplace_back();
  return traces;
}

/// The schema of traces takes a launch's from that of reports: both in one document.
Json schema_of_traces() {
  Json schema = schema_of_docs("trace.schema.json");
  const Json reports = schema_of_docs("report.schema.json");
  for (const auto& [name, definition] : reports.at("$defs").items())
    if (!schema["$defs"].contains(name)) schema["$defs"][name] = definition;
  Json& launch = schema["$defs"]["traced_launch"]["properties"]["launch"];
  REQUIRE(launch.at("$ref") == "report.schema.json#/$defs/launch");
  launch["$ref"] = "#/$defs/launch";
  return schema;
}

Json written(const TraceFile& traces) { return Json::parse(report::json_of(traces)); }

/// Where an object stands in a document, and where the schema describes it.
const std::pair<const char*, const char*> objects[] = {
    {"", ""},
    {"/launches/0", "/$defs/traced_launch"},
    {"/launches/0/limits", "/$defs/limits"},
    {"/launches/0/sources/0", "/$defs/source"},
    {"/launches/0/code/0", "/$defs/instruction"},
    {"/launches/0/arrays/0", "/$defs/array"},
    {"/launches/0/steps/0", "/$defs/step"},
    {"/launches/0/steps/0/accesses/0", "/$defs/access"},
    {"/launches/0/steps/0/branches/0", "/$defs/branch"},
    {"/launches/0/steps/0/shuffles/0", "/$defs/shuffle"},
    {"/launches/0/barriers/0", "/$defs/barrier"},
};

}  // namespace

TEST_CASE("a trace comes back from JSON as it was") {
  CHECK(report::traces_from(report::json_of(full())) == full());
  CHECK(report::traces_from(report::json_of(bare())) == bare());
  CHECK(report::traces_from(report::json_of(TraceFile{})) == TraceFile{});
}

TEST_CASE("what is no trace is refused in one sentence") {
  const auto why = [](const std::string& text) -> std::string {
    try {
      report::traces_from(text);
    } catch (const report::ReportError& error) {
      return error.what();
    }
    return "taken";
  };
  CHECK(why("{") == "the trace is no JSON");
  CHECK(why(R"({"version":7})") == "the trace is of version 7; this Warpwise reads version 1");
  CHECK(why(R"({"version":1,"launches_left_out":-1,"launches":[]})") ==
        "/launches_left_out is no whole number from 0 to 18446744073709551615");
}

TEST_CASE("the schema of traces takes what is written") {
  const Schema schema(schema_of_traces());
  CHECK(schema.complaints(written(full())).empty());
  CHECK(schema.complaints(written(TraceFile{})).empty());
}

TEST_CASE("the schema of traces has every member that is written, and no other") {
  const Json schema = schema_of_traces();
  for (const auto& [place, definition] : objects) {
    INFO("document " << place << ", schema " << definition);
    const Json described = schema.at(Json::json_pointer(definition));
    CHECK(names_of(described.at("properties")) == names_of(written(full()).at(Json::json_pointer(place))));
    const bool is_step = std::string(place) == "/launches/0/steps/0";
    const Json::json_pointer bare_place(is_step ? "/launches/0/steps/1" : place);
    CHECK(words_of(described.at("required")) == names_of(written(bare()).at(bare_place)));
  }
  const Json value = schema["$defs"]["value"];
  CHECK(names_of(value["properties"]) == names_of(written(full())["launches"][0]["values"][1]));
  CHECK(words_of(value["required"]) == names_of(written(full())["launches"][0]["values"][0]));
}
