#pragma once
/// \file The run of a chapter's test cases: what the functions that Catch2 calls find.

#include "cases.hpp"

#if __has_include(<catch2/internal/catch_test_failure_exception.hpp>)
#include <catch2/internal/catch_test_failure_exception.hpp>
#elif __has_include(<catch2/internal/catch_assertion_handler.hpp>)
#include <catch2/internal/catch_assertion_handler.hpp>
#endif

#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "chapter_run.hpp"
#include "proof.hpp"

namespace warpwise::harness {

/// What the launches of one test case may spend together, in warp instructions: a kernel of the course spends
/// a fifth of it at most, in a second. One that asks over and over whether it may go on, as the threads of a
/// cuda::barrier do, would take minutes.
inline constexpr std::uint64_t check_budget = 80'000'000;

/// A failure with this sentence, of the launch that `simulated` has made last.
Failure failure_of(const SimulatedDevice& simulated, std::string sentence,
                   const Explanation& explanation = {});

/// Ends the body of a test case where it stands; what has failed has been reported.
[[noreturn]] inline void end_body() { throw Catch::TestFailureException(); }

/// The run in progress and the test case that it has come to: what the functions that Catch2 calls find. One
/// at a time.
class Run {
 public:
  explicit Run(const Devices& all) : places(all) { current_ = this; }
  ~Run() { current_ = nullptr; }
  Run(const Run&) = delete;  ///< one at a time
  Run& operator=(const Run&) = delete;
  static Run& current() {
    if (current_ == nullptr) throw std::logic_error("devices are for a chapter's test cases alone");
    return *current_;
  }

  static const Run* running() { return current_; }  ///< nullptr: none

  void begin(const TestCase& one) {
    test_case = &one;
    failures.clear();
    wrong_result.reset();
    used_up.clear();
    is_large = false;
    places.simulated->begin_budget(check_budget);
    places.simulated->forget_launches();
    places.simulated->follow_terms(one.aspect == Aspect::result);
    note_proofs_in(one.aspect == Aspect::result ? &proofs : nullptr);
  }
  void end() {
    note_proofs_in(nullptr);
    places.simulated->follow_terms(false);
    leave_order();
    if (failures.empty() && wrong_result) failures.push_back(std::move(*wrong_result));
    const auto unread = places.simulated->unread_launch();
    if (failures.empty() && unread) add_broken(unread_sentence(*unread));
    for (Failure& failure : failures) failure.test_case = test_case->name;
    report.add(chapter().name, test_case->kernel, test_case->aspect, std::move(failures), std::move(proofs));
    proofs = {};
    places.simulated->begin_budget(0);
    places.simulated->forget_launches();
  }

  bool is_used_up(const std::string& name) const {
    return used_up.contains(name) || (is_large && !name.empty());
  }
  /// In front of each use of a device.
  void end_if_failed() const {
    if (!failures.empty()) end_body();
  }
  /// From now on the simulated GPU runs lanes in this order, the usual one if it is empty; up to the limits
  /// if it is one of devices().
  void enter_order(const std::string& name, bool is_limited) {
    if (name == order) return;
    leave_order();
    if (name.empty()) return;
    order = name;
    options_.emplace(*places.simulated, [&](simulator::GpuOptions& all) {
      all.launch.schedule = simulator::Schedule::parse(name);
      if (is_limited) all.watch = simulator::Watch::counters;  // findings are those of any order
    });
    is_other_order = is_limited;
    const unsigned launches = test_case->is_first ? 6 : 2;
    if (is_limited)
      places.simulated->set_limits(Limits{
          .elements = 8192, .threads = 2048, .launches = launches, .end = [] { current().end_order(); }});
  }

  /// A case, and a SECTION in it: what has been entered since the body began.
  void enter_section(const std::string& name) {
    if (depth_++ == 0)
      sections.clear();
    else
      sections.push_back(name);
  }
  void leave_section() { --depth_; }

  /// A failed assertion: of the safety, one without a finding is set aside, and only the first is told.
  template <class MakeFailure>
  void add(bool has_finding, MakeFailure failure) {
    if (test_case->aspect != Aspect::safety || has_finding)
      failures.push_back(failure());
    else if (!wrong_result)
      wrong_result = failure();
  }
  void add_broken(const std::string& sentence) {
    Failure failure = harness::failure_of(*places.simulated, sentence);
    failure.is_broken = true;
    failures.push_back(std::move(failure));
  }

  const Devices& places;
  report::Report report = report_of(chapter());  ///< with the verdicts so far
  const TestCase* test_case = nullptr;
  std::vector<Failure> failures = {};
  report::Proofs proofs = {};  ///< of this test case
  /// Set aside: a finding says more, and may show at another size alone.
  std::optional<Failure> wrong_result = {};
  std::vector<std::string> sections = {};
  std::optional<Failure> thrown = {};  ///< how an exception is to be told
  std::string order = {};              ///< empty: the usual one
  bool is_other_order = false;         ///< of devices()
  std::set<std::string> used_up = {};  ///< orders that have met a limit
  bool is_large = false;               ///< the first of them, before anything was launched

 private:
  void leave_order() {
    places.simulated->set_limits(std::nullopt);
    options_.reset();
    order.clear();
    is_other_order = false;
  }
  void end_order() {
    const auto& latest = places.simulated->latest_launch();
    used_up.insert(order);
    // What is large at the first launch is so in each order: the inputs need not be made again.
    is_large = !latest || latest->schedule() != order;
    places.simulated->forget_launches();  // the body had no time to look at the last
    end_body();
  }

  static inline Run* current_ = nullptr;
  std::optional<OtherOptions> options_ = {};
  unsigned depth_ = 0;
};

}  // namespace warpwise::harness
