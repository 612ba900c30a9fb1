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
      if (line.starts_with("#include <cuda/")) line.clear();
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

/// Programs of which no line is missing: something else is wrong, and the help says what.
const std::set<std::string> without_a_line = {
    // an element, a buffer or a launch of one's own
    "plain_sum_by_several_blocks", "in_place_second_level", "sum_between_launch_halves",
    "mark_of_an_entry_in_two_blocks", "byte_of_a_number_of_another_block", "async_copy_that_ends_early",
    "plain_store_read_at_l2", "volatile_word_of_a_neighbour", "volatile_result_of_whoever_comes_last",
    "acquire_that_does_not_wait", "stencil_at_l2", "read_only_path_to_what_is_written", "byte_inside_a_word",
    "two_lanes_one_place", "arrays_that_overlap",
    // an atomic, or another one
    "histogram_without_atomics", "exchange_of_what_was_read", "plain_read_beside_atomics",
    "plain_read_that_decides", "number_computed_from_a_plain_read", "bit_added_to_a_plain_read",
    "block_scope_between_blocks",
    // two fences around a lock, or a wait for a copy
    "lock_without_fences", "async_copy_not_waited_for", "async_copy_one_stage_early",
    // one line that reads and writes: to be taken apart, or put under a condition
    "warp_tail_no_syncwarp", "warp_tail_volatile", "warp_scan_no_syncwarp", "syncwarp_for_two_steps",
    "butterfly_in_global_memory", "sort_of_volatile_neighbours", "guard_that_lets_all_even_threads_work"};

/// Of them more is missing than lines: nothing tells the producer that a buffer is free again; and behind a
/// race within a block, which a line mends, stands one between blocks.
const std::set<std::string> not_by_lines_alone = {"two_buffers_without_fences", "stencil_in_place"};

/// Else the race is a consequence, and the help of another finding mends it.
bool is_about_a_race(const CorpusProgram& program) {
  return std::any_of(program.findings.begin(), program.findings.end(), [](const ExpectedFinding& finding) {
    return finding.is_required &&
           std::find(finding.kinds.begin(), finding.kinds.end(), "race") != finding.kinds.end();
  });
}

}  // namespace

TEST_CASE("cures: what the help of a race says to put after a line makes the program right") {
  for (const CorpusEntry& entry : programs_in("wrong")) {
    if (!is_about_a_race(entry.program) || not_by_lines_alone.contains(entry.program.name)) continue;
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

TEST_CASE("cures: where no line is missing, the help says what is wrong") {
  const std::pair<const char*, const char*> expected[] = {
      {"guard_that_lets_all_even_threads_work",
       "should be idle in line LINE, because what it does there reaches no "
       "result: correct the condition in line LINE"},
      {"arrays_that_overlap",
       "two arrays overlap in the block's dynamic shared memory: the elements of 8 bytes"},
      {"exchange_of_what_was_read", "use atomicMax(), atomicAdd() or the like, or a compare-and-swap loop"},
      {"histogram_without_atomics", "use atomicAdd() or the like"},
      {"warp_scan_no_syncwarp", "both are of one round: let each thread read into a variable of its own"}};
  for (const CorpusEntry& entry : programs_in("wrong"))
    for (const auto& [name, help] : expected) {
      if (entry.program.name != name) continue;
      const auto findings = run_corpus_program(entry.program, entry.file, corpus_options()).findings;
      REQUIRE(!findings.empty());
      const std::string line = std::to_string(findings[0].line);
      INFO(format(findings[0]));
      CHECK_THAT(findings[0].help,
                 ContainsSubstring(std::regex_replace(std::string(help), std::regex("LINE"), line)));
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
