/// \file A chapter's program whose test cases are as somebody writes them who knows Catch2 alone. What
/// becomes of them is tested by plain_cases.sh.

#include <new>
#include <stdexcept>

#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/matchers.hpp"
#include "common/harness/device/tests/kernels.hpp"

using namespace warpwise::harness;

namespace {

Written<float> launch(Device& device, const InOutKernel<float>& kernel, const std::vector<float>& in) {
  const LaunchShape shape = with_shared_floats(thread_for_each(static_cast<unsigned>(in.size()), 32));
  return run_in_out(device, kernel, shape, in, shape.grid.x);
}

const RegisterKernels kernels({{.kernel = sums_by_tree}, {.kernel = twice}, {.kernel = polls_for_ever}});
const RegisterChapter registered({.name = "plain", .title = "Plain test cases"});

}  // namespace

TEST_CASE("sums of ones", "[sums_by_tree]") {
  Device& device = GENERATE(devices());
  const unsigned n = GENERATE(1u, 32u, 33u);
  const auto out = launch(device, sums_by_tree, std::vector<float>(n, 1.0f)).out;
  CHECK(sum(out.download()) == n);
}

TEST_CASE("sums of ones, wrongly expected", "[sums_by_tree][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(10u, 20u, 30u);
  const auto out = launch(device, sums_by_tree, std::vector<float>(n, 1.0f)).out;
  SECTION("in a section") {
    CAPTURE(n);
    CHECK(sum(out.download()) == 20);
  }
  SECTION("in another") { CHECK(out.size() == 1); }
}

TEST_CASE("the first sum is wrong, and a later launch has a finding", "[twice][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(8u, 16u);
  const auto in = device.upload("in", std::vector<int>(8, 1));
  const auto out = device.poisoned<int>("out", 16);
  const Launch launch = device.launch(twice, {.grid = 1, .block = 32, .may_end_early = true}, in, out, n, 0);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, Holds(std::vector<int>{3}));
}

TEST_CASE("nobody looks at what is written", "[twice][result]") {
  Device& device = GENERATE(devices());
  const auto in = device.upload("in", std::vector<int>(8, 1));
  const auto out = device.poisoned<int>("out", 8);
  device.launch(twice, {.grid = 1, .block = 32}, in, out, 8u, 0);
}

TEST_CASE("a deadlock, met once", "[polls_for_ever]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(32u, 64u, 128u, 256u);
  const auto flag = device.zeroed<int>("flag", 1);
  device.launch(polls_for_ever, {.grid = 1, .block = block}, flag);
}

TEST_CASE("wrong in one order alone", "[sums_by_tree][technique]") {
  GENERATE(devices());
  const bool is_split_3 = simulated().options().launch.schedule.spelled() == "split:3";
  CHECK_THAT(Measured(is_split_3), AtMost(0, "wrong orders"));
}

TEST_CASE("wrong in the last order", "[sums_by_tree][technique]") {
  SimulatedDevice& device = GENERATE(every_order(2));
  const bool is_last = device.options().launch.schedule.spelled() == "split:2";
  CHECK_THAT(Measured(is_last), AtMost(0, "last orders"));
}

TEST_CASE("after the last order the usual one is back", "[sums_by_tree][technique]") {
  CHECK(simulated().options().launch.schedule.spelled() == "converged");
  CHECK(simulated().options().watch == warpwise::simulator::Watch::everything);
}

TEST_CASE("a wrong result", "[twice][technique]") {
  SimulatedDevice& device = simulated();
  const auto in = device.upload("in", std::vector<int>(8, 1));
  const auto out = device.poisoned<int>("out", 8);
  device.launch(twice, {.grid = 1, .block = 32}, in, out, 8u, 0);
  CHECK_THAT(out, Holds(std::vector<int>(8, 4)));
}

TEST_CASE("twice: a number, wrongly expected", "[twice][technique]") {
  SimulatedDevice& device = simulated();
  const auto in = device.upload("in", std::vector<int>(8, 1));
  const auto out = device.poisoned<int>("out", 8);
  device.launch(twice, {.grid = 1, .block = 32}, in, out, 8u, 0);
  CHECK(out.download()[0] == 5);
}

TEST_CASE("no memory is left", "[twice][technique]") { throw std::bad_alloc(); }

// The third launch in another order is none: this is not the first case of the kernel's result.
TEST_CASE("few launches in another order", "[sums_by_tree]") {
  Device& device = GENERATE(devices());
  for (unsigned launches = 1; launches <= 6; ++launches) {
    const auto out = launch(device, sums_by_tree, std::vector<float>(32, 1.0f)).out;
    REQUIRE_THAT(out, Holds(32.0));
    if (launches > 2) REQUIRE_FALSE(is_in_another_order());
  }
}

TEST_CASE("much is not tried in another order", "[sums_by_tree][technique]") {
  Device& device = GENERATE(devices());
  static unsigned orders = 0;
  CHECK(++orders <= 2);  // the usual one and the first, in which it is found to be much
  const auto large = device.poisoned<float>("large", 1 << 20);
  CHECK_FALSE(is_in_another_order());
}

TEST_CASE("throws what is no failure", "[sums_by_tree][safety]") {
  throw std::out_of_range("no such element");
}

#if defined(WARPWISE_WITHOUT_KERNEL)
TEST_CASE("of no kernel", "[result]") { CHECK(1 + 1 == 2); }
#endif
