#include "common/harness/check/work.hpp"

#include "common/harness/device/simulated_device.hpp"
#include "common/harness/device/tests/kernels.hpp"
#include "common/testing/catch.hpp"
#include "sentence_of.hpp"

using namespace warpwise::harness;
using warpwise::testing::ContainsSubstring;

namespace {

SimulatedDevice& device() {
  static SimulatedDevice the_device(WARPWISE_BINARY_DIR "/device/tests/kernels.ptx");
  use_devices({the_device});  // as a chapter's main does
  return the_device;
}

constexpr unsigned n = 1024;

LaunchAndWork run(const Kernel<void(const int*, int*, unsigned)>& kernel) {
  const auto in = device().upload("in", std::vector<int>(n, 1));
  const auto out = device().poisoned<int>("out", 2 * 64);
  return launch_and_work([&] { return device().launch(kernel, {.grid = 2, .block = 64}, in, out, n); });
}

}  // namespace

TEST_CASE("who loads how much, warp by warp") {
  const auto [launch, work] = run(all_warps_load);
  REQUIRE(work.warps().size() == 4);
  for (const WarpWork& warp : work.warps()) CHECK(warp.loaded_bytes == n);
  CHECK(work.loaded_bytes() == 4 * n);
  CHECK(work.widest_load() == 128);  // 32 neighbouring ints
  CHECK(work.most_lonely_instructions() == 0);
  std::uint64_t instructions = 0;
  for (const WarpWork& warp : work.warps()) instructions += warp.instructions;
  CHECK(instructions == launch.counters().warp_instructions);
  expect_shared_out(work, 4.0 * n);
  expect_shared_out_to_blocks(work, 4.0 * n);
}

TEST_CASE("a warp that does what all should share is named") {
  const Work work = run(first_warp_loads).work;
  CHECK_THAT(sentence_of([&] { expect_shared_out(work, 8.0 * n); }),
             ContainsSubstring("warp 1 of block 0 loads 0 bytes, where an even share is 2048"));
  expect_shared_out_to_blocks(work, 8.0 * n);
}

TEST_CASE("the next launch is not observed") {
  run(all_warps_load);
  CHECK(device().options().observations.empty());
}

TEST_CASE("what one lane does while the others wait") {
  const auto in = device().upload("in", std::vector<float>(64, 1.0f));
  const auto out = device().poisoned<float>("out", 1);
  const Work work = work_of(
      [&] { device().launch(sums_one_by_one, {.grid = 1, .block = 64, .shared_bytes = 256}, in, out, 64u); });
  CHECK(work.most_lonely_instructions() > 64);
  CHECK_THAT(sentence_of([&] { expect_lanes_work_together(work, 64, "all lanes add"); }),
             ContainsSubstring("at most 64 (all lanes add)"));
}

TEST_CASE("an input that a kernel changes ends its launch, and may be written again afterwards") {
  const auto in = device().upload("in", std::vector<int>{1, 2, 3});
  const auto out = device().poisoned<int>("out", 1);
  CHECK_THAT(sentence_of([&] { device().launch(writes_its_input, {.grid = 1, .block = 1}, in, out); }),
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
    const OtherOptions one_by_one([](auto& options) { options.launch.resident_blocks = 1; });
    CHECK_FALSE(run_blocks().completed());
  }
  CHECK(run_blocks().completed());
}
