// The one file that knows how Catch2 runs test cases.
#define CATCH_CONFIG_EXTERNAL_INTERFACES  // of version 2, which is one header
#include "cases.hpp"

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/catch_translate_exception.hpp>
#include <catch2/interfaces/catch_interfaces_registry_hub.hpp>
#include <catch2/interfaces/catch_interfaces_testcase.hpp>
#include <catch2/internal/catch_assertion_handler.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#if __has_include(<catch2/internal/catch_test_failure_exception.hpp>)
#include <catch2/internal/catch_test_failure_exception.hpp>
#endif
using ListenerBase = Catch::EventListenerBase;
using AssertionEndedResult = void;
static int warpwise_run_catch(int count, char** words) { return Catch::Session().run(count, words); }
template <class Do>
static void for_each_test_case(Do act) {
  for (const Catch::TestCaseInfo* info : Catch::getRegistryHub().getTestCaseRegistry().getAllInfos()) {
    std::vector<std::string> tags;
    for (const Catch::Tag& tag : info->tags) tags.emplace_back(tag.original);
    act(*info, tags);
  }
}
#else
using ListenerBase = Catch::TestEventListenerBase;
using AssertionEndedResult = bool;  // true: messages were used up; a listener uses none
/// Catch2's own main, which is compiled elsewhere (cmake/Dependencies.cmake).
extern "C" int warpwise_run_catch(int count, char** words);
template <class Do>
static void for_each_test_case(Do act) {
  for (const Catch::TestCase& info : Catch::getRegistryHub().getTestCaseRegistry().getAllTests())
    act(info, info.tags);
}
#endif

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>

#include "../../text/files.hpp"
#include "matchers.hpp"
#include "run.hpp"

namespace warpwise::harness {

namespace {

// What is tried in another order. An order goes wrong in few warps as it does in many.
constexpr unsigned other_seeds = 4;

/// Ends the body of a test case where it stands; what has failed has been reported.
[[noreturn]] void end_body() { throw Catch::TestFailureException(); }

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

  void begin(const TestCase& one) {
    test_case = &one;
    failures.clear();
    wrong_result.reset();
    used_up.clear();
    places.simulated->begin_budget(check_budget);
    places.simulated->forget_launches();
  }
  void end() {
    leave_order();
    if (failures.empty() && wrong_result) failures.push_back(std::move(*wrong_result));
    const auto unread = places.simulated->unread_launch();
    if (failures.empty() && unread) add_broken(unread_sentence(*unread));
    for (Failure& failure : failures) failure.test_case = test_case->name;
    report.add(chapter().name, test_case->kernel, test_case->aspect, std::move(failures));
    places.simulated->begin_budget(0);
    places.simulated->forget_launches();
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
    if (is_limited)
      places.simulated->set_limits(
          Limits{.elements = 8192, .threads = 2048, .launches = 6, .end = [] { current().end_order(); }});
  }

  /// A case, and a SECTION in it: what has been entered since the body began.
  void enter_section(const std::string& name) {
    if (depth_++ == 0)
      sections.clear();
    else
      sections.push_back(name);
  }
  void leave_section() { --depth_; }

  void add(Failure failure) {
    const bool may_be_explained =
        test_case->aspect == Aspect::safety && failure.findings.empty() && !failure.is_broken;
    if (!may_be_explained)
      failures.push_back(std::move(failure));
    else if (!wrong_result)
      wrong_result = std::move(failure);
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
  /// Set aside: a finding says more, and may show at another size alone.
  std::optional<Failure> wrong_result = {};
  std::vector<std::string> sections = {};
  std::optional<Failure> thrown = {};  ///< how an exception is to be told
  std::string order = {};              ///< empty: the usual one
  bool is_other_order = false;         ///< of devices()
  std::set<std::string> used_up = {};  ///< orders that have met a limit

 private:
  void leave_order() {
    places.simulated->set_limits(std::nullopt);
    options_.reset();
    order.clear();
    is_other_order = false;
  }
  void end_order() {
    used_up.insert(order);
    places.simulated->forget_launches();  // the body had no time to look at the last
    end_body();
  }

  static inline Run* current_ = nullptr;
  std::optional<OtherOptions> options_ = {};
  unsigned depth_ = 0;
};

/// One device after the other, in one order or more.
template <class AnyDevice>
class DeviceGenerator : public Catch::Generators::IGenerator<std::reference_wrapper<AnyDevice>> {
 public:
  struct Place {
    std::reference_wrapper<AnyDevice> device;
    std::string order = {};
  };
  DeviceGenerator(std::vector<Place> places, bool is_limited)
      : places_(std::move(places)), is_limited_(is_limited) {}

  const std::reference_wrapper<AnyDevice>& get() const override {
    Run& run = Run::current();
    const Place& place = places_[at_];
    run.end_if_failed();
    if (run.used_up.contains(place.order)) end_body();
    run.enter_order(place.order, is_limited_);
    return place.device;
  }
  bool next() override {
    Run& run = Run::current();
    do ++at_;
    while (at_ < places_.size() && run.used_up.contains(places_[at_].order));
    return at_ < places_.size() && run.failures.empty();
  }

