#include "common/harness/device/simulated_device.hpp"

#include <ctime>

#include "common/testing/catch.hpp"
#include "kernels.hpp"
#include "launches.hpp"

using namespace warpwise::harness;
using warpwise::simulator::FindingKind;
using warpwise::testing::ContainsSubstring;

namespace {

/// The fault of the launch that `run()` makes, which must have one.
template <class Run>
LaunchFault fault_of(Run run) {
  try {
    run();
  } catch (const LaunchFault& fault) {
    return fault;
  }
  FAIL("the launch has no fault");
  throw std::logic_error("unreachable");
}

}  // namespace

TEST_CASE("a kernel gets its arguments and gives its results") {
  const std::vector<int> values{1, 2, 3, 4, 5};
  const auto in = device().upload("in", values);
  const auto out = device().poisoned<int>("out", 5);
  const Launch launch = device().launch(twice, {.grid = 1, .block = 32}, in, out, values.size(), -1);
  CHECK(out.download() == std::vector<int>{1, 3, 5, 7, 9});
  CHECK(launch.findings().empty());
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
  CHECK(out.download()[0] == static_cast<int>(0xCDCDCDCD));
}

TEST_CASE("a device knows the kernels of its module") {
  CHECK(device().has_kernel("twice"));
  CHECK_FALSE(device().has_kernel("thrice"));
}

TEST_CASE("an endless loop ends, and the fault names the line") {
  const auto flag = device().zeroed<int>("flag", 1);
  const std::clock_t begin = std::clock();  // the processor's time: the machine may be busy
  const LaunchFault fault = fault_of([&] { device().launch(endless, {.grid = 1, .block = 32}, flag); });
  CHECK(std::string(fault.what()) ==
        "endless<<<1, 32>>> ended early: the kernel was stopped in this loop, which has not ended: `*flag == "
        "0` "
        "has not become false (line 16)");
  REQUIRE(fault.findings().size() == 1);
  CHECK(fault.findings()[0].kind == FindingKind::timeout);
  CHECK(fault.findings()[0].line == 16);
  const Launch launch = device().launch(endless, {.grid = 1, .block = 32, .may_end_early = true}, flag);
  CHECK_FALSE(launch.completed());
  // It is stopped sooner now: of that nothing is told.
  REQUIRE(launch.findings().size() == 1);
  CHECK(launch.findings()[0].message == fault.findings()[0].message);
  CHECK(std::clock() - begin < 10 * CLOCKS_PER_SEC);
}

TEST_CASE("an access out of bounds is reported by array and index") {
  const auto out = device().poisoned<int>("out", 3);
  const Launch launch =
      device().launch(out_of_bounds, {.grid = 1, .block = 1, .may_end_early = true}, out, out.size());
  REQUIRE(launch.findings().size() == 1);
  CHECK(launch.findings()[0].kind == FindingKind::out_of_bounds);
  CHECK_THAT(launch.findings()[0].message, ContainsSubstring("out[3]"));
  const LaunchFault fault =
      fault_of([&] { device().launch(out_of_bounds, {.grid = 1, .block = 1}, out, out.size()); });
  CHECK(std::string(fault.what()) ==
        "out_of_bounds<<<1, 1>>> leaves its memory: thread 0 writes out[3], but out has 3 elements "
        "(line 19)");
  const LaunchFault with_n =
      fault_of([&] { device().launch(out_of_bounds, {.grid = 1, .block = 1, .n = 3}, out, out.size()); });
  CHECK(std::string(with_n.what()) == std::string("n = 3: ") + fault.what());
}

TEST_CASE("why a launch ended is the finding that ended it, not the first one") {
  const auto flags = device().zeroed<int>("flags", 64);
  const LaunchFault fault =
      fault_of([&] { device().launch(races_for_ever, {.grid = 1, .block = 64}, flags); });
  REQUIRE(fault.findings().size() == 2);
  CHECK(fault.findings()[0].kind == FindingKind::race);
  CHECK_THAT(std::string(fault.what()),
             ContainsSubstring("ended early: the kernel was stopped in this loop"));
}

TEST_CASE("a launch in which all wait for ever says for what") {
  const auto out = device().zeroed<int>("out", 64);
  CHECK(
      std::string(fault_of([&] { device().launch(polls_for_ever, {.grid = 1, .block = 32}, out); }).what()) ==
      "polls_for_ever<<<1, 32>>> ended early: every remaining thread is waiting for another (line 78)");
  CHECK(
      std::string(
          fault_of([&] { device().launch(warps_at_two_barriers, {.grid = 1, .block = 64}, out); }).what()) ==
      "warps_at_two_barriers<<<1, 64>>> ended early: only 32 of 64 threads reach this barrier, and they wait "
      "for ever (line 84)");
}

