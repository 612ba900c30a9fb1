#include "common/print/screen.hpp"

#include <algorithm>
#include <sstream>

#include "common/testing/catch.hpp"
#include "shown_report.hpp"

namespace report = warpwise::report;
using namespace warpwise::print;
using namespace warpwise::print::tests;
using warpwise::testing::ContainsSubstring;

TEST_CASE("a right kernel shows what was checked, and nothing else") {
  Verdicts record;
  record.check("first: result");
  record.check("first: technique");
  const std::string text = screen(record);
  CHECK_THAT(text, ContainsSubstring("✓ first  sum the elements of each block\n    ✓ result  ✓ technique"));
  CHECK_THAT(text, !ContainsSubstring("safety"));  // it was not checked
  CHECK_THAT(text, ContainsSubstring("1 of 1 kernel is right."));
}

TEST_CASE("while the result is wrong, technique and safety wait") {
  Verdicts record;
  record.check("first: result", "n = 33: out[1] is 5, expected 9");
  record.check("first: technique");
  record.check("first: safety");
  record.check("second: result", "out[0] was never written, expected 9");
  const std::string text = screen(record);
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
  const auto text_under = [&](const std::string& schedule) {
    Verdicts record;
    record.fail("first: result", {.sentence = "under the schedule " + schedule + ": out[1] is 5, expected 9",
                                  .n = 33,
                                  .schedule = schedule});
    return screen(record);
  };
  CHECK_THAT(text_under("split:1"), ContainsSubstring("help: under split:SEED the lanes of a warp separate"));
  CHECK_THAT(text_under("lockstep"),
             ContainsSubstring("help: under lockstep the lanes of a warp move together"));
  CHECK_THAT(text_under("converged"), !ContainsSubstring("help: under"));
  // A finding below it says more: one line is enough.
  Verdicts record;
  record.fail("first: result",
              {.sentence = "under the schedule split:1: out[1] is 5", .schedule = "split:1"});
  record.check("first: safety", "exercise.cu:14: race: thread 32 reads s[32]", {race()});
  CHECK_THAT(screen(record), !ContainsSubstring("help: under"));
  CHECK_THAT(
      screen(record),
      ContainsSubstring("                 split:1: lanes overtake each other wherever CUDA allows it\n"));
}

TEST_CASE("findings are shown with a wrong result, for they explain it") {
  Verdicts record;
  record.check("first: result", "n = 33: out[1] is 5, expected 9");
  record.check("first: safety", "exercise.cu:14: race: thread 32 reads s[32]", {race()});
  const std::string text = screen(record);
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
  Verdicts record;
  record.check("first: result");
  record.check("first: safety", "exercise.cu:14: race", {other, race(), bounds});
  const std::string text = screen(record);
  CHECK_THAT(text, ContainsSubstring("✗ safety     race at lines 20 and 14, out-of-bounds\n"));
  CHECK_THAT(text, ContainsSubstring("          = help: let one thread write,\n            xxxx"));
  CHECK_THAT(text, ContainsSubstring("(1 more: --verbose shows them)"));
  CHECK_THAT(text, !ContainsSubstring("warpwise hint"));  // the findings say what to do
}

TEST_CASE("of an untouched skeleton only what to do is shown") {
  Verdicts record;
  record.check("first: result", "n = 0: out[0] was never written, expected 0");
  record.check("first: safety", "exercise.cu:14: race: thread 32 reads s[32]", {race()});
  const std::string text = screen(record, {"first"});
  CHECK_THAT(text, !ContainsSubstring("race"));
  CHECK_THAT(text, ContainsSubstring("./warpwise hint ch01 first"));
}

