/// \file The help of a race is followed to the letter: what it says to put after a line is put there, and the
/// program must then be right, if need be after the help of what is still found.

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "common/compile/compile.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"
#include "corpus_program.hpp"

using namespace warpwise;
using namespace warpwise::simulator;
using namespace warpwise::simulator::tests;
using warpwise::testing::ContainsSubstring;

namespace {

using Lines = std::vector<std::string>;

/// A file in which the lines of all programs but one are empty, so that the others keep their numbers.
Lines lines_of_program(const CorpusEntry& entry) {
  std::ifstream file(std::string(WARPWISE_CORPUS_DIR) + "/" + entry.file + ".cu");
  Lines lines;
  bool is_other = false;
  for (std::string line; std::getline(file, line);) {
    const bool begins = line.starts_with("namespace "), ends = line.starts_with("}  // namespace ");
    if (begins) is_other = line != "namespace " + entry.program.name + " {";
    const std::size_t include = line.find("../launching_program.cuh");
    if (include != line.npos) line.replace(include, 2, WARPWISE_CORPUS_DIR);
    lines.push_back(is_other ? "" : line);
    if (ends) is_other = false;
  }
  // What takes seconds to compile, and only some programs need.
  if (entry.program.source.find("cuda::") == entry.program.source.npos)
    for (std::string& line : lines)
      if (line.starts_with("#include <")) line.clear();
  return lines;
}

CorpusResult run_lines(const CorpusEntry& entry, const Lines& lines, const std::vector<std::string>& options,
                       const char* schedule = "converged") {
  const warpwise::testing::TemporaryFolder folder;
  const auto source = folder.path() / "program.cu", module = folder.path() / "program.ptx";
  std::ofstream cu(source);
  for (const std::string& line : lines) cu << line << "\n";
  cu.close();
  const std::string arch =
      testing::read_annotated_file(std::string(WARPWISE_CORPUS_DIR) + "/" + entry.file + ".cu").arch;
  const compile::Compiled compiled =
      compile::to_ptx({source, {WARPWISE_ROOT}, arch.empty() ? compile::usual_architecture : arch, options},
                      text::installation());
  INFO(compiled.messages);
  REQUIRE(compiled.is_compiled);
  std::ofstream(module) << compiled.ptx;
  GpuOptions gpu = corpus_options();
  gpu.launch.schedule = Schedule::parse(schedule);
  return run_corpus_module(entry.program, module.string(), gpu);
}

/// Does what the help says to put after lines. False where it says nothing of the kind.
bool follow(const std::string& help, Lines& lines) {
  static const std::regex put("(__syncthreads|__syncwarp|__threadfence)\\(\\) after line ([0-9]+)"),
      another("and another after line ([0-9]+)"), round("rounds of the loop in line ([0-9]+)");
  std::smatch found, loop;
  if (!std::regex_search(help, found, put)) return false;
  const std::string call = found[1].str() + "();";
  std::map<std::size_t, std::string> behind{{std::stoul(found[2]), call}};
  const bool needs_braces = help.find("needs braces") != help.npos;
  if (needs_braces) {
    if (!std::regex_search(help, loop, round)) return false;
    std::string& head = lines.at(std::stoul(loop[1]) - 1);
    head += " {";
    behind.begin()->second += " }";
  }
  if (std::regex_search(help, found, another)) behind[std::stoul(found[1])] = call;
  for (auto each = behind.rbegin(); each != behind.rend(); ++each)
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(each->first), each->second);
  return true;
}

std::string text_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += format(finding) + "\n";
  return text;
}

/// Programs of which no single line is missing: the help names none, and says what else is wrong.
const std::set<std::string> without_a_line = {};

}  // namespace

TEST_CASE("cures: what the help of a race says to put after a line makes the program right") {
  std::size_t followed = 0;
  for (const CorpusEntry& entry : programs_in("wrong")) {
    DYNAMIC_SECTION(entry.file << ": " << entry.program.name) {
      Lines lines = lines_of_program(entry);
      CorpusResult result = run_lines(entry, lines, {});
      std::string story;
      for (int edits = 0; edits < 6; ++edits) {
        const auto race = std::find_if(result.findings.begin(), result.findings.end(),
                                       [](const Finding& f) { return f.kind == FindingKind::race; });
        if (race == result.findings.end()) break;
        story += format(*race) + "\n";
        if (!follow(race->help, lines)) break;
        ++followed;
        result = run_lines(entry, lines, {});
      }
      if (story.empty()) continue;
      const bool names_none = !std::regex_search(story, std::regex("\\(\\) after line [0-9]"));
      INFO(story << "then:\n" << text_of(result.findings));
      CHECK(names_none == without_a_line.contains(entry.program.name));
      if (!names_none) CHECK(result.findings.empty());
    }
  }
}

TEST_CASE("cures: with RIGHT nothing is found, under any schedule") {
  for (const CorpusEntry& entry : programs_in("wrong")) {
    if (entry.file != "wrong/cures") continue;
    for (const char* schedule : {"converged", "lockstep", "split:1", "split:2"}) {
      DYNAMIC_SECTION(entry.program.name << " " << schedule) {
        const CorpusResult result = run_lines(entry, lines_of_program(entry), {"-DRIGHT"}, schedule);
        INFO(text_of(result.findings));
        CHECK(result.findings.empty());
        CHECK(result.completed);
      }
    }
  }
}
