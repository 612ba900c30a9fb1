// The one file that knows Catch2 itself; everything else uses common/testing/catch.hpp.
#include "runner.hpp"

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_case_info.hpp>
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

#include "verdict.hpp"

namespace {

using warpwise::harness::record;

/// Tells the record which test case runs, and of failures that did not go through expectations.hpp.
class RecordListener : public ListenerBase {
 public:
  using ListenerBase::ListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    ListenerBase::testCaseStarting(info);
    record().begin_case(info.name);
  }
  AssertionEndedResult assertionEnded(const Catch::AssertionStats& stats) override {
    if (!stats.assertionResult.isOk()) add(stats.assertionResult);
    return AssertionEndedResult();
  }
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    record().end_case();
    ListenerBase::testCaseEnded(stats);
  }

 private:
  static void add(const Catch::AssertionResult& result) {
    const auto type = result.getResultType();
    if (type == Catch::ResultWas::ThrewException || type == Catch::ResultWas::FatalErrorCondition) {
      // CheckFailed was recorded before it was thrown; any other exception means that the check itself is
      // broken.
      const bool is_recorded = type == Catch::ResultWas::ThrewException && record().has_failed_here();
      if (!is_recorded) record().add_failure(std::string(result.getMessage()), {}, true);
    } else if (result.hasExpression()) {
      record().add_failure("expected " + std::string(result.getExpression()) + ", got " +
                               std::string(result.getExpandedExpression()),
                           {});
    } else {
      record().add_failure(std::string(result.getMessage()), {});
    }
  }
};

CATCH_REGISTER_LISTENER(RecordListener)

}  // namespace

namespace warpwise::harness {

int run_checks(const std::string& names, const std::vector<std::string>& catch_arguments) {
  std::vector<std::string> arguments{"checks", "--order", "decl"};
  if (catch_arguments.empty()) arguments.insert(arguments.end(), {"--out", "/dev/null"});
  if (!names.empty()) arguments.push_back(names);
  arguments.insert(arguments.end(), catch_arguments.begin(), catch_arguments.end());

  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  return warpwise_run_catch(static_cast<int>(pointers.size()), pointers.data());
}

}  // namespace warpwise::harness
