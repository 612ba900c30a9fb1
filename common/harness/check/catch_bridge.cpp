// The one file that knows how Catch2 runs test cases. Catch2 calls a function without parameters and tells
// listeners which test case it is for; here both meet the run in progress.
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
using ListenerBase = Catch::EventListenerBase;
using AssertionEndedResult = void;
static int warpwise_run_catch(int count, char** words) { return Catch::Session().run(count, words); }
#else
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>
using ListenerBase = Catch::TestEventListenerBase;
using AssertionEndedResult = bool;  // true: messages were used up; a listener uses none
/// Catch2's own main, which is compiled elsewhere (cmake/Dependencies.cmake).
extern "C" int warpwise_run_catch(int count, char** words);
#endif

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "run.hpp"

namespace {

using namespace warpwise::harness;

/// What the functions that Catch2 calls find: one run at a time.
struct RunInProgress {
  const Devices& devices;
  warpwise::report::Report report = report_of(chapter());  ///< with the verdicts so far
  std::string test_case = {};                              ///< that runs
  const RegisteredCheck* check = nullptr;                  ///< of that name; null: none
  const Check* context = nullptr;                          ///< what its body has been handed
  std::vector<Failure> failures = {};
};
RunInProgress* run_in_progress = nullptr;

void run_current_check() {
  RunInProgress& run = *run_in_progress;
  Check context(*run.devices.simulated, run.devices.gpu.get(), run.report);
  run.context = &context;
  const auto failure = context.failure_of(run.check->check.aspect, run.check->check.body);
  run.context = nullptr;
  if (!failure) return;
  run.failures.push_back(*failure);
  throw std::runtime_error(failure->sentence);  // for Catch2's own report
}

class Listener : public ListenerBase {
 public:
  using ListenerBase::ListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    ListenerBase::testCaseStarting(info);
    RunInProgress& run = *run_in_progress;
    const auto& all = registered_checks();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const RegisteredCheck& one) { return one.name == info.name; });
    run.test_case = info.name;
    run.check = found == all.end() ? nullptr : &*found;
    run.failures.clear();
  }
  AssertionEndedResult assertionEnded(const Catch::AssertionStats& stats) override {
    if (!stats.assertionResult.isOk()) add(stats.assertionResult);
    return AssertionEndedResult();
  }
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    RunInProgress& run = *run_in_progress;
    // A TEST_CASE would be counted nowhere: that is a mistake of the chapter, and must not pass unseen.
    if (run.check == nullptr) add("this test case is no WARPWISE_CHECK", true);
    for (Failure& failure : run.failures) failure.test_case = run.test_case;
    run.report.add(chapter().name, run.check != nullptr ? run.check->kernel : run.test_case,
                   run.check != nullptr ? run.check->check.aspect : Aspect::result, std::move(run.failures));
    ListenerBase::testCaseEnded(stats);
  }

 private:
  /// A CHECK or REQUIRE of Catch2 that a body has.
  static void add(const Catch::AssertionResult& result) {
    const auto type = result.getResultType();
    if (type == Catch::ResultWas::ThrewException && !run_in_progress->failures.empty())
      return;  // run_current_check's own
    std::string sentence(result.getMessage());
    const bool is_broken =
        type == Catch::ResultWas::ThrewException || type == Catch::ResultWas::FatalErrorCondition;
    if (!is_broken && result.hasExpression())
      sentence = "expected " + std::string(result.getExpression()) + ", got " +
                 std::string(result.getExpandedExpression());
    add(std::move(sentence), is_broken);
  }
  static void add(std::string sentence, bool is_broken) {
    RunInProgress& run = *run_in_progress;
    Failure failure;
    if (run.context != nullptr) failure = run.context->failure(sentence);
    failure.sentence = std::move(sentence);
    failure.is_broken = is_broken;
    run.failures.push_back(std::move(failure));
  }
};

CATCH_REGISTER_LISTENER(Listener)

}  // namespace

namespace warpwise::harness {

ChecksRun run_checks(const Devices& devices, const std::string& names,
                     const std::vector<std::string>& catch_arguments) {
  for (const RegisteredCheck& one : registered_checks()) {
    const std::string tags = "[" + one.kernel + "][" + std::string(name_of(one.check.aspect)) + "]";
    Catch::AutoReg(Catch::makeTestInvoker(run_current_check),
                   Catch::SourceLineInfo(one.file, static_cast<std::size_t>(one.line)), Catch::StringRef(),
                   Catch::NameAndTags{one.name, tags});
  }
  std::vector<std::string> arguments{"checks", "--order", "decl"};
  if (catch_arguments.empty()) arguments.insert(arguments.end(), {"--out", "/dev/null"});
  if (!names.empty()) arguments.push_back(names);
  arguments.insert(arguments.end(), catch_arguments.begin(), catch_arguments.end());
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());

  RunInProgress run{devices};
  run_in_progress = &run;
  const int status = warpwise_run_catch(static_cast<int>(pointers.size()), pointers.data());
  run_in_progress = nullptr;
  return {std::move(run.report), status};
}

}  // namespace warpwise::harness