TEST_CASE("a barrier that the compiler made two instructions of is no fault") {
  const auto out = device().zeroed<int>("out", 64);
  CHECK(device().launch(one_barrier_of_two_instructions, {.grid = 1, .block = 64}, out).completed());
}

TEST_CASE("a kernel that takes other bytes than it is given does not start") {
  // As a module would have it that declares `nothing` otherwise: here with a pointer, there with 4 bytes.
  constexpr Kernel<void(unsigned)> declared_otherwise{"nothing"};
  const LaunchFault fault =
      fault_of([&] { device().launch(declared_otherwise, {.grid = 1, .block = 32}, 1u); });
  CHECK_THAT(std::string(fault.what()),
             ContainsSubstring("nothing takes 8 bytes as parameter 1, and is given 4"));
}

TEST_CASE("a kernel may spend so much in all checks together") {
  SimulatedDevice own(WARPWISE_BINARY_DIR "/device/tests/kernels.ptx");
  const auto out = own.poisoned<int>("out", 32);
  own.set_kernel_budget(1000);
  own.launch(counts_to, {.grid = 1, .block = 32}, out, 1000);
  const LaunchFault fault = fault_of([&] { own.launch(counts_to, {.grid = 1, .block = 32}, out, 1); });
  CHECK_THAT(std::string(fault.what()), ContainsSubstring("counts_to takes too long to be checked"));
  own.launch(first_only, {.grid = 1, .block = 32}, out);  // another kernel has not spent anything
}

TEST_CASE("a launch that cannot start says why") {
  const auto out = device().poisoned<int>("out", 1);
  const LaunchFault fault = fault_of([&] { device().launch(nothing, {.grid = 1, .block = 2048}, out); });
  CHECK_THAT(std::string(fault.what()), ContainsSubstring("nothing<<<1, 2048>>> cannot start: "));
}

TEST_CASE("a kernel that the module lacks is no fault of a launch") {
  constexpr Kernel<void(int*)> absent{"absent"};
  const auto out = device().poisoned<int>("out", 1);
  CHECK_THROWS_WITH(device().launch(absent, {.grid = 1, .block = 1}, out),
                    ContainsSubstring("has no kernel `absent`"));
}

TEST_CASE("a missing module is reported by its path") {
  CHECK_THROWS_AS(SimulatedDevice("there/is/no.ptx"), warpwise::simulator::ptx::Error);
}

TEST_CASE("the budget grows with the launch") {
  CHECK(launch_budget(1, 32) < launch_budget(1000, 32));
  CHECK(launch_budget(1, 33) == launch_budget(1, 64));
}

TEST_CASE("a loop of bad accesses ends long before its instructions are spent") {
  const auto in = device().upload("in", std::vector<float>(32, 1.0f));
  const auto out = device().poisoned<float>("out", 32);
  const LaunchFault fault =
      fault_of([&] { device().launch(sums_of_rounds, {.grid = 1, .block = 32}, in, out, 1u << 30); });
  std::string told;
  for (const warpwise::simulator::Finding& finding : fault.findings())
    told += warpwise::simulator::format(finding);
  CHECK_THAT(told, ContainsSubstring("warp instructions, of which each bad access counts as 1000"));
}

TEST_CASE("the schedule is chosen for a while") {
  const std::string before = device().options().launch.schedule.spelled();
  {
    const UnderSchedule schedule(device(), "split:7");
    CHECK(device().options().launch.schedule.spelled() == "split:7");
  }
  CHECK(device().options().launch.schedule.spelled() == before);
  CHECK_THROWS_AS(UnderSchedule(device(), "sideways"), std::invalid_argument);
}

