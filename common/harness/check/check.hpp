#pragma once
/// \file What the body of a check works with; and how a check is run: once as it stands, a check of the
/// result then in every other order that the lanes of a warp may take.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../report/report.hpp"
#include "../device/simulated_device.hpp"
#include "expectations.hpp"
#include "inputs.hpp"

namespace warpwise::harness {

using report::all_aspects;
using report::Aspect;
using report::Failure;
using report::Outcome;
using report::Verdict;

/// A size of the input and a size of the block to try together.
struct Sizes {
  unsigned n, block;
};

/// The names of the orders: what most code meets, what lanes in step did, and `seeds` of the others that CUDA
/// allows (simulator::Schedule). A right kernel is right under all of them.
std::vector<std::string> every_schedule(unsigned seeds);

/// What the launches of one test case may spend together, in warp instructions: a kernel of the course spends
/// a fifth of it at most, in a second. One that asks over and over whether it may go on, as the threads of a
/// cuda::barrier do, would take minutes.
inline constexpr std::uint64_t check_budget = 80'000'000;

/// Handed to the body of a check: where it launches, and at which sizes. The devices are those of the run;
/// what their launches may spend together, and whether anybody has looked at what they wrote, is counted
/// while a Check lives.
class Check {
 public:
  using Body = std::function<void(Check&)>;

  /// `gpu` may be null. `so_far`: of the checks that have run before.
  Check(SimulatedDevice& simulated, Device* gpu, const report::Report& so_far,
        std::uint64_t budget = check_budget);
  ~Check();
  Check(const Check&) = delete;  ///< two would count the same launches
  Check& operator=(const Check&) = delete;

  /// Technique and safety are checked here, always.
  SimulatedDevice& simulated() const { return simulated_; }
  /// Where results are checked: the simulated GPU, then the real one where there is one. In another order the
  /// simulated one alone: a real one chooses its order itself. `for (Device& device : check.devices())`
  std::vector<std::reference_wrapper<Device>> devices() const;
  const report::Report& so_far() const { return so_far_; }

  // Sizes at which kernels break. In another order there are few, of few blocks.

  /// Threads a block: every power of two from one warp to the largest block there is; in another order 32 and
  /// 256.
  std::vector<unsigned> block_sizes() const;
  /// Numbers of elements, for blocks that take `stretch` of them: 1, 31, 32, 33, 1023, 1024, 1025, one less,
  /// equal and one more than 1, 2 and 3 stretches, and several stretches with a tail, ascending. With a
  /// run_seed() three more, drawn_sizes() (inputs.hpp) of up to six stretches. Then 0: what fails for one
  /// element too is easier to picture there. In another order two: not quite three stretches, and a bit more
  /// than half of one.
  std::vector<unsigned> awkward_sizes(unsigned stretch) const;
  static std::vector<unsigned> awkward(unsigned stretch);
  /// `count` of the awkward sizes of `stretch`, drawn by the run_seed(): where counting at each of them would
  /// take long. Who does not know the seed does not know where a kernel is counted.
  std::vector<unsigned> some_awkward_sizes(unsigned stretch, unsigned count = 2) const;
  /// Each of `blocks` with each of its awkward sizes; in another order, the first and the largest up to 256.
  /// `for (const auto [n, block] : check.sizes())`
  std::vector<Sizes> sizes(const std::vector<unsigned>& blocks) const;
  std::vector<Sizes> sizes() const { return sizes(block_sizes()); }

  /// Whether the check is run again, in another order than the usual one. That ends at the first array or
  /// launch that is large; a check whose inputs take long to make asks first.
  bool is_in_another_order() const { return order_.has_value(); }
  /// Calls `body(device, "schedule split:3")` on the simulated GPU under each schedule. Only there do lanes
  /// part that no rule keeps together: a mask that asks who is here (__activemask()) is right under
  /// `converged`. Does nothing while the check itself is run in another order.
  template <class Try>
  void under_every_schedule(Try body, unsigned seeds = 8) {
    if (is_in_another_order()) return;
    for (const std::string& name : every_schedule(seeds)) {
      const UnderSchedule schedule(simulated_, name);
      body(simulated_, "schedule " + name);
    }
  }

  /// For a check of the safety: `run(device, arguments...)` launches on the simulated GPU, compares the
  /// result, and returns the launch, in which there is no finding. A finding says more than a wrong result,
  /// and may show in a later launch alone. So a wrong result is set aside, and fails the check at its end if
  /// no finding has.
  template <class Run, class... Arguments>
  void expect_safe(Run run, const Arguments&... arguments) {
    try {
      expect_no_findings(run(simulated_, arguments...));
    } catch (const CheckFailed& failed) {
      if (!failed.explanation().findings.empty()) throw;
      set_aside(failed);
      if (const auto& launch = simulated_.latest_launch()) expect_no_findings(*launch);
    }
  }
  /// A finding of this kind: for what a caller can do wrong. What such a launch
  /// wrote need not be compared.
  void expect_finding(const Launch& launch, simulator::FindingKind kind) const;

  /// Runs `body` as a check of this aspect; how it has failed, empty where it has passed. It breaks off (see
  /// Failure::is_broken) where it throws what is neither CheckFailed nor LaunchFault, and where it has looked
  /// at nothing that one of its launches wrote: who counts what a kernel does must compare as well, or a
  /// kernel that does nothing would be the best of all.
  std::optional<Failure> failure_of(Aspect aspect, const Body& body);
  /// A failure with this sentence, as things are now.
  Failure failure(std::string sentence, const Explanation& explanation = {}) const;

 private:
  std::optional<Failure> failure_of(const Body& body);
  void set_aside(const CheckFailed& wrong_result);

  SimulatedDevice& simulated_;
  Device* gpu_;
  const report::Report& so_far_;
  std::optional<std::string> order_;     ///< empty while the check runs as it stands
  std::optional<Failure> wrong_result_;  ///< set aside by expect_safe
};

/// A failure with this sentence, of the launch that `simulated` has made last.
Failure failure_of(const SimulatedDevice& simulated, std::string sentence,
                   const Explanation& explanation = {});

/// What is wrong with a check that has looked at nothing that `launch` wrote.
std::string unread_sentence(const Launch& launch);

}  // namespace warpwise::harness
