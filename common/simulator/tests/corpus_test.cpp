/// \file Holds the findings against programs that were written to be wrong, and to look wrong while right:
/// corpus_program.hpp.

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"
#include "corpus_program.hpp"

using namespace warpwise::simulator;
using namespace warpwise::simulator::tests;
using warpwise::testing::read_annotated_text;

namespace {

constexpr double seconds_allowed = 5;

CorpusResult run(const CorpusEntry& entry, const char* schedule = "converged", std::uint32_t threads = 2) {
  GpuOptions options = corpus_options();
  options.launch.threads = threads;
  options.launch.schedule = Schedule::parse(schedule);
  return run_corpus_program(entry.program, entry.file, options);
}

std::string all_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += format(finding) + "\n";
  return text.empty() ? "(nothing found)" : text;
}

bool covers(const ExpectedFinding& expected, const Finding& finding) {
  return expected.covers(name_of(finding.kind), finding.line);
}

}  // namespace

TEST_CASE("corpus: is as large as promised") {
  CHECK(programs_in("wrong").size() > 100);
  CHECK(programs_in("right").size() > 100);
}

TEST_CASE("corpus: every wrong program is found out, with kind and line, and nothing else") {
  for (const CorpusEntry& entry : programs_in("wrong")) {
    INFO(entry.file << ": " << entry.program.name << ": " << entry.program.why);
    CHECK(entry.program.is_wrong());
    const CorpusResult result = run(entry);
    INFO(all_of(result.findings));
    for (const ExpectedFinding& expected : entry.program.findings) {
      INFO("expected: " << expected.text);
      const bool is_found = std::any_of(result.findings.begin(), result.findings.end(),
                                        [&](const Finding& f) { return covers(expected, f); });
      CHECK((is_found || !expected.is_required));
    }
    for (const Finding& finding : result.findings) {
      INFO("found: " << format(finding));
      CHECK(std::any_of(entry.program.findings.begin(), entry.program.findings.end(),
                        [&](const ExpectedFinding& e) { return covers(e, finding); }));
    }
    CHECK(result.seconds < seconds_allowed);
  }
}

TEST_CASE("corpus: nothing is found in a right program, under any schedule") {
  for (const CorpusEntry& entry : programs_in("right")) {
    CHECK_FALSE(entry.program.is_wrong());
    for (const char* schedule : {"converged", "lockstep", "split:1", "split:2"}) {
      // A lock inside a warp asks for lanes that make progress one by one: what lockstep does not give.
      if (std::string(schedule) == "lockstep" && entry.program.name == "lock_inside_a_warp") continue;
      for (const std::uint32_t threads : {1u, 2u}) {
        const CorpusResult result = run(entry, schedule, threads);
        INFO(entry.program.name << ", " << schedule << ", " << threads << " threads: " << entry.program.why
                                << "\n"
                                << all_of(result.findings));
        CHECK(result.findings.empty());
        CHECK(result.completed);
        CHECK(result.seconds < seconds_allowed);
      }
    }
  }
}