 private:
  std::vector<Place> places_;
  bool is_limited_;
  std::size_t at_ = 0;
};

Generator<unsigned> values_of(const std::vector<unsigned>& values) {
  return Catch::Generators::from_range(values);
}

std::vector<unsigned> awkward(unsigned stretch) {
  if (is_in_another_order()) return {3 * stretch - 5, stretch / 2 + 3};
  return Check::awkward(stretch);
}

}  // namespace

Generator<std::reference_wrapper<Device>> devices() {
  const Devices& all = Run::current().places;
  std::vector<DeviceGenerator<Device>::Place> places{{*all.simulated}};
  if (all.gpu) places.push_back({*all.gpu});
  for (const std::string& order : every_schedule(other_seeds))
    if (order != "converged") places.push_back({*all.simulated, order});
  return testing::generator_of<std::reference_wrapper<Device>>(
      new DeviceGenerator<Device>(std::move(places), true));
}

SimulatedDevice& simulated() {
  Run::current().end_if_failed();
  return *Run::current().places.simulated;
}

Generator<std::reference_wrapper<SimulatedDevice>> every_order(unsigned seeds) {
  std::vector<DeviceGenerator<SimulatedDevice>::Place> places;
  for (const std::string& order : every_schedule(seeds))
    places.push_back({*Run::current().places.simulated, order});
  return testing::generator_of<std::reference_wrapper<SimulatedDevice>>(
      new DeviceGenerator<SimulatedDevice>(std::move(places), false));
}

bool is_in_another_order() { return Run::current().is_other_order; }

Generator<unsigned> block_sizes() {
  return values_of(is_in_another_order() ? std::vector<unsigned>{32, 256}
                                         : std::vector<unsigned>{32, 64, 128, 256, 512, 1024});
}

Generator<unsigned> awkward_sizes(unsigned stretch) { return values_of(awkward(stretch)); }

Generator<unsigned> some_awkward_sizes(unsigned stretch, unsigned count) {
  const std::vector<unsigned> all = awkward(stretch);
  std::vector<unsigned> some;
  for (unsigned draw = 0; draw < count; ++draw)
    some.push_back(all[seed_of(run_seed(), stretch, 100 + draw) % all.size()]);
  return values_of(some);
}

// --- The test cases ---------------------------------------------------------------------------------------

namespace {

/// The body of a WARPWISE_CHECK.
void run_current_check() {
  Run& run = Run::current();
  const auto& all = registered_checks();
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const RegisteredCheck& one) { return one.name == run.test_case->name; });
  Check context(*run.places.simulated, run.places.gpu.get(), run.report);
  const auto failure = context.failure_of(found->check.aspect, found->check.body);
  if (!failure) return;
  run.thrown = failure;
  throw std::runtime_error(failure->sentence);
}

void register_checks() {
  for (const RegisteredCheck& one : registered_checks()) {
    const std::string tags = "[" + one.kernel + "][" + std::string(name_of(one.check.aspect)) + "]";
    Catch::AutoReg(Catch::makeTestInvoker(run_current_check),
                   Catch::SourceLineInfo(one.file, static_cast<std::size_t>(one.line)), Catch::StringRef(),
                   Catch::NameAndTags{one.name, tags});
  }
}

/// "[reduce_naive] or [sum_in_place]"
std::string kernel_tags() {
  std::string all;
  for (const ChapterKernel& one : chapter().kernels)
    all += (all.empty() ? "[" : " or [") + std::string(one.kernel.text) + "]";
  return all;
}

}  // namespace

const std::vector<TestCase>& test_cases() {
  static const std::vector<TestCase> all = [] {
    register_checks();
    std::vector<TestCase> cases;
    for_each_test_case([&](const Catch::TestCaseInfo& info, const std::vector<std::string>& tags) {
      const ChapterKernel* kernel = nullptr;
      Aspect aspect = Aspect::result;
      for (const std::string& tag : tags) {
        if (const ChapterKernel* const found = chapter().find(tag)) kernel = found;
        for (const Aspect one : all_aspects)
          if (name_of(one) == tag) aspect = one;
      }
      if (kernel == nullptr)
        throw std::logic_error(text::shown_path(info.lineInfo.file) + ":" +
                               std::to_string(info.lineInfo.line) + ": the tags of the test case '" +
                               info.name + "' name no kernel: behind its name there must be " +
                               kernel_tags());
      cases.push_back({info.name, std::string(kernel->kernel.text), aspect});
    });
    return cases;
  }();
  return all;
}

// --- What Catch2 tells ------------------------------------------------------------------------------------

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

Failure failure_of(const Catch::AssertionStats& stats) {
  const Run& run = Run::current();
  const Catch::AssertionResult& result = stats.assertionResult;
  std::string sentence(result.getMessage());
  Explanation explanation;
  const auto mismatch = take_mismatch();
  if (mismatch && std::string(result.getTestMacroName()).ends_with("_THAT")) {
    sentence = mismatch->sentence();
    explanation = mismatch->explanation();
  } else if (result.hasExpression()) {
    sentence = "expected " + std::string(result.getExpression()) + ", got " +
               std::string(result.getExpandedExpression());
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
    if (type != Catch::ResultWas::ThrewException && type != Catch::ResultWas::FatalErrorCondition)
      run.add(failure_of(stats));
    else if (run.thrown)
      run.failures.push_back(*std::exchange(run.thrown, std::nullopt));
    else
      run.add_broken(std::string(result.getMessage()));
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
