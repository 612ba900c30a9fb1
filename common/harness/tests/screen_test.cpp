#include "common/harness/screen.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "common/testing/catch.hpp"
#include "common/text/files.hpp"

namespace report = warpwise::report;
using namespace warpwise::harness;
using warpwise::simulator::Finding;
using warpwise::simulator::FindingKind;
using warpwise::testing::ContainsSubstring;

namespace {

constexpr const char* chapter_name = "ch01_naive";

using report::Aspect;
using report::Failure;
using Verdicts = std::vector<report::Verdict>;

Finding race() {
  Finding finding;
  finding.kind = FindingKind::race;
  finding.file = "exercise.cu";
  finding.line = 14;
  finding.message = "thread 32 reads s[32]";
  return finding;
}

/// A test case of this kernel and aspect has run; with `failure`, it has failed.
void check(Verdicts& verdicts, const std::string& kernel, Aspect aspect, const Failure& failure) {
  auto verdict = std::ranges::find_if(
      verdicts, [&](const report::Verdict& one) { return one.kernel == kernel && one.aspect == aspect; });
  if (verdict == verdicts.end())
    verdict = verdicts.insert(verdict, {kernel, aspect, report::Outcome::passed, {}, chapter_name});
  if (failure.sentence.empty()) return;
  verdict->outcome = report::Outcome::failed;
  verdict->failures.push_back(failure);
}
void check(Verdicts& verdicts, const std::string& kernel, Aspect aspect, const std::string& sentence = {},
           std::vector<Finding> findings = {}) {
  Failure failure;
  failure.sentence = sentence;
  failure.findings = std::move(findings);
  check(verdicts, kernel, aspect, failure);
}

std::string screen_of(const report::Report& report, bool is_verbose = false) {
  std::ostringstream out;
  print_screen(out, {report, "kernels.hpp", is_verbose}, Paint(false));
  return out.str();
}

/// A report of these kernels.
report::Report report_of(const Verdicts& verdicts, std::vector<report::Kernel> kernels) {
  report::Report report;
  report.verdicts = verdicts;
  report::Chapter& chapter = report.chapters.emplace_back();
  chapter.name = chapter_name;
  chapter.title = "A tree";
  chapter.kernels = std::move(kernels);
  return report;
}
report::Report report_of(const Verdicts& verdicts) {
  return report_of(verdicts,
                   {{.name = "first", .technique = "a tree", .task = "sum the elements of each block"},
                    {.name = "second", .technique = "another", .task = "sum everything"}});
}

std::string screen(const Verdicts& verdicts, const std::set<std::string>& untouched = {},
                   bool is_verbose = false, const std::string& source = {}) {
  report::Report report = report_of(verdicts);
  report.chapters.front().source = source;
  for (report::Kernel& kernel : report.chapters.front().kernels)
    kernel.is_untouched = untouched.contains(kernel.name);
  return screen_of(report, is_verbose);
}

report::Launch launch_with_counters() {
  report::Launch launch;
  launch.chapter = chapter_name;
  launch.elements = 1024;
  launch.report.kernel = "first";
  launch.report.grid = {4, 1, 1};
  warpwise::simulator::Counters& counters = launch.report.counters;
  counters.warp_instructions = 512;
  counters.thread_instructions = 512 * 8;
  counters.divergent_branches = 48;
  counters.block_barriers = 36;
  counters.shared_load_wavefronts = 70;
  counters.shared_store_wavefronts = 7;
  return launch;
}

}  // namespace

TEST_CASE("a right kernel shows what was checked, and nothing else") {
  Verdicts verdicts;
  check(verdicts, "first", Aspect::result);
  check(verdicts, "first", Aspect::technique);
  const std::string text = screen(verdicts);
  CHECK_THAT(text, ContainsSubstring("✓ first  sum the elements of each block\n    ✓ result  ✓ technique"));
  CHECK_THAT(text, !ContainsSubstring("safety"));  // it was not checked
  CHECK_THAT(text, ContainsSubstring("1 of 1 kernel is right."));
}

