#include "common/harness/device/simulated_device.hpp"

#include <ctime>

#include "common/harness/check/expectations.hpp"
#include "common/harness/check/schedules.hpp"
#include "common/testing/catch.hpp"
#include "kernels.hpp"

using namespace warpwise::harness;
using warpwise::simulator::FindingKind;
using warpwise::testing::ContainsSubstring;

namespace {

SimulatedDevice& device() {
  static SimulatedDevice the_device(WARPWISE_BINARY_DIR "/device/tests/kernels.ptx");
  return the_device;
}

/// The recorded failure of `check`, which must fail.
template <class Check>
Failure failure_of(Check check) {
  CHECK_THROWS_AS(check(), CheckFailed);
  const auto stray = record().take_stray();
  REQUIRE(stray);
  return *stray;
}

}  // namespace

TEST_CASE("a kernel gets its arguments and gives its results") {
  const std::vector<int> values{1, 2, 3, 4, 5};
  const auto in = device().upload("in", values);
  const auto out = device().poisoned<int>("out", 5);
  const Launch launch = device().launch(twice, {.grid = 1, .block = 32}, in, out, values.size(), -1);
  expect_equal(out, std::vector<int>{1, 3, 5, 7, 9});
  expect_no_findings(launch);
  CHECK(launch.completed());
  CHECK(launch.counters().global_load_requests == 1);
  CHECK_FALSE(launch.milliseconds());
}

TEST_CASE("a launch may start in the middle of a buffer") {
  const auto in = device().upload("in", std::vector<int>{1, 2, 3});
  const auto out = device().zeroed<int>("out", 3);
  device().launch(twice, {.grid = 1, .block = 32}, in.from(1), out.from(2), 1u, 0);
  CHECK(out.download() == std::vector<int>{0, 0, 4});
}

TEST_CASE("an empty buffer does not stop a launch, whatever is watched") {
  using warpwise::simulator::Watch;
  const auto empty = device().poisoned<int>("empty", 0);
  const auto out = device().zeroed<int>("out", 3);
  for (const Watch watch : {Watch::nothing, Watch::counters, Watch::everything}) {
    device().options().watch = watch;
    CHECK(device().launch(twice, {.grid = 1, .block = 32}, empty, out, 0u, 0).completed());
  }
}

TEST_CASE("what was written is known exactly, even if it looks like poison") {
  const auto out = device().poisoned<int>("out", 2);
  CHECK_FALSE(out.is_written(0));
  device().launch(first_only, {.grid = 1, .block = 32}, out);
  CHECK(out.is_written(0));
  CHECK_FALSE(out.is_written(1));
  expect_equal(out, std::vector<unsigned>{0xCDCDCDCD});

  CHECK_THROWS_AS(download_written(out, {.n = 2}), CheckFailed);
  CHECK(record().take_stray()->sentence == "n = 2: out[1] was never written");
  const auto one = device().poisoned<int>("one", 1);
  device().launch(first_only, {.grid = 1, .block = 32}, one);
  CHECK(download_written(one, {}) == std::vector<int>{static_cast<int>(0xCDCDCDCD)});
}

TEST_CASE("a skeleton is known by its writing nothing") {
  CHECK(device().writes_nothing("nothing"));
  CHECK_FALSE(device().writes_nothing("twice"));
  CHECK_FALSE(device().writes_nothing("no_such_kernel"));
  CHECK(device().has_kernel("twice"));
  CHECK_FALSE(device().has_kernel("thrice"));
}

TEST_CASE("an endless loop ends, and the check fails with the line") {
  const auto flag = device().zeroed<int>("flag", 1);
  const std::clock_t begin = std::clock();  // the processor's time: the machine may be busy
  const Failure failure = failure_of([&] { device().launch(endless, {.grid = 1, .block = 32}, flag); });
  CHECK(failure.sentence ==
        "endless<<<1, 32>>> ended early: the kernel was stopped: it spent its budget of 5020000 warp "
        "instructions (line "
        "16)");
  REQUIRE(failure.findings.size() == 1);
  CHECK(failure.findings[0].kind == FindingKind::timeout);
  CHECK(failure.findings[0].line == 16);
  const Launch launch = device().launch(endless, {.grid = 1, .block = 32, .may_end_early = true}, flag);
  CHECK_FALSE(launch.completed());
  // It is stopped sooner now, and no second budget is told.
  REQUIRE(launch.findings().size() == 1);
  CHECK(launch.findings()[0].message ==
        "the kernel does not end here either; after the first launch without an end it gets 500000 warp "
        "instructions");
  CHECK(std::clock() - begin < 10 * CLOCKS_PER_SEC);
}

TEST_CASE("an access out of bounds is reported by array and index") {
  const auto out = device().poisoned<int>("out", 3);
  const Launch launch =
      device().launch(out_of_bounds, {.grid = 1, .block = 1, .may_end_early = true}, out, out.size());
  REQUIRE(launch.findings().size() == 1);
  CHECK(launch.findings()[0].kind == FindingKind::out_of_bounds);
  CHECK_THAT(launch.findings()[0].message, ContainsSubstring("out[3]"));
  const Failure failure =
      failure_of([&] { device().launch(out_of_bounds, {.grid = 1, .block = 1}, out, out.size()); });
  CHECK(failure.sentence ==
        "out_of_bounds<<<1, 1>>> leaves its memory: thread 0 writes out[3], but out has 3 elements "
        "(line 19)");
  const Failure with_n =
      failure_of([&] { device().launch(out_of_bounds, {.grid = 1, .block = 1, .n = 3}, out, out.size()); });
  CHECK(with_n.sentence == "n = 3: " + failure.sentence);
}