TEST_CASE("the TODOs that still stand are listed while the first wrong kernel is half written") {
  Verdicts record;
  record.check("first: result", "n = 0: out[0] was never written, expected 0");
  record.check("second: result", "out[0] was never written, expected 9");
  const auto screen_with = [&](std::vector<KernelText::Todo> todos,
                               const std::set<std::string>& untouched = {}) {
    report::Report report = record.report();
    for (report::Kernel& kernel : report.chapters.front().kernels)
      kernel.is_untouched = untouched.contains(kernel.name);
    return screen_of(
        {.report = report,
         .source = "ch01/exercise.cu",
         .texts = {{"first", 0, "", std::move(todos)}, {"second", 0, "", {{99, "all (5 lines)"}}}}});
  };
  const std::string half = screen_with({{3, "tree (4 lines)"}, {14, "store (1 line)"}}, {"second"});
  const std::string tree = "    still TODO ch01/exercise.cu:3   tree (4 lines)\n";
  const std::string store = "               ch01/exercise.cu:14  store (1 line)\n";
  CHECK_THAT(half, ContainsSubstring("was never written, expected 0\n\n" + tree + store + "\n✗ second"));
  CHECK_THAT(half, !ContainsSubstring("all (5 lines)"));  // a later kernel, in two lines
  CHECK_THAT(half, !ContainsSubstring("contract"));       // where to start is known by now
  CHECK_THAT(screen_with({{3, "tree (4 lines)"}}, {"first", "second"}),
             ContainsSubstring("    write it   ch01/exercise.cu:3  tree (4 lines)\n"));
  CHECK_THAT(screen_with({}), !ContainsSubstring("TODO"));
}

TEST_CASE("a long task is broken into lines that begin below each other") {
  report::Chapter chapter = the_chapter();
  chapter.kernels = {
      kernel_of("first", "",
                "the same from the right: the sum ends up in the last of all values, where nobody "
                "expected it")};
  Verdicts record;
  record.check("first: result");
  CHECK_THAT(screen_of(record.report(chapter)),
             ContainsSubstring("✓ first  the same from the right: the sum ends up in the last of "
                               "all values,\n         where nobody expected it\n"));
}

TEST_CASE("later kernels that are not right take two lines, verbose shows them in full") {
  Verdicts record;
  record.check("first: result", "wrong");
  record.check("second: result", "out[0] is 1, expected 2");
  record.check("second: technique");
  const std::string text = screen(record);
  const auto place = text.find("✗ second");
  REQUIRE(place != std::string::npos);
  const std::string rest = text.substr(place, text.find("\n\n", place) - place);
  CHECK(std::count(rest.begin(), rest.end(), '\n') == 1);
  CHECK_THAT(screen(record, {}, true), ContainsSubstring("· technique  judged once"));
}

TEST_CASE("a later kernel of the exercise that is written and wrong names the command that shows all of it") {
  Verdicts record;
  record.check("first: result", "wrong");
  record.check("second: result", "out[0] is 1, expected 2");
  const std::string command = "expected 2\n    in full    ./warpwise run ch01 second\n";
  CHECK_THAT(screen(record, {}, false, "ch01_naive/exercise.cu"), ContainsSubstring(command));
  CHECK_THAT(screen(record, {"second"}, false, "ch01_naive/exercise.cu"), !ContainsSubstring("in full"));
  CHECK_THAT(screen(record, {}, false, "ch01_naive/solution.cu"), !ContainsSubstring("in full"));
}

TEST_CASE("counted are the kernels to be written, each of a family, and none that is given") {
  report::Chapter chapter = the_chapter();
  for (report::Kernel& kernel : chapter.kernels) kernel.task = "";
  chapter.kernels[0].is_exercise = false;
  chapter.kernels[1].family = {"second", "third", "fourth"};
  Verdicts record;
  record.check("first: result");
  record.check("second: technique", "block barriers: 9, at most 5");
  const std::string text = screen_of(record.report(chapter));
  CHECK_THAT(text, ContainsSubstring("✗ second and 2 like it\n"));
  CHECK_THAT(text,
             ContainsSubstring("\n0 of 3 kernels are right. Go on with second, whose technique is not"));
  Verdicts of_given;
  of_given.check("first: result");
  CHECK_THAT(screen_of(of_given.report(chapter)),
             ContainsSubstring("\nThere is nothing to write here: these kernels are given.\n"));
}

TEST_CASE("where wrong results are written is told without blame") {
  Verdicts record;
  record.fail("first: result", {.sentence = "out[0] is 1, expected 2",
                                .lines = {{"exercise.cu", 13, "  if (t == 0) out[blockIdx.x] = 1;",
                                           std::string(report::writes_results)}}});
  CHECK_THAT(screen(record, {}, false, "exercise.cu"),
             ContainsSubstring("results are written in line 13 `if (t == 0) out[blockIdx.x]...`\n"));
}