TEST_CASE("while the result is wrong, technique and safety wait") {
  Verdicts verdicts;
  check(verdicts, "first", Aspect::result, "n = 33: out[1] is 5, expected 9");
  check(verdicts, "first", Aspect::technique);
  check(verdicts, "first", Aspect::safety);
  check(verdicts, "second", Aspect::result, "out[0] was never written, expected 9");
  const std::string text = screen(verdicts);
  CHECK_THAT(text, ContainsSubstring("✗ result     n = 33: out[1] is 5, expected 9"));
  CHECK_THAT(text, ContainsSubstring("· technique  judged once the result is right"));
  CHECK_THAT(text, ContainsSubstring("· safety     nothing found so far; judged once the result is right"));
  CHECK_THAT(text, !ContainsSubstring("✓"));
  CHECK_THAT(text, ContainsSubstring("0 of 2 kernels are right. Go on with first, whose result is wrong.\n"));
  // Neither a finding nor a TODO: there is still something to do.
  CHECK_THAT(text,
             ContainsSubstring("    contract   kernels.hpp\n    hint       ./warpwise hint ch01 first\n"));
}

TEST_CASE("a failure in another order than the usual says what that order is") {
  report::Launch launch = launch_with_counters();
  const auto text_under = [&](const std::string& schedule) {
    Verdicts verdicts;
    Failure failure;
    failure.sentence = "under the schedule " + schedule + ": out[1] is 5, expected 9";
    failure.n = 33;
    failure.block = launch.report.block[0];
    failure.schedule = schedule;
    check(verdicts, "first", Aspect::result, failure);
    return screen(verdicts);
  };
  CHECK_THAT(text_under("split:1"), ContainsSubstring("help: under split:SEED the lanes of a warp part"));
  CHECK_THAT(text_under("lockstep"),
             ContainsSubstring("help: under lockstep the lanes of a warp keep in step"));
  CHECK_THAT(text_under("converged"), !ContainsSubstring("help: under"));
}

TEST_CASE("findings are shown with a wrong result, for they explain it") {
  Verdicts verdicts;
  check(verdicts, "first", Aspect::result, "n = 33: out[1] is 5, expected 9");
  check(verdicts, "first", Aspect::safety, "exercise.cu:14: race: thread 32 reads s[32]", {race()});
  const std::string text = screen(verdicts);
  CHECK_THAT(text, ContainsSubstring("✗ safety     race at line 14\n"));
  CHECK_THAT(text, ContainsSubstring(warpwise::simulator::format(race())));
  CHECK_THAT(text,
             ContainsSubstring(" first --at exercise.cu:14\n"));  // the report does not say what was run
}

TEST_CASE("several findings: kinds and lines, then two of them in full, with notes in 80 columns") {
  Finding other = race();
  other.line = 20;
  other.help = "let one thread write, " + std::string(60, 'x') + " or each its own element";
  Finding bounds = race();
  bounds.kind = FindingKind::out_of_bounds;
  bounds.line = 0;
  Verdicts verdicts;
  check(verdicts, "first", Aspect::result);
  check(verdicts, "first", Aspect::safety, "exercise.cu:14: race", {other, race(), bounds});
  const std::string text = screen(verdicts);
  CHECK_THAT(text, ContainsSubstring("✗ safety     race at lines 20 and 14, out-of-bounds\n"));
  CHECK_THAT(text, ContainsSubstring("          = help: let one thread write,\n            xxxx"));
  CHECK_THAT(text, ContainsSubstring("(1 more: --verbose shows them)"));
  CHECK_THAT(text, !ContainsSubstring("warpwise hint"));  // the findings say what to do
}

TEST_CASE("of an untouched skeleton only what to do is shown") {
  Verdicts verdicts;
  check(verdicts, "first", Aspect::result, "n = 0: out[0] was never written, expected 0");
  check(verdicts, "first", Aspect::safety, "exercise.cu:14: race: thread 32 reads s[32]", {race()});
  const std::string text = screen(verdicts, {"first"});
  CHECK_THAT(text, !ContainsSubstring("race"));
  CHECK_THAT(text, ContainsSubstring("./warpwise hint ch01 first"));
}