TEST_CASE("corpus: a header that cannot be meant is refused") {
  const auto refusal = [](const std::string& header) {
    const std::string body =
        "namespace p {\n__syncthreads();\ns[0] = 1;\n__syncthreads();\n}  // namespace p\n";
    try {
      read_annotated_text(header + body, "p.cu");
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  CHECK(refusal("// finding: race at `s[0]`\n") == "read");
  CHECK(refusal("// why: it says nothing of a finding\n") ==
        "p.cu:2: the header says neither `finding: none` nor a finding");
  CHECK(refusal("// finding: none\n// finding: race\n") == "p.cu:1: says both none and a finding");
  CHECK(refusal("// finding: race\n// when: never\n") == "p.cu:2: no such key: when");
  CHECK(refusal("// finding: race at 3\n") == "p.cu:1: cannot read ' at 3'");
  CHECK(refusal("// finding: race at `s[1]`\n") == "p.cu:1: no line of the program has `s[1]`");
  CHECK(refusal("// finding: race at `__syncthreads`\n") ==
        "p.cu:1: several lines of the program have `__syncthreads`: say 1st or 2nd");
  CHECK(refusal("// finding: race at 3rd `__syncthreads`\n") == "p.cu:1: only 2 lines have `__syncthreads`");
}

TEST_CASE("corpus: a header's texts become lines") {
  const auto lines = [](const std::string& place) {
    const std::string body =
        "namespace p {\n__syncthreads();\ns[0] = 1;\n__syncthreads();\n}  // namespace p\n";
    const auto file = read_annotated_text("// finding: race" + place + "\n" + body, "p.cu");
    return file.programs.at(0).findings.at(0).lines;
  };
  using Lines = std::vector<std::uint32_t>;
  CHECK(lines("").empty());
  CHECK(lines(" at `s[0]`") == Lines{4});
  CHECK(lines(" at 2nd `__syncthreads` or `s[0]`") == Lines{5, 4});
  CHECK(lines(" from 1st `__syncthreads` to 2nd `__syncthreads`") == Lines{3, 4, 5});
}

namespace {

/// What becomes of a file of one program `p` with this header and these launches.
std::string reading(const std::string& header, const std::string& launches, const std::string& called = "p") {
  const warpwise::testing::TemporaryFolder folder;
  const std::string path = (folder.path() / "p.cu").string();
  std::ofstream(path) << header << "namespace p {\nconst LaunchingProgram program(\"" << called << "\", "
                      << launches << ");\n}  // namespace p\n";
  try {
    std::string read = "read:";
    const CorpusProgram program = read_corpus_file(path).at(0);
    for (const ProgramLaunch& launch : program.launches)
      read += " " + launch.kernel + " " + std::to_string(launch.arguments.size());
    return read;
  } catch (const std::runtime_error& error) {
    return std::string(error.what()).substr(path.size());
  }
}

std::string reading_of_launches(const std::string& launches, const std::string& called = "p") {
  return reading("// finding: race\n// why: so\n", launches, called);
}

}  // namespace

TEST_CASE("corpus: a program needs a reason, kinds that exist, and a launch") {
  const std::string launch = "{{k, \"grid=1\"}}";
  CHECK(reading("// finding: race\n// why: so\n", launch) == "read: k 0");
  CHECK(reading("// finding: race\n", launch) == ": p: needs `why:` above it");
  CHECK(reading("// finding: haste\n// why: so\n", launch) == ": p: no such kind of finding: haste");
  CHECK(reading_of_launches(launch, "q") == ": p: the program is called q");
}

TEST_CASE("corpus: launches are read to the last, or refused") {
  CHECK(reading_of_launches(
            "{{k, \"grid=1 \"\n  \"args=in:u32[4]:iota\"},\n {sum<128, 2>, \"args=in,n:u32:4\"}}") ==
        "read: k 1 sum<128, 2> 2");
  CHECK(reading_of_launches("{{tiles<Pair<float>>, \"grid=1\"}}") == "read: tiles<Pair<float>> 0");
  CHECK(reading_of_launches("{{k, \"grid=1\"}, {other::k, \"grid=1\"}}") ==
        ": p: cannot read the launch at `::k, \"grid=1\"}});`");
  CHECK(reading_of_launches("{{k, text}}") == ": p: cannot read the launch at `text}});`");
  CHECK(reading_of_launches("{}") == ": p: cannot read the launch at `});`");
}

TEST_CASE("corpus: what a launch says") {
  const corpus::LaunchText launch =
      corpus::read_launch("grid=4 block=16x8 shared=1024 cooperative=yes args=in:f32[9]:random,in,n:s32:-1");
  CHECK(launch.grid[0] == 4);
  CHECK(launch.block[1] == 8);
  CHECK(launch.block[2] == 1);
  CHECK(launch.shared_bytes == 1024);
  CHECK(launch.is_cooperative);
  CHECK(launch.arguments.at(1).kind == corpus::Argument::Kind::earlier_buffer);
  CHECK(static_cast<std::int64_t>(launch.arguments.at(2).value) == -1);
  CHECK(corpus::filled(corpus::read_argument("x:u16[3]:iota")) ==
        std::vector<unsigned char>{0, 0, 1, 0, 2, 0});
}

TEST_CASE("corpus: a launch of other words is refused") {
  const auto refusal = [](const std::string& text) {
    try {
      corpus::read_launch(text);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  CHECK(refusal("grid") == "no such word in a launch: grid");
  CHECK(refusal("griddle=1") == "no such word in a launch: griddle=1");
  CHECK(refusal("cooperative=true") == "no such word in a launch: cooperative=true");
  CHECK(refusal("grid=") == "no such number: ");
  CHECK(refusal("block=64y") == "no such number: 64y");
  CHECK(refusal("block=16x8x1x9") == "no such size: 16x8x1x9");
  CHECK(refusal("block=16x") == "no such number: ");
  CHECK(refusal("grid=-1") == "no such number here: -1");
  CHECK(refusal("args=in:u32[-1]:zero") == "no such number here: -1");
  CHECK(refusal("args=n:u8:300") == "no such number here: 300");
  CHECK(refusal("args=n:u32:1,") == "no such argument: ");
  CHECK(refusal("args=in:f32[9:zero") == "no such argument: in:f32[9:zero");
  CHECK(refusal("args=in:x99[4]:iota") == "no such type: x99");
  CHECK(refusal("args=in:f32[9]:zeros") == "no such content: zeros");
  CHECK(refusal("args=n:u32:12abc") == "no such number: 12abc");
  CHECK(refusal("args=x:f32:1") == "no such type of a scalar: f32");
  CHECK(refusal("args=in") == "read");
  CHECK(refusal("args=in:u32[1]:zero,in:u32[1]:zero") == "two arguments are called in");
}
