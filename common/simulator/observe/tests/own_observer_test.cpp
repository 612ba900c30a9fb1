/// \file Observers that are not ours, attached as anybody would: docs/simulator.md, "An observer of your
/// own".

#include <algorithm>
#include <deque>

#include "../../gpu.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::simulator;

namespace {

/// Counts what one host thread's blocks do at barriers. It overrides two events: only those reach it.
class BarrierWaits final : public Observer {
 public:
  void on_barrier_arrive(const WarpContext&, Pc, std::uint32_t, LaneMask lanes) override {
    arrivals += lane_count(lanes);
  }
  void on_barrier_release(const BlockContext&, std::uint32_t, std::span<const LaneMask>,
                          bool is_whole_block) override {
    releases += is_whole_block;
  }
  std::uint64_t arrivals = 0, releases = 0;
};

/// One BarrierWaits a host thread, and their sum when the launch has ended.
class BarrierCount : public Observation {
 public:
  void begin(const LaunchContext& launch, std::uint32_t) override {
    kernel = launch.kernel;
    threads_.clear();
  }
  void add_observers(ObserverList& of_thread) override { of_thread.add(threads_.emplace_back()); }
  void end() override {
    for (const BarrierWaits& thread : threads_) {
      arrivals += thread.arrivals;
      releases += thread.releases;
    }
  }
  std::string kernel;
  std::uint64_t arrivals = 0, releases = 0;

 private:
  std::deque<BarrierWaits> threads_;  // a deque: the launch holds references
};

/// Each thread writes to shared memory, and after a barrier, in a second one if `is_right`, to another's
/// word.
std::string two_rounds(bool is_right) {
  return R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry two_rounds()
{
  .reg .b32 %r<5>;
  .shared .align 4 .b8 words[256];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, words;
  shl.b32 %r3, %r1, 2;
  add.u32 %r3, %r2, %r3;
  st.shared.u32 [%r3], %r1;
  bar.sync 0;
  xor.b32 %r4, %r1, 32;
  shl.b32 %r4, %r4, 2;
  add.u32 %r4, %r2, %r4;
  ld.shared.u32 %r2, [%r4];
  )" + std::string(is_right ? "bar.sync 0;" : "") +
         R"(
  st.shared.u32 [%r3], %r2;
  ret;
}
)";
}

LaunchReport launch(Gpu& gpu, const std::string& text) {
  return gpu.launch(*gpu.load(text, "two_rounds"), {"two_rounds", {6}, {64}, 0, {}});
}

}  // namespace

TEST_CASE("an observer of one's own counts, under every way of watching and with several host threads") {
  for (const Watch watch : {Watch::nothing, Watch::counters, Watch::everything}) {
    for (const std::uint32_t threads : {1u, 3u}) {
      BarrierCount count;
      GpuOptions options;
      options.watch = watch;
      options.launch.threads = threads;
      options.observations = {&count};
      Gpu gpu(options);
      CAPTURE(watch, threads);
      CHECK(launch(gpu, two_rounds(true)).findings.empty());
      CHECK(count.kernel == "two_rounds");
      CHECK(count.arrivals == 6 * 64 * 2);
      CHECK(count.releases == 6 * 2);
    }
  }
}

TEST_CASE("two observers beside the report's leave the report as it is") {
  Gpu alone;
  const LaunchReport expected = launch(alone, two_rounds(false));
  REQUIRE(expected.findings.size() == 1);
  BarrierCount first, second;
  GpuOptions options;
  options.observations = {&first, &second};
  Gpu watched(options);
  const LaunchReport report = launch(watched, two_rounds(false));
  REQUIRE(report.findings.size() == 1);
  CHECK(format(report.findings[0]) == format(expected.findings[0]));
  CHECK(report.counters == expected.counters);
  CHECK(first.releases == 6);
  CHECK(second.releases == 6);
}

TEST_CASE("an event goes only to those who override it") {
  BarrierWaits waits;
  ObserverList observers;
  CHECK_FALSE(observers.on_barrier_release.is_wanted());
  observers.add(waits);
  CHECK(observers.on_barrier_arrive.is_wanted());
  CHECK(observers.on_barrier_release.is_wanted());
  CHECK_FALSE(observers.on_run.is_wanted());
  CHECK_FALSE(observers.on_access.is_wanted());
  CHECK_FALSE(observers.on_fault.is_wanted());
}
