#include "check.hpp"

#include <algorithm>
#include <new>
#include <set>
#include <string>
#include <utility>

#include "../../print/terminal.hpp"

namespace warpwise::harness {

namespace {

// What is tried in another order. An order goes wrong in few warps as it does in many.
constexpr unsigned other_seeds = 4;
constexpr Limits other_limits{.elements = 8192, .threads = 2048, .launches = 6};

/// While it lives, `device` runs lanes in the order `name`, up to the limits.
class InOrder {
 public:
  InOrder(SimulatedDevice& device, const std::string& name)
      : device_(device), options_(device, [&](simulator::GpuOptions& options) {
          options.launch.schedule = simulator::Schedule::parse(name);
          options.watch = simulator::Watch::counters;  // findings are those of any order
        }) {
    device_.set_limits(other_limits);
  }
  ~InOrder() { device_.set_limits(std::nullopt); }
  InOrder(const InOrder&) = delete;  ///< it would end twice
  InOrder& operator=(const InOrder&) = delete;

 private:
  SimulatedDevice& device_;
  OtherOptions options_;
};

}  // namespace

std::vector<std::string> every_schedule(unsigned seeds) {
  std::vector<std::string> all{"converged", "lockstep"};
  for (unsigned seed = 1; seed <= seeds; ++seed) all.push_back("split:" + std::to_string(seed));
  return all;
}

std::string unread_sentence(const Launch& launch) {
  return "nothing has been compared of what " + launch.kernel() + spelled(launch.shape()) +
         " wrote: a check that launches must compare the result too";
}

Check::Check(SimulatedDevice& simulated, Device* gpu, const report::Report& so_far, std::uint64_t budget)
    : simulated_(simulated), gpu_(gpu), so_far_(so_far) {
  simulated_.begin_budget(budget);
  simulated_.forget_launches();
}

Check::~Check() {
  simulated_.begin_budget(0);
  simulated_.forget_launches();
}

std::vector<std::reference_wrapper<Device>> Check::devices() const {
  std::vector<std::reference_wrapper<Device>> all{simulated_};
  if (gpu_ != nullptr && !is_in_another_order()) all.emplace_back(*gpu_);
  return all;
}

std::vector<unsigned> Check::block_sizes() const {
  if (is_in_another_order()) return {32, 256};
  return {32, 64, 128, 256, 512, 1024};
}

std::vector<unsigned> Check::awkward_sizes(unsigned stretch) const {
  return is_in_another_order() ? std::vector{3 * stretch - 5, stretch / 2 + 3} : awkward(stretch);
}
std::vector<unsigned> Check::awkward(unsigned stretch) {
  std::set<unsigned> sizes{1, 31, 32, 33, 1023, 1024, 1025};
  for (unsigned whole = 1; whole <= 3; ++whole) {
    sizes.insert({whole * stretch - 1, whole * stretch, whole * stretch + 1});
  }
  sizes.insert(5 * stretch + stretch / 2 + 3);  // several stretches, the last one half empty
  for (const unsigned drawn : drawn_sizes(6 * std::uint64_t{stretch})) sizes.insert(drawn);
  sizes.erase(0);
  std::vector<unsigned> in_order(sizes.begin(), sizes.end());
  in_order.push_back(0);
  return in_order;
}

std::vector<unsigned> Check::some_awkward_sizes(unsigned stretch, unsigned count) const {
  const std::vector<unsigned> all = awkward_sizes(stretch);
  std::vector<unsigned> some;
  for (unsigned draw = 0; draw < count; ++draw)
    some.push_back(all[seed_of(run_seed(), stretch, 100 + draw) % all.size()]);
  return some;
}

std::vector<Sizes> Check::sizes(const std::vector<unsigned>& blocks) const {
  std::vector<Sizes> all;
  unsigned most = 0;  // the largest up to 256
  for (const unsigned block : blocks)
    if (block <= 256) most = std::max(most, block);
  for (const unsigned block : blocks) {
    if (is_in_another_order() && block != blocks.front() && block != most) continue;
    for (const unsigned n : awkward_sizes(block)) all.push_back({n, block});
  }
  return all;
}

void Check::set_aside(const CheckFailed& wrong_result) {
  if (!wrong_result_) wrong_result_ = failure(wrong_result.what(), wrong_result.explanation());
}

void Check::expect_finding(const Launch& launch, simulator::FindingKind kind) const {
  const auto& findings = launch.findings();
  simulated_.mark_read(launch);
  if (std::ranges::any_of(findings, [&](const simulator::Finding& one) { return one.kind == kind; })) return;
  fail("expected the finding " + std::string(simulator::name_of(kind)) + ", but there " +
           (findings.empty() ? "is none" : "is only " + print::headline(findings.front())),
       {.findings = findings});
}

Failure Check::failure(std::string sentence, const Explanation& explanation) const {
  return harness::failure_of(simulated_, std::move(sentence), explanation);
}

Failure failure_of(const SimulatedDevice& simulated, std::string sentence, const Explanation& explanation) {
  Failure failure{.test_case = {},
                  .sentence = std::move(sentence),
                  .findings = explanation.findings,
                  .lines = explanation.lines};
  if (const auto& latest = simulated.latest_launch()) {
    failure.n = latest->shape().n.value_or(0);
    failure.block = latest->report().block[0];
    failure.schedule = latest->schedule();
    if (explanation.names_writers) failure.lines = lines_that_write(latest->report());
  }
  return failure;
}

std::optional<Failure> Check::failure_of(const Body& body) {
  const auto broken = [&](const std::string& sentence) {
    Failure failure = this->failure(sentence);
    failure.is_broken = true;
    return failure;
  };
  const auto failed = [&](const std::string& what, const Explanation& explanation) {
    return failure(order_ ? "under the schedule " + *order_ + ": " + what : what, explanation);
  };
  try {
    body(*this);
    if (wrong_result_) return wrong_result_;
    if (const auto unread = simulated_.unread_launch()) return broken(unread_sentence(*unread));
    return std::nullopt;
  } catch (const LimitReached&) {
    simulated_.forget_launches();  // it had no time to look at the last
    return std::nullopt;
  } catch (const CheckFailed& expectation) {
    return failed(expectation.what(), expectation.explanation());
  } catch (const LaunchFault& fault) {
    return failed(fault.what(), {.findings = fault.findings()});
  } catch (const std::bad_alloc& error) {
    Failure failure = broken(error.what());
    failure.is_out_of_memory = true;
    return failure;
  } catch (const std::exception& error) {
    return broken(error.what());
  }
}

std::optional<Failure> Check::failure_of(Aspect aspect, const Body& body) {
  if (auto failure = failure_of(body)) return failure;
  if (aspect != Aspect::result) return std::nullopt;
  for (const std::string& name : every_schedule(other_seeds)) {
    if (name == "converged") continue;  // as which it has run
    const InOrder in_order(simulated_, name);
    order_ = name;
    auto failure = failure_of(body);
    order_.reset();
    if (failure) return failure;
  }
  return std::nullopt;
}

}  // namespace warpwise::harness
