#include "common/harness/device/gpu_device.hpp"

#include "common/testing/catch.hpp"
#include "kernels.hpp"

using namespace warpwise::harness;
using warpwise::testing::ContainsSubstring;

namespace {
const std::string module_path = WARPWISE_BINARY_DIR "/device/tests/kernels.ptx";
}

TEST_CASE("without a GPU there is a reason, and no crash") {
  if (is_gpu_available()) WARPWISE_NOT_CHECKED("this machine has one");
  CHECK_FALSE(gpu_availability().reason.empty());
  CHECK_THROWS_WITH(make_gpu_device(module_path), ContainsSubstring(gpu_availability().reason));
}

TEST_CASE("the GPU runs the same module as the simulator") {
  if (!is_gpu_available()) WARPWISE_NOT_CHECKED(gpu_availability().reason);
  const auto gpu = make_gpu_device(module_path);
  CHECK_FALSE(gpu->properties().name.empty());
  CHECK(gpu->properties().multiprocessors > 0);
  CHECK(gpu->has_kernel("twice"));
  CHECK_FALSE(gpu->has_kernel("thrice"));

  const std::vector<int> values{1, 2, 3, 4, 5};
  const auto in = gpu->upload("in", values);
  const auto out = gpu->poisoned<int>("out", 6);
  const Launch launch = gpu->launch(twice, {.grid = 1, .block = 32}, in, out, values.size(), -1);
  CHECK(out.download() == std::vector<int>{1, 3, 5, 7, 9, static_cast<int>(0xCDCDCDCD)});
  CHECK(out.is_written(4));
  CHECK_FALSE(out.is_written(5));
  CHECK_FALSE(launch.milliseconds());
  CHECK_THROWS_AS(launch.counters(), std::logic_error);
  CHECK(out.memory().place() == "on " + gpu->properties().name);

  // Empty buffers, a launch that cannot start, a kernel that is missing.
  CHECK(gpu->poisoned<float>("none", 0).download().empty());
  CHECK_THROWS_AS(gpu->launch(nothing, {.grid = 1, .block = 2048}, out), LaunchFault);
  CHECK_THROWS_WITH(gpu->launch(nothing, {.grid = 1, .block = 2048}, out),
                    ContainsSubstring("nothing<<<1, 2048>>> failed on "));
  constexpr Kernel<void(int*)> absent{"absent"};
  CHECK_THROWS_WITH(gpu->launch(absent, {.grid = 1, .block = 1}, out),
                    ContainsSubstring("has no kernel `absent`"));
  // None of them did harm.
  gpu->launch(first_only, {.grid = 1, .block = 32, .shared_bytes = 100 * 1024}, out);
  CHECK(out.download()[1] == 3);
}

TEST_CASE("launches on the GPU are timed where that is asked for") {
  if (!is_gpu_available()) WARPWISE_NOT_CHECKED(gpu_availability().reason);
  const auto gpu = make_gpu_device(module_path);
  const unsigned n = 1u << 24;
  const auto in = gpu->zeroed<int>("in", n);
  const auto out = gpu->poisoned<int>("out", n);
  gpu->time_launches(TimingOptions{.warm_up = 2, .repetitions = 5});
  const Launch many = gpu->launch(twice, {.grid = n / 256, .block = 256}, in, out, n, 0);
  const Launch few = gpu->launch(twice, {.grid = 1, .block = 256}, in, out, n, 0);
  REQUIRE(many.milliseconds());
  REQUIRE(few.milliseconds());
  CHECK(*many.milliseconds() > *few.milliseconds());
  CHECK(*many.milliseconds() * 1e-3 * gpu->properties().bytes_per_second >
        2.0 * n * sizeof(int));  // not above the roof
  gpu->time_launches(std::nullopt);
  CHECK_FALSE(gpu->launch(twice, {.grid = 1, .block = 32}, in, out, n, 0).milliseconds());
}