TEST_CASE("the TODOs that still stand are listed while the first wrong kernel is half written") {
  const auto path = std::filesystem::temp_directory_path() / "warpwise_screen_test.cu";
  const auto write_first = [&](const char* body) {
    std::ofstream(path)
        << "extern \"C\" __global__ void first(float* out) {\n"
        << body << "}\nextern \"C\" __global__ void second(float* out) {\n  // TODO all (5 lines)\n}\n";
  };
  const std::string place = warpwise::text::shown_path(path.string()) + ':';
  Verdicts verdicts;
  check(verdicts, "first", Aspect::result, "n = 0: out[0] was never written, expected 0");
  check(verdicts, "second", Aspect::result, "out[0] was never written, expected 9");

  write_first("  load();\n  // TODO tree (4 lines): add\n  // TODO store (1 line): one thread\n");
  const std::string half = screen(verdicts, {"second"}, false, path.string());
  const std::string tree = "    still TODO " + place + "3  tree (4 lines)\n";
  const std::string store = "               " + place + "4  store (1 line)\n";
  CHECK_THAT(half, ContainsSubstring("was never written, expected 0\n\n" + tree + store + "\n✗ second"));
  CHECK_THAT(half, !ContainsSubstring("all (5 lines)"));  // a later kernel, in two lines
  CHECK_THAT(half, !ContainsSubstring("contract"));       // where to start is known by now

  CHECK_THAT(screen(verdicts, {"first", "second"}, false, path.string()),
             ContainsSubstring("    write it   " + place + "3  tree (4 lines)\n"));

  write_first("  // TODO load (1 line): each\n  load();\n  // TODO tree (4 lines): add\n  //      all\n");
  const std::string loaded = screen(verdicts, {}, false, path.string());
  CHECK_THAT(loaded, ContainsSubstring("    still TODO " + place + "4  tree (4 lines)\n"));
  CHECK_THAT(loaded, !ContainsSubstring("load (1 line)"));  // its comment was left, with the code below it

  write_first("  load();\n  tree();\n");
  CHECK_THAT(screen(verdicts, {}, false, path.string()), !ContainsSubstring("TODO"));
  std::filesystem::remove(path);
}

TEST_CASE("a long task is broken into lines that begin below each other") {
  const std::vector<report::Kernel> long_one{
      {.name = "first",
       .task = "the same from the right: the sum ends up in the last of all "
               "values, where nobody expected it"}};
  Verdicts verdicts;
  check(verdicts, "first", Aspect::result);
  report::Report report = report_of(verdicts, long_one);
  CHECK_THAT(screen_of(report),
             ContainsSubstring("✓ first  the same from the right: the sum ends up in the last of "
                               "all values,\n         where nobody expected it\n"));
}

TEST_CASE("later kernels that are not right take two lines, verbose shows them in full") {
  Verdicts verdicts;
  check(verdicts, "first", Aspect::result, "wrong");
  check(verdicts, "second", Aspect::result, "out[0] is 1, expected 2");
  check(verdicts, "second", Aspect::technique);
  const std::string text = screen(verdicts);
  const auto place = text.find("✗ second");
  REQUIRE(place != std::string::npos);
  const std::string rest = text.substr(place, text.find("\n\n", place) - place);
  CHECK(std::count(rest.begin(), rest.end(), '\n') == 1);
  CHECK_THAT(screen(verdicts, {}, true), ContainsSubstring("· technique  judged once"));
}

TEST_CASE("a later kernel of the exercise that is written and wrong names the command that shows all of it") {
  Verdicts verdicts;
  check(verdicts, "first", Aspect::result, "wrong");
  check(verdicts, "second", Aspect::result, "out[0] is 1, expected 2");
  const std::string command = "expected 2\n    in full    ./warpwise run ch01 second\n";
  CHECK_THAT(screen(verdicts, {}, false, "ch01_naive/exercise.cu"), ContainsSubstring(command));
  CHECK_THAT(screen(verdicts, {"second"}, false, "ch01_naive/exercise.cu"), !ContainsSubstring("in full"));
  CHECK_THAT(screen(verdicts, {}, false, "ch01_naive/solution.cu"), !ContainsSubstring("in full"));
}

TEST_CASE("counted are the kernels to be written, each of a family, and none that is given") {
  const std::vector<report::Kernel> all{{.name = "first", .is_exercise = false},
                                        {.name = "second", .family = {"second", "third", "fourth"}}};
  Verdicts verdicts;
  check(verdicts, "first", Aspect::result);
  check(verdicts, "second", Aspect::technique, "block barriers: 9, at most 5");
  const std::string text = screen_of(report_of(verdicts, all));
  CHECK_THAT(text, ContainsSubstring("✗ second and 2 like it\n"));
  CHECK_THAT(text,
             ContainsSubstring("\n0 of 3 kernels are right. Go on with second, whose technique is not"));
  Verdicts of_given;
  check(of_given, "first", Aspect::result);
  CHECK_THAT(screen_of(report_of(of_given, all)),
             ContainsSubstring("\nThere is nothing to write here: what was checked is given.\n"));
}