TEST_CASE("what launches may spend together has a limit, and a kernel that has gone beyond it a lower one") {
  SimulatedDevice own(WARPWISE_BINARY_DIR "/device/tests/kernels.ptx");
  const auto out = own.poisoned<int>("out", 32);
  const auto run = [&](int rounds) { own.launch(counts_to, {.grid = 1, .block = 32}, out, rounds); };
  run(50'000);  // nobody has set a limit
  own.begin_budget(100'000);
  run(10);
  CHECK_THAT(fault_of([&] { run(50'000); }).what(),
             ContainsSubstring("counts_to takes too long to be checked"));
  own.begin_budget(100'000);
  CHECK_THROWS_AS(run(5'000), LaunchFault);  // would be let pass, had the kernel not spent too much before
  own.begin_budget(0);
  run(50'000);
}

TEST_CASE("limits end whoever goes beyond them") {
  struct LimitReached {};
  SimulatedDevice own(WARPWISE_BINARY_DIR "/device/tests/kernels.ptx");
  own.set_limits(Limits{.elements = 32, .threads = 64, .launches = 2, .end = [] { throw LimitReached(); }});
  const auto out = own.poisoned<int>("out", 32);
  const auto run = [&](unsigned threads) { own.launch(first_only, {.grid = 1, .block = threads}, out); };
  CHECK_THROWS_AS(own.poisoned<int>("out", 33), LimitReached);
  CHECK_THROWS_AS(run(96), LimitReached);
  run(64);
  run(32);
  CHECK_THROWS_AS(run(32), LimitReached);
  own.set_limits(std::nullopt);
  run(96);
}

TEST_CASE("a launch meets the module's variables as they are at its start, but where they are kept") {
  const auto in = device().upload("in", std::vector<float>(40, 1.0f));
  const auto written_in_second_launch = [&] {
    const auto out = device().poisoned<float>("out", 2);
    device().launch(sums_of_first_launch, {.grid = 2, .block = 32}, in, device().poisoned<float>("other", 2),
                    40u);
    device().launch(sums_of_first_launch, {.grid = 2, .block = 32}, in, out, 40u);
    return out.is_written(0);
  };
  CHECK(written_in_second_launch());
  const KeptModuleMemory kept(device());
  CHECK_FALSE(written_in_second_launch());
}

TEST_CASE("the device knows whose results nobody has read") {
  device().forget_launches();
  CHECK_FALSE(device().latest_launch());
  const auto in = device().upload("in", std::vector<int>{1, 2, 3});
  {
    const auto out = device().poisoned<int>("out", 3);
    const auto launch = [&] { return device().launch(twice, {.grid = 1, .block = 32}, in, out, 3u, 0); };
    launch();
    REQUIRE(device().unread_launch());
    CHECK(device().unread_launch()->kernel() == "twice");
    CHECK(out.download() == std::vector<int>{2, 4, 6});
    CHECK_FALSE(device().unread_launch());
    // A later launch that reads what this one wrote depends on it.
    launch();
    const auto next = device().poisoned<int>("next", 3);
    device().launch(twice, {.grid = 1, .block = 32}, out, next, 3u, 0);
    CHECK(next.download()[0] == 4);
    CHECK_FALSE(device().unread_launch());
    const Launch told = launch();
    device().mark_read(told);
    CHECK_FALSE(device().unread_launch());
    launch();
  }
  // Another array, perhaps in the same place: it tells nothing of the one that is gone.
  CHECK(device().poisoned<int>("other", 3).download().size() == 3);
  CHECK(device().unread_launch());
  CHECK(device().latest_launch()->kernel() == "twice");
  device().forget_launches();
  CHECK_FALSE(device().unread_launch());
}

TEST_CASE("an input that a kernel changes ends its launch, and may be written again afterwards") {
  const auto in = device().upload("in", std::vector<int>{1, 2, 3});
  const auto out = device().poisoned<int>("out", 1);
  CHECK_THAT(fault_of([&] { device().launch(writes_its_input, {.grid = 1, .block = 1}, in, out); }).what(),
             ContainsSubstring("writes in[1], which is an input: the kernel gets it as const"));
  CHECK(in.download() == std::vector<int>{1, 2, 3});
  device().launch(first_only, {.grid = 1, .block = 32}, in);  // as an output
}

TEST_CASE("one block at a time: a block must not wait for a later one") {
  const auto run_blocks = [] {
    const auto begun = device().zeroed<unsigned>("begun", 1);
    return device().launch(waits_for_later_blocks, {.grid = 3, .block = 32, .may_end_early = true}, begun);
  };
  CHECK(run_blocks().completed());
  {
    const OtherOptions one_by_one(device(), [](auto& options) { options.launch.resident_blocks = 1; });
    CHECK_FALSE(run_blocks().completed());
  }
  CHECK(run_blocks().completed());
}

TEST_CASE("who loads an absent element has a finding, even if the value is dropped") {
  const std::vector<int> values{1, 2, 3, 4};
  const auto is_even = [](std::size_t i) { return i % 2 == 0; };
  const auto in = device().upload_where("in", values, is_even);
  CHECK(in.is_written(2));
  CHECK_FALSE(in.is_written(1));
  const auto out = device().zeroed<int>("out", 4);
  CHECK(device().launch(adds_even, {.grid = 1, .block = 4}, in, out, 1u).findings().empty());
  const Launch careless = device().launch(adds_even, {.grid = 1, .block = 4}, in, out, 0u);
  REQUIRE(careless.findings().size() == 1);
  CHECK(careless.findings()[0].kind == FindingKind::uninitialised);
  CHECK_THAT(careless.findings()[0].message,
             ContainsSubstring("thread 1 reads in[1], which has never been written"));
  CHECK(out.download() == std::vector<int>{2, 0, 6, 0});
}
