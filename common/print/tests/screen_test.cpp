#include "common/print/screen.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "common/testing/catch.hpp"

namespace report = warpwise::report;
using namespace warpwise::print;
using report::Aspect;
using report::Outcome;
using warpwise::simulator::Finding;
using warpwise::simulator::FindingKind;
using warpwise::testing::ContainsSubstring;

namespace {

report::Kernel kernel_of(const std::string& name, const std::string& technique, const std::string& task) {
  report::Kernel kernel;
  kernel.name = name;
  kernel.technique = technique;
  kernel.task = task;
  return kernel;
}

report::Chapter the_chapter() {
  return {"ch01_naive",
          "A tree",
          "",
          "",
          {kernel_of("first", "a tree", "sum the elements of each block"),
           kernel_of("second", "another", "sum everything")}};
}

Finding race() {
  Finding finding;
  finding.kind = FindingKind::race;
  finding.file = "exercise.cu";
  finding.line = 14;
  finding.message = "thread 32 reads s[32]";
  return finding;
}

/// Verdicts as the checks of a chapter leave them.
class Verdicts {
 public:
  /// `name`: "first: result".
  void check(const std::string& name, const std::string& sentence = {}, std::vector<Finding> findings = {}) {
    report::Verdict& verdict = begin(name);
    if (!sentence.empty())
      fail(verdict, {.test_case = name, .sentence = sentence, .findings = std::move(findings)});
  }
  void fail(const std::string& name, report::Failure failure) { fail(begin(name), std::move(failure)); }
  /// Of `chapter`; where it says nothing else, what its kernels are asked is not read from files.
  report::Report report(report::Chapter chapter = the_chapter()) const {
    report::Report report;
    report.chapters = {std::move(chapter)};
    report.verdicts = all_;
    return report;
  }

 private:
  report::Verdict& begin(const std::string& name) {
    const std::size_t colon = name.find(": ");
    report::Verdict& verdict = all_.emplace_back();
    verdict.chapter = "ch01_naive";
    verdict.kernel = name.substr(0, colon);
    verdict.outcome = report::Outcome::passed;
    for (const report::Aspect aspect : report::all_aspects)
      if (name.substr(colon + 2) == name_of(aspect)) verdict.aspect = aspect;
    return verdict;
  }
  static void fail(report::Verdict& verdict, report::Failure failure) {
    verdict.outcome = report::Outcome::failed;
    verdict.failures.push_back(std::move(failure));
  }
  std::vector<report::Verdict> all_;
};

std::string screen_of(ScreenContent content) {
  std::ostringstream out;
  if (content.contract.empty()) content.contract = "kernels.hpp";
  print_screen(out, content, Paint(false));
  return out.str();
}
std::string screen_of(const report::Report& report, bool is_verbose = false) {
  return screen_of({.report = report, .is_verbose = is_verbose});
}

std::string screen(const Verdicts& verdicts, const std::set<std::string>& untouched = {},
                   bool is_verbose = false, const std::string& source = {}) {
  report::Report report = verdicts.report();
  for (report::Kernel& kernel : report.chapters.front().kernels)
    kernel.is_untouched = untouched.contains(kernel.name);
  return screen_of({.report = report, .source = source, .is_verbose = is_verbose});
}

}  // namespace

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

TEST_CASE("the command after a failure draws the launch that failed, at the finding where there is one") {
  Finding finding;
  finding.file = "exercise.cu";
  finding.line = 9;
  finding.threads = {70};
  report::Failure failure{"first: safety", "race", {finding}};
  const auto command = [&] {
    report::Report report;
    report::Chapter& chapter = report.chapters.emplace_back();
    chapter.name = "ch01_first";
    chapter.kernels.emplace_back().name = "first";
    const Aspect aspect = failure.findings.empty() ? Aspect::result : Aspect::safety;
    report.verdicts = {{"first", aspect, Outcome::failed, {failure}, "ch01_first"}};
    const std::string text = screen_of({.report = report, .source = "exercise.cu"});
    const std::string before = "see it     ./warpwise show ch01 first";
    const std::size_t at = text.find(before);
    if (at == text.npos) return text;
    return text.substr(at + before.size(), text.find('\n', at) - at - before.size());
  };
  CHECK(command() == " --at 9");
  failure.n = 33;  // show takes the launch from the checks, whatever its sizes
  failure.block = 96;
  failure.schedule = "split:3";
  failure.findings[0].block = 700;
  CHECK(command() == " --at 9");
  failure.findings[0].other_line = 7;
  failure.findings[0].other_file = "exercise.cu";
  CHECK(command() == " --at 9,7");  // both sides of a race
  failure.findings[0].other_file = "given.cuh";
  CHECK(command() == " --at 9");
  failure.findings.clear();
  CHECK(command().empty());  // a wrong result
}

