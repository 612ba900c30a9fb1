// How Catch2 runs the test cases, and what it tells of them.
#include "running_case.hpp"

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/catch_translate_exception.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
using ListenerBase = Catch::EventListenerBase;
using AssertionEndedResult = void;
static int warpwise_run_catch(int count, char** words) { return Catch::Session().run(count, words); }
#else
using ListenerBase = Catch::TestEventListenerBase;
using AssertionEndedResult = bool;  // true: messages were used up; a listener uses none
/// Catch2's own main, which is compiled elsewhere (cmake/Dependencies.cmake).
extern "C" int warpwise_run_catch(int count, char** words);
#endif

#include <algorithm>
#include <new>

#include "requirement.hpp"

namespace warpwise::harness {

Failure failure_of(const SimulatedDevice& simulated, std::string sentence, const Explanation& explanation) {
  Failure failure{.test_case = {},
                  .sentence = std::move(sentence),
                  .findings = explanation.findings,
                  .lines = explanation.lines,
                  .element = explanation.element,
                  .found = explanation.found,
                  .expected = explanation.expected};
  if (const auto made = simulated.latest_with(failure.findings.empty() ? nullptr : &failure.findings[0])) {
    failure.n = made->launch.shape().n.value_or(0);
    failure.block = made->launch.report().block[0];
    failure.schedule = made->launch.schedule();
    failure.launch = made->number;
    if (explanation.names_writers) {
      failure.lines = lines_that_write(made->launch.report());
      if (failure.schedule.starts_with("split"))
        for (report::LineShare& line : lines_with_active_mask(simulated.program(), made->launch.kernel()))
          failure.lines.push_back(std::move(line));
    }
  }
  return failure;
}

namespace {

/// "n = 33, block = 32, real floats": `where`, and what sections, INFO and CAPTURE say that it does not.
std::string circumstances(std::string where, std::vector<std::string> parts,
                          const std::vector<Catch::MessageInfo>& messages) {
  for (const Catch::MessageInfo& one : messages)
    if (one.type == Catch::ResultWas::Info) parts.push_back(one.message);
  for (std::string& part : parts) {
    if (const auto assigned = part.find(" := "); assigned != part.npos) part.replace(assigned, 4, " = ");
    const bool is_told = (", " + where + ",").find(", " + part + ",") != where.npos;
    if (!is_told) where += (where.empty() ? "" : ", ") + part;
  }
  return where;
}

Failure failure_of(const Catch::AssertionStats& stats, const CheckFailed* mismatch) {
  const Run& run = Run::current();
  const Catch::AssertionResult& result = stats.assertionResult;
  std::string sentence(result.getMessage());
  Explanation explanation;
  if (mismatch != nullptr) {
    sentence = mismatch->sentence();
    explanation = mismatch->explanation();
  } else {  // without a matcher: it does not say what is asked, so the case's name does
    if (result.hasExpression())
      sentence = "expected " + std::string(result.getExpression()) + ", got " +
                 std::string(result.getExpandedExpression());
    sentence = run.test_case->name_in_kernel() + ": " + sentence;
    if (const auto& latest = run.places.simulated->latest_launch())
      explanation.where = spelled(Case{.n = latest->shape().n, .block = latest->shape().block.x});
  }
  std::vector<std::string> parts = run.sections;
  if (!run.order.empty() && !run.is_other_order) parts.push_back("schedule " + run.order);
  const std::string where = circumstances(explanation.where, std::move(parts), stats.infoMessages);
  if (!where.empty()) sentence = where + ": " + sentence;
  if (run.is_other_order) sentence = "under the schedule " + run.order + ": " + sentence;
  return harness::failure_of(*run.places.simulated, std::move(sentence), explanation);
}

class Listener : public ListenerBase {
 public:
  using ListenerBase::ListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    ListenerBase::testCaseStarting(info);
    const auto& all = test_cases();
    Run::current().begin(
        *std::find_if(all.begin(), all.end(), [&](const TestCase& one) { return one.name == info.name; }));
  }
  void sectionStarting(const Catch::SectionInfo& info) override {
    ListenerBase::sectionStarting(info);
    Run::current().enter_section(info.name);
  }
  void sectionEnded(const Catch::SectionStats& stats) override {
    Run::current().leave_section();
    ListenerBase::sectionEnded(stats);
  }
  AssertionEndedResult assertionEnded(const Catch::AssertionStats& stats) override {
    const Catch::AssertionResult& result = stats.assertionResult;
    if (result.isOk()) return AssertionEndedResult();
    Run& run = Run::current();
    const auto type = result.getResultType();
    if (type != Catch::ResultWas::ThrewException && type != Catch::ResultWas::FatalErrorCondition) {
      const auto taken = take_mismatch();
      const bool is_matcher = std::string(result.getTestMacroName()).ends_with("_THAT");
      const CheckFailed* const mismatch = taken && is_matcher ? &*taken : nullptr;
      run.add(mismatch != nullptr && !mismatch->explanation().findings.empty(),
              [&] { return failure_of(stats, mismatch); });
    } else if (run.thrown) {
      run.failures.push_back(*std::exchange(run.thrown, std::nullopt));
    } else {
      run.add_broken(std::string(result.getMessage()));
    }
    return AssertionEndedResult();
  }
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    Run::current().end();
    ListenerBase::testCaseEnded(stats);
  }
};

CATCH_REGISTER_LISTENER(Listener)

/// How the listener is to tell of what a body has thrown; the sentence, for Catch2's own report.
std::string told(const std::string& what, const Explanation& explanation) {
  Run& run = Run::current();
  run.thrown = harness::failure_of(
      *run.places.simulated, run.is_other_order ? "under the schedule " + run.order + ": " + what : what,
      explanation);
  return what;
}
CATCH_TRANSLATE_EXCEPTION(const CheckFailed& failed) { return told(failed.what(), failed.explanation()); }
CATCH_TRANSLATE_EXCEPTION(const LaunchFault& fault) {
  return told(fault.what(), {.findings = fault.findings()});
}
CATCH_TRANSLATE_EXCEPTION(const std::bad_alloc& error) {
  told(error.what(), {});
  Run::current().thrown->is_broken = Run::current().thrown->is_out_of_memory = true;
  return error.what();
}

}  // namespace

report::Report run_checks(const Devices& devices, const std::string& names,
                          const std::vector<std::string>& catch_arguments) {
  test_cases();
  std::vector<std::string> arguments{"checks"};
  const auto is_given = [&](std::string_view option) {
    return std::ranges::any_of(catch_arguments, [&](const auto& word) { return word.starts_with(option); });
  };
  if (!is_given("--order")) arguments.insert(arguments.end(), {"--order", "decl"});
  if (!is_given("-")) arguments.insert(arguments.end(), {"--out", "/dev/null"});
  if (!names.empty()) arguments.push_back(names);
  arguments.insert(arguments.end(), catch_arguments.begin(), catch_arguments.end());
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());

  Run run(devices);
  warpwise_run_catch(static_cast<int>(pointers.size()), pointers.data());
  return std::move(run.report);
}

}  // namespace warpwise::harness
