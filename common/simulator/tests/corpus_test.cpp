/// \file Holds the findings against programs that were written to be wrong, and to look wrong while right.

#include <algorithm>
#include <filesystem>

#include "common/testing/catch.hpp"
#include "corpus_program.hpp"

using namespace warpwise::simulator;
using namespace warpwise::simulator::tests;

namespace {

constexpr double seconds_allowed = 5;

std::vector<std::string> programs_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(WARPWISE_CORPUS_DIR "/" + folder)) {
    if (entry.path().extension() == ".cu") names.push_back(folder + "/" + entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// A budget that ends an endless loop well within the time allowed; the right programs need a thousandth.
GpuOptions options_for(const machine::Schedule& schedule) {
  GpuOptions options;
  options.launch.schedule = schedule;
  options.launch.threads = 2;
  options.launch.budget = 4'000'000;
  return options;
}

CorpusProgram read(const std::string& name) {
  return read_corpus_program(WARPWISE_CORPUS_DIR "/" + name + ".cu");
}

CorpusResult run(const CorpusProgram& program, const std::string& name, const char* schedule = "converged") {
  return run_corpus_program(program, WARPWISE_CORPUS_PTX_DIR "/" + name + ".ptx",
                            options_for(machine::Schedule::parse(schedule)));
}

std::string all_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += format(finding) + "\n";
  return text.empty() ? "(nothing found)" : text;
}

bool is_expected(const CorpusProgram& program, const Finding& finding) {
  const auto covers = [&](const ExpectedFinding& expected) { return expected.covers(finding); };
  return std::any_of(program.required.begin(), program.required.end(), covers) ||
         std::any_of(program.permitted.begin(), program.permitted.end(), covers);
}

}  // namespace

TEST_CASE("corpus: is as large as promised") {
  CHECK(programs_in("wrong").size() >= 48);
  CHECK(programs_in("right").size() >= 24);
}

TEST_CASE("corpus: every wrong program is found out, with kind and line, and nothing else") {
  for (const std::string& name : programs_in("wrong")) {
    DYNAMIC_SECTION(name) {
      const CorpusProgram program = read(name);
      const CorpusResult result = run(program, name);
      INFO(program.why << "\n" << all_of(result.findings));
      for (const ExpectedFinding& expected : program.required) {
        INFO("expected: " << expected.text);
        const bool is_found = std::any_of(result.findings.begin(), result.findings.end(),
                                          [&](const Finding& f) { return expected.covers(f); });
        CHECK(is_found);
      }
      for (const Finding& finding : result.findings) {
        INFO("found: " << format(finding));
        CHECK(is_expected(program, finding));
      }
      CHECK(result.seconds < seconds_allowed);
    }
  }
}

TEST_CASE("corpus: nothing is found in a right program, under any schedule") {
  for (const std::string& name : programs_in("right")) {
    for (const char* schedule : {"converged", "lockstep", "split:1", "split:2"}) {
      // A lock inside a warp asks for lanes that make progress one by one: what lockstep does not give.
      if (std::string(schedule) == "lockstep" && name == "right/lock_inside_a_warp") continue;
      DYNAMIC_SECTION(name << " " << schedule) {
        const CorpusProgram program = read(name);
        const CorpusResult result = run(program, name, schedule);
        INFO(program.why << "\n" << all_of(result.findings));
        CHECK(result.findings.empty());
        CHECK(result.completed);
        CHECK(result.seconds < seconds_allowed);
      }
    }
  }
}

TEST_CASE("corpus: a header that says too little is refused") {
  CHECK_THROWS_WITH(read_corpus_program(WARPWISE_CORPUS_DIR "/program.cuh"),
                    warpwise::testing::ContainsSubstring("finding"));
}