TEST_CASE("where wrong results are written is told without blame") {
  Verdicts verdicts;
  Failure failure;
  failure.sentence = "out[0] is 1, expected 2";
  failure.lines = {
      {"exercise.cu", 13, "  if (t == 0) out[blockIdx.x] = 1;", std::string(report::writes_results)}};
  check(verdicts, "first", Aspect::result, failure);
  CHECK_THAT(screen(verdicts, {}, false, "exercise.cu"),
             ContainsSubstring("results are written in line 13 `if (t == 0) out[blockIdx.x]...`\n"));
}

TEST_CASE("of a long contract the first words are shown, and where all of it stands") {
  const auto contract = std::filesystem::temp_directory_path() / "warpwise_screen_contract.hpp";
  std::ofstream(contract) << "/// Technique: " << [] {
    std::string words;
    for (int i = 0; i < 100; ++i) words += "word" + std::to_string(i) + ' ';
    return words;
  }() << "\nWARPWISE_KERNEL(first, (float* out));\n";
  Verdicts verdicts;
  check(verdicts, "first", Aspect::result);
  check(verdicts, "first", Aspect::technique, "block barriers: 20, at most 10");
  report::Report report = report_of(verdicts);
  std::ostringstream out;
  print_screen(out, {report, contract.string()}, Paint(false));
  CHECK_THAT(out.str(), ContainsSubstring("hpp:2): word0 word1"));
  CHECK_THAT(out.str(), ContainsSubstring(" ...\n"));
  CHECK_THAT(out.str(), !ContainsSubstring("word50"));
  std::filesystem::remove(contract);
}

TEST_CASE("the table of counters, the times, and what the chapter remarks") {
  Verdicts verdicts;
  check(verdicts, "first", Aspect::result);
  report::Report report = report_of(verdicts);
  report.launches = {launch_with_counters(), launch_with_counters()};
  report.launches[0].remarks = "  level 1 2 3\n";
  report.launches[1].is_simulated = false;
  report.launches[1].elements = 1u << 26;
  report.launches[1].report.seconds = 0.002;
  report.chapters.front().gpu = "a GPU";
  report.chapters.front().kernels[0].bytes_per_element = 4;
  report.chapters.front().kernels[1].problem = "too many threads";
  const std::string text = screen_of(report);
  report.chapters.front().kernels[0].name = report.launches[0].report.kernel = "warp_sum_one_condition";
  CHECK_THAT(screen_of(report), ContainsSubstring("\n  warp_sum_one_condition\n                    1024 "));
  CHECK_THAT(text,
             ContainsSubstring("                 diverg.   barr.   shared    bank   global instr. lanes\n"
                               "  counted     n branches a block  wavefr.  confl.  sectors /elem.  busy\n"
                               "  first    1024       48       9       77       0        0   0.50   25%\n"
                               "  first    2^26 on a GPU: 2 ms, 134.2 GB/s\n"
                               "  second: too many threads\n"
                               "\n"
                               "  first, n = 1024:\n"
                               "  level 1 2 3\n"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 82);  // marks take three bytes
}

TEST_CASE("a failed technique names the lines that spend too much, and what the contract says") {
  const auto contract = std::filesystem::temp_directory_path() / "warpwise_screen_kernels.hpp";
  std::ofstream(contract)
      << "/// Technique: a tree of adjacent pairs, with one barrier a level and one after the "
         "load. Book: PMPP.\nWARPWISE_KERNEL(first, (float* out));\n";
  Verdicts verdicts;
  check(verdicts, "first", Aspect::result);
  Failure failure;
  failure.sentence = "block barriers: 20, at most 10";
  failure.lines = {{"exercise.cu", 49, "  if (lane == 0) counts[warp] = total;", "16 of the 20"},
                   {"other.cuh", 7, std::string(90, 'x'), "4 of the 20"}};
  check(verdicts, "first", Aspect::technique, failure);
  report::Report report = report_of(verdicts);
  report.chapters.front().source = "exercise.cu";
  std::ostringstream out;
  print_screen(out, {report, contract.string()}, Paint(false));
  CHECK_THAT(out.str(), ContainsSubstring(
                            "    ✗ technique  block barriers: 20, at most 10\n"
                            "                 line 49 `if (lane == 0) counts[warp] = total;`: 16 of the 20\n"
                            "                 line 7 of other.cuh `xxx"));
  CHECK_THAT(out.str(), ContainsSubstring("xxx...`: 4 of the 20\n                 contract ("));
  CHECK_THAT(out.str(), ContainsSubstring("kernels.hpp:2):"));
  CHECK_THAT(out.str(), !ContainsSubstring("Book"));
  CHECK_THAT(out.str(), ContainsSubstring("\n    see it     ./warpwise show ch01 first --at 49\n"));
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 82);
  std::filesystem::remove(contract);
}

