#include "common/print/screen.hpp"

#include "common/testing/catch.hpp"
#include "shown_report.hpp"

namespace report = warpwise::report;
using namespace warpwise::print;
using namespace warpwise::print::tests;
using warpwise::testing::ContainsSubstring;

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
