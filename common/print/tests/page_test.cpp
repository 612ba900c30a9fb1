#include "common/print/recorded_run.hpp"

#include <nlohmann/json.hpp>

#include "common/print/facts.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise;
using print::NamedRun;
using print::page_of;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

NamedRun run_of(const std::string& name, const std::string& line = "x = 1;") {
  NamedRun run{name, {}};
  report::TracedLaunch& traced = run.traces.launches.emplace_back();
  traced.launch.report.kernel = "reduce";
  traced.trace.sources = {{"a.cu", {line}}};
  return run;
}

}  // namespace

TEST_CASE("a page holds its runs and asks for nothing from outside") {
  const NamedRun runs[] = {run_of("ch01/solution.cu: reduce_naive")};
  const std::string page = page_of("reduce_naive", runs);
  CHECK(page.find("<title>Warpwise: reduce_naive</title>") != page.npos);
  CHECK(page.find('>' + page_data(runs) + "</script>") != page.npos);
  CHECK(page.find(R"("name":"ch01/solution.cu: reduce_naive","traces":)" +
                  report::json_of(runs[0].traces).substr(0, 40)) != page.npos);
  CHECK(page.find("--paper") != page.npos);
  CHECK(count(page, "src=") == 0);
  CHECK(count(page, "href=") == 0);
  CHECK(count(page, "import ") == 0);
  for (const char* part : {"TITLE", "STYLE", "START", "MEASURED", "RUNS", "SCRIPT"})
    CHECK(count(page, '@' + std::string(part) + '@') == 0);
}

TEST_CASE("what was measured stands on the page, and without it nothing does") {
  const NamedRun runs[] = {run_of("one")};
  CHECK(page_of("t", runs, "", "<p>0.5 ms</p>").find("</main>\n<p>0.5 ms</p>") != std::string::npos);
  CHECK(count(page_of("t", runs), "id=\"measured\"") == 0);
}

TEST_CASE("a page stands what a source or a name may hold") {
  const NamedRun runs[] = {run_of("a\"b\\c\n", "</script><!--")};
  const std::string page = page_of("a<b & @SCRIPT@", runs);
  CHECK(page.find("a&lt;b &amp; @SCRIPT@") != page.npos);
  CHECK(page.find(R"("name":"a\"b\\c\n")") != page.npos);
  CHECK(page.find(R"(["\u003c/script>\u003c!--"])") != page.npos);
  CHECK(count(page, "</script>") == 2);
}

TEST_CASE("two runs stand one behind the other") {
  const NamedRun runs[] = {run_of("one"), run_of("two")};
  const std::string data = page_data(runs);
  CHECK(data.find(R"([{"name":"one",)") == 0);
  CHECK(data.find(R"(,{"name":"two",)") != data.npos);
}

TEST_CASE("facts go with the trace, part by part, and are those of the pictures") {
  NamedRun run = run_of("one");
  report::TracedLaunch& traced = run.traces.launches[0];
  simulator::Trace& trace = traced.trace;
  trace.code = {{"ld.shared.f32", 0, 1}};
  trace.arrays = {{"s", true, 0, 256, 4}};
  trace.values = {{"s[0]", {}, 0, 0, 0}, {"add", {1}, 0, 0, 1}};
  trace.steps.resize(3);
  for (simulator::TraceStep& step : trace.steps) step.lanes = 3;
  simulator::TraceAccess& access = trace.steps[1].accesses.emplace_back();
  access.kind = "load";
  access.lanes = 3;
  access.offsets = {0, 128};
  access.values = {"7", "8"};
  access.nodes = {1, 0};
  access.wavefronts = 2;
  access.bank_conflicts = 1;
  const nlohmann::json facts = nlohmann::json::parse(page_data(std::span(&run, 1)))[0]["facts"][0];
  CHECK(facts["title"] == print::title_of(traced.launch));
  CHECK(facts["opens"] == "step=1&view=data");
  CHECK(facts["depths"] == nlohmann::json{0, 1});
  REQUIRE(facts["steps"].size() == 3);
  CHECK(facts["steps"][2]["turn"] == "3rd");
  CHECK(facts["steps"][2]["notes"][0] == "3rd of 3 times at this line");
  CHECK(facts["steps"][0]["data"] == 1);  // none of its own: the first there is
  CHECK(facts["steps"][1].contains("data") == false);
  CHECK(facts["steps"][2]["data"] == 1);
  const nlohmann::json drawn = facts["steps"][1]["accesses"][0];
  CHECK(drawn["sentence"] == print::cost_sentence(trace, access));
  CHECK(drawn["asked"] == nlohmann::json::parse(R"([[0,"7",true],[32,"8",true]])"));
  CHECK(drawn["rows"] == nlohmann::json{0, 1});
  CHECK(facts["lanes_in_words"]["3"] == "0 and 1");
  CHECK(facts["blocks"][0]["rows"] == 3);
  CHECK(facts["blocks"][0]["tree"]["nothing"] == print::no_results_sentence(0));
  CHECK(facts["lines"][0][0]["number"] == 1);
}