TEST_CASE("files are opened in a folder that is not shown, and counters may be left out") {
  const auto folder = std::filesystem::temp_directory_path() / "warpwise_screen_test_folder";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "kernels.hpp") << "\n\nWARPWISE_KERNEL(first, (float* out));\n";
  std::ofstream(folder / "exercise.cu")
      << "extern \"C\" __global__ void first(float* out) {\n  // TODO add: something\n}\n";
  Verdicts verdicts;
  check(verdicts, "first", Aspect::result, "wrong");
  report::Report report = report_of(verdicts);
  report.chapters.front().source = "exercise.cu";
  report.launches = {launch_with_counters()};
  std::ostringstream with_files, without_counters;
  report.chapters.front().kernels.front().is_untouched = true;
  print_screen(with_files, {.report = report, .contract = "kernels.hpp", .folder = folder.string()},
               Paint(false));
  CHECK_THAT(with_files.str(), ContainsSubstring("write it   exercise.cu:2  add"));
  CHECK_THAT(with_files.str(), ContainsSubstring("contract   kernels.hpp:3"));
  CHECK_THAT(with_files.str(), ContainsSubstring("first    1024"));
  print_screen(without_counters, {.report = report, .contract = "kernels.hpp", .shows_counters = false},
               Paint(false));
  CHECK_THAT(without_counters.str(), !ContainsSubstring("1024"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("what each line costs, in 80 columns") {
  Verdicts verdicts;
  check(verdicts, "first", Aspect::result);
  check(verdicts, "second", Aspect::result, "wrong");
  report::Report report = report_of(verdicts);
  report::Launch launch = launch_with_counters();
  warpwise::simulator::Counters of_line;
  of_line.warp_instructions = 500;
  of_line.divergent_branches = 48;
  of_line.shared_load_bank_conflicts = 3;
  of_line.shared_store_bank_conflicts = 4;
  of_line.global_load_sectors = 5;
  of_line.global_store_sectors = 6;
  launch.report.counters.shared_load_bank_conflicts = 3;
  launch.report.counters.shared_store_bank_conflicts = 4;
  launch.report.counters.global_load_sectors = 5;
  launch.report.counters.global_store_sectors = 6;
  launch.report.counters.thread_instructions = of_line.thread_instructions = 7;
  launch.report.lines = {{"no such file.cu", 12, of_line}};
  report.launches = {launch};
  std::ostringstream out;
  print_screen(out, {report, "kernels.hpp", false, true}, Paint(false));
  CHECK_THAT(out.str(),
             ContainsSubstring("  first, n = 1024: what each line costs\n"
                               "              warp  diverg.    bank   global\n"
                               "    line    instr. branches  confl.  sectors\n"
                               "  no such file.cu\n"
                               "      12       500       48       7       11\n"
                               "       -        12                            (the compiler names no line)\n"
                               "     all       512       48       7       11\n"
                               "\n"
                               "  second: its lines are counted once the result is right\n"));
  CHECK_THAT(screen_of(report), !ContainsSubstring("what each line costs"));
}

TEST_CASE("text is wrapped at spaces and shortened with dots") {
  CHECK(wrapped_text("one two three", 0, 2, 7) == "one two\n  three");
  CHECK(wrapped_text("unbreakable", 0, 2, 5) == "unbreakable");
  CHECK(shortened("abcdef", 6) == "abcdef");
  CHECK(shortened("abcdefg", 6) == "abc...");
  CHECK(shortened("✓✓✓✓✓", 4) == "✓...");
  CHECK(indented("a\n\nb", 2) == "  a\n\n  b\n");
  CHECK(unindented(" \tx = 1; ") == "x = 1; ");
  CHECK(unindented("  ").empty());
}

TEST_CASE("colour is left out where there is no terminal") {
  CHECK(Paint(false).good("x") == "x");
  CHECK(Paint(true).good("x") == "\033[32mx\033[0m");
}