TEST_CASE("of a long contract the first sentences are shown, and where all of it stands") {
  std::string words;
  for (int i = 0; i < 100; ++i) words += "word" + std::to_string(i) + (i % 10 == 9 ? ". " : " ");
  Verdicts record;
  record.check("first: result");
  record.check("first: technique", "block barriers: 20, at most 10");
  const report::Report report = record.report();
  const std::string text =
      screen_of({.report = report, .contract = "kernels.hpp", .texts = {{"first", 2, words, {}}}});
  CHECK_THAT(text, ContainsSubstring("hpp:2): word0 word1"));
  CHECK_THAT(text, ContainsSubstring("word19.\n"));
}

TEST_CASE("a failed technique names the lines that spend too much, and what the contract says") {
  Verdicts record;
  record.check("first: result");
  record.fail("first: technique",
              {.sentence = "block barriers: 20, at most 10",
               .lines = {{"exercise.cu", 49, "  if (lane == 0) counts[warp] = total;", "16 of the 20"},
                         {"other.cuh", 7, std::string(90, 'x'), "4 of the 20"}}});
  const report::Report report = record.report();
  const std::string text = screen_of({.report = report,
                                      .source = "exercise.cu",
                                      .contract = "ch01/kernels.hpp",
                                      .texts = {{"first", 2, "a tree of adjacent pairs", {}}}});
  CHECK_THAT(text, ContainsSubstring(
                       "    ✗ technique  block barriers: 20, at most 10\n"
                       "                 line 49 `if (lane == 0) counts[warp] = total;`: 16 of the 20\n"
                       "                 line 7 of other.cuh `xxx"));
  CHECK_THAT(text, ContainsSubstring(
                       "xxx...`: 4 of the 20\n                 contract (ch01/kernels.hpp:2): a tree"));
  CHECK_THAT(text, ContainsSubstring("\n    see it     ./warpwise show ch01 first --at 49\n"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 82);
}

TEST_CASE("an untouched kernel is shown where to start; counters may be left out") {
  Verdicts record;
  record.check("first: result", "wrong");
  report::Report report = record.report();
  report::Launch& launch = report.launches.emplace_back();
  launch.chapter = "ch01_naive";
  launch.elements = 1024;
  launch.report.kernel = "first";
  report.chapters.front().kernels.front().is_untouched = true;
  ScreenContent content{.report = report,
                        .source = "exercise.cu",
                        .contract = "kernels.hpp",
                        .texts = {{"first", 3, "", {{2, "add"}}}}};
  CHECK_THAT(screen_of(content),
             ContainsSubstring("write it   exercise.cu:2  add\n    contract   kernels.hpp:3\n"));
  CHECK_THAT(screen_of(content), ContainsSubstring("first    1024"));
  CHECK_THAT(screen_of(content), !ContainsSubstring("what each line costs"));
  content.shows_counters = false;
  CHECK_THAT(screen_of(content), !ContainsSubstring("1024"));
  content.line_costs = [](const std::string&, std::uint32_t) { return ""; };
  CHECK_THAT(screen_of(content), ContainsSubstring("what each line costs"));
}

TEST_CASE("on a terminal with too few rows, the kernel to go on with stands right above the last line") {
  Verdicts record;
  record.check("first: safety", "first races", {race()});
  record.check("second: result");
  report::Report report = record.report();
  report::Launch& launch = report.launches.emplace_back();
  launch.chapter = "ch01_naive";
  launch.report.kernel = "second";
  launch.remarks = "  iteration 1 2 3\n";
  ScreenContent content{.report = report};
  const auto order = [&] {
    const std::string text = screen_of(content);
    return std::pair(text.find("thread 32 reads s[32]") < text.find("✓ second"),
                     text.find("thread 32 reads s[32]") < text.find("iteration 1 2 3"));
  };
  const std::string whole = screen_of(content);
  const auto rows = static_cast<std::size_t>(std::count(whole.begin(), whole.end(), '\n'));
  CHECK(order() == std::pair(true, true));
  content.rows = rows + 1;  // and one for the prompt
  CHECK(order() == std::pair(true, true));
  content.rows = rows;
  CHECK(order() == std::pair(false, false));
  CHECK_THAT(screen_of(content), ContainsSubstring("1 of 2 kernels are right. Go on with first"));
  CHECK(screen_of(content).size() == whole.size());
}