TEST_CASE("why a launch ended is the finding that ended it, not the first one") {
  const auto flags = device().zeroed<int>("flags", 64);
  const Failure failure =
      failure_of([&] { device().launch(races_for_ever, {.grid = 1, .block = 64}, flags); });
  REQUIRE(failure.findings.size() == 2);
  CHECK(failure.findings[0].kind == FindingKind::race);
  CHECK_THAT(failure.sentence, ContainsSubstring("ended early: the kernel was stopped: it spent its budget"));
}

TEST_CASE("a kernel that takes other bytes than it is given does not start") {
  // As a module would have it that declares `nothing` otherwise: here with a pointer, there with 4 bytes.
  constexpr Kernel<void(unsigned)> declared_otherwise{"nothing"};
  const Failure failure =
      failure_of([&] { device().launch(declared_otherwise, {.grid = 1, .block = 32}, 1u); });
  CHECK_THAT(failure.sentence, ContainsSubstring("nothing takes 8 bytes as parameter 1, and is given 4"));
}

TEST_CASE("a kernel may spend so much in all checks together") {
  SimulatedDevice own(WARPWISE_BINARY_DIR "/device/tests/kernels.ptx");
  const auto out = own.poisoned<int>("out", 32);
  own.set_kernel_budget(1000);
  own.launch(counts_to, {.grid = 1, .block = 32}, out, 1000);
  const Failure failure = failure_of([&] { own.launch(counts_to, {.grid = 1, .block = 32}, out, 1); });
  CHECK_THAT(failure.sentence, ContainsSubstring("counts_to takes too long to be checked"));
  own.launch(first_only, {.grid = 1, .block = 32}, out);  // another kernel has not spent anything
}

TEST_CASE("a launch that cannot start says why") {
  const auto out = device().poisoned<int>("out", 1);
  const Failure failure = failure_of([&] { device().launch(nothing, {.grid = 1, .block = 2048}, out); });
  CHECK_THAT(failure.sentence, ContainsSubstring("nothing<<<1, 2048>>> cannot start: "));
  CHECK_FALSE(failure.is_broken);
}

TEST_CASE("a kernel that the module lacks breaks the check, and is no failure of the kernel") {
  constexpr Kernel<void(int*)> absent{"absent"};
  const auto out = device().poisoned<int>("out", 1);
  CHECK_THROWS_WITH(device().launch(absent, {.grid = 1, .block = 1}, out),
                    ContainsSubstring("has no kernel `absent`"));
  CHECK_FALSE(record().take_stray());
}

TEST_CASE("a missing module is reported by its path") {
  CHECK_THROWS_AS(SimulatedDevice("there/is/no.ptx"), warpwise::simulator::ptx::Error);
}

TEST_CASE("the budget grows with the launch") {
  CHECK(launch_budget(1, 32) < launch_budget(1000, 32));
  CHECK(launch_budget(1, 33) == launch_budget(1, 64));
}

TEST_CASE("a check chooses the schedule for a while") {
  const std::string before = device().options().launch.schedule.spelled();
  {
    const UnderSchedule schedule(device(), "split:7");
    CHECK(device().options().launch.schedule.spelled() == "split:7");
  }
  CHECK(device().options().launch.schedule.spelled() == before);
  CHECK_THROWS_AS(UnderSchedule(device(), "sideways"), std::invalid_argument);
  for (const std::string& name : every_schedule()) CHECK(UnderSchedule(device(), name).spelled() == name);
}

TEST_CASE("loops of a kernel are branches that lead back") {
  CHECK(backward_branches(device(), "endless") >= 1);
  CHECK(backward_branches(device(), "twice") == 0);
}

TEST_CASE("devices() gives out what main put in") {
  use_devices({device()});
  CHECK(&simulated_device() == &device());
  CHECK(devices().size() == 1);
  use_devices({});
  CHECK_THROWS_AS(simulated_device(), std::logic_error);
}

TEST_CASE("what the launches of one check may spend together has a limit, and the next check a lower one") {
  SimulatedDevice own(WARPWISE_BINARY_DIR "/device/tests/kernels.ptx");
  own.set_check_budget(100'000);
  const auto out = own.poisoned<int>("out", 32);
  const auto run = [&](int rounds) { own.launch(counts_to, {.grid = 1, .block = 32}, out, rounds); };
  const unsigned before = record().cases_begun();
  run(50'000);  // outside of a check nothing is limited
  CHECK_FALSE(record().take_stray());

  record().begin_case("counts_to: result");
  run(10);
  CHECK_THROWS_WITH(run(50'000), ContainsSubstring("counts_to takes too long to be checked"));
  record().end_case();
  record().begin_case("counts_to: safety");
  CHECK_THROWS_AS(run(5'000), CheckFailed);  // would be let pass, had the kernel not spent too much before
  record().end_case();
  CHECK(record().cases_begun() == before + 2);
  REQUIRE(record().find("counts_to", Aspect::result) != nullptr);
  CHECK(record().outcome("counts_to", Aspect::safety) == Outcome::failed);
}
