#include "schema.hpp"

#include <fstream>

#include "common/testing/catch.hpp"

using warpwise::cli::tests::Json;
using warpwise::cli::tests::Schema;

namespace {

Json schema_of_reports() {
  std::ifstream file(std::string(WARPWISE_SOURCE_DIR) + "/../../docs/report.schema.json");
  return Json::parse(file);
}

Json launch() {
  const Json size = {1, 1, 1};
  Json counters = {{"lane_utilisation", 0.5}};
  const Json schema = schema_of_reports();
  for (const Json& name : schema["$defs"]["counters"]["required"])
    if (!counters.contains(name)) counters[name.get<std::string>()] = 1;
  return {
      {"kernel", "k"},          {"device", "sim"},          {"grid", size},
      {"block", size},          {"shared_bytes", 0},        {"completed", true},
      {"seconds", 0.1},         {"counters", counters},     {"divergent_branches_by_interval", Json::array()},
      {"lines", Json::array()}, {"findings", Json::array()}};
}

std::vector<std::string> complaints_about(const Json& launch) {
  return Schema(schema_of_reports()).complaints({{"launches", {launch}}, {"checks", Json::array()}});
}

}  // namespace

TEST_CASE("the schema takes a launch as the report writes it") { CHECK(complaints_about(launch()).empty()); }

TEST_CASE("the schema notices what is missing, unknown or of a wrong kind") {
  Json wrong = launch();
  wrong.erase("kernel");
  CHECK(complaints_about(wrong) == std::vector<std::string>{"/launches/0: kernel is missing"});
  wrong = launch();
  wrong["colour"] = "red";
  CHECK(complaints_about(wrong) == std::vector<std::string>{"/launches/0/colour: is not in the schema"});
  wrong = launch();
  wrong["counters"]["shuffles"] = -1;
  CHECK(complaints_about(wrong) == std::vector<std::string>{"/launches/0/counters/shuffles: is less than 0"});
  wrong = launch();
  wrong["findings"] = {{{"kind", "sadness"}}};
  CHECK_FALSE(complaints_about(wrong).empty());
}