TEST_CASE("what follows from another finding is folded under it, and never comes first") {
  Finding cause = race(), effect = race();
  cause.kind = FindingKind::sync;
  cause.line = 30;
  effect.kind = FindingKind::uninitialised;
  effect.follows = true;
  Verdicts record;
  record.check("first: result");
  record.check("first: safety", "findings", {cause, effect, effect});
  const std::string text = screen(record);
  CHECK_THAT(text, ContainsSubstring("✗ safety     sync at line 30\n"));
  CHECK_THAT(text, ContainsSubstring("and 2 findings that follow: uninitialised at lines 14 and 14"));
  CHECK_THAT(text, !ContainsSubstring("exercise.cu:14: uninitialised"));
  CHECK_THAT(screen(record, {}, true), ContainsSubstring("exercise.cu:14: uninitialised"));
}

TEST_CASE("safety is not called right above a finding of another check") {
  Finding deadlock = race();
  deadlock.kind = FindingKind::deadlock;
  Verdicts record;
  record.check("first: result");
  record.check("first: technique", "first<<<1, 32>>> ended early", {deadlock});
  record.check("first: safety");
  CHECK_THAT(screen(record), !ContainsSubstring("✓ safety"));
  CHECK_THAT(screen(record), ContainsSubstring("· safety     its own checks found nothing; but see below"));
  Verdicts wrong;
  wrong.check("first: result", "first<<<1, 32>>> ended early", {deadlock});
  wrong.check("first: safety");
  CHECK_THAT(screen(wrong), !ContainsSubstring("nothing found"));
}

TEST_CASE("below a wrong result nobody is told that the hardware would be right") {
  Finding passed = race();
  passed.note =
      "before the other lane wrote: today's hardware cannot reorder the two, but the model promises nothing";
  Verdicts record;
  record.check("first: result", "out[0] is 1, expected 2", {passed});
  CHECK_THAT(screen(record), ContainsSubstring("before the other lane wrote: the model promises nothing"));
  Verdicts right;
  right.check("first: result");
  right.check("first: safety", "findings", {passed});
  CHECK_THAT(screen(right), ContainsSubstring("today's hardware cannot reorder"));
}

TEST_CASE("a wrong result in another order names __activemask(), and no barrier") {
  Verdicts record;
  record.fail("first: result",
              {.test_case = "first: result",
               .sentence = "schedule split:1: peers[25] is 1, expected 3",
               .lines = {{"exercise.cu", 9, "f(__activemask());", std::string(report::takes_who_is_there)}},
               .schedule = "split:1"});
  const std::string text = screen(record);
  CHECK_THAT(text,
             ContainsSubstring("line 9") && ContainsSubstring("__activemask() is no fixed set of lanes"));
  CHECK_THAT(text, ContainsSubstring("Name the lanes that are to") && !ContainsSubstring("__syncthreads()"));
}

TEST_CASE("a sentence of the contract is never cut in the middle") {
  const std::string first(120, 'a'), second(120, 'b');
  const report::Report failed = [] {
    Verdicts record;
    record.check("first: result");
    record.check("first: technique", "too many barriers");
    return record.report();
  }();
  const auto shown = [&](const std::string& contract) {
    return screen_of({.report = failed, .texts = {{.kernel = "first", .technique = contract, .todos = {}}}});
  };
  CHECK_THAT(shown(first + ". " + second + "."),
             ContainsSubstring(first + ".\n") && !ContainsSubstring("bb"));
  CHECK_THAT(shown(first + " " + second + ". More."),
             ContainsSubstring(second + ".") && !ContainsSubstring("More"));
}
