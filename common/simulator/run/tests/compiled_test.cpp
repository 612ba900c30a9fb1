// Small genuine programs: what becomes of recursion, virtual functions, switches, copies and
// assert().
#include <algorithm>
#include <fstream>
#include <iterator>

#include "fixture.hpp"

namespace warpwise::simulator::run {
namespace {

constexpr std::uint32_t threads = 128;
const std::string module_path = std::string(WARPWISE_BINARY_DIR) + "/tests/compiled.ptx";

struct Compiled {
  GlobalMemory memory;
  Program program{ptx::read_module_file(module_path), memory};
  Allocation& in = memory.allocate(2 * threads * 4, "in", 4);
  Allocation& out = memory.allocate(2 * threads * 4, "out", 4);
  Recorder recorder;
  LaunchOptions options;

  Compiled() {
    options.threads = 1;
    options.print = [](std::string_view) {};
    for (std::uint32_t i = 0; i < 2 * threads; ++i) reinterpret_cast<std::uint32_t*>(in.base)[i] = 7 * i % 9;
    std::memset(reinterpret_cast<void*>(out.base), 0, out.bytes);
  }
  LaunchStatus run(const char* kernel) {
    const void* arguments[] = {&in.base, &out.base};
    const LaunchRequest request = {kernel, {1, 1, 1}, {threads, 1, 1}, 0, arguments};
    Observation* const observations[] = {&recorder};
    return launch(program, memory, request, options, observations).status;
  }
  int input(std::uint32_t i) const { return reinterpret_cast<const int*>(in.base)[i]; }
  int result(std::uint32_t i) const { return reinterpret_cast<const int*>(out.base)[i]; }
};

/// Runs `kernel` under every schedule: out[t] must be expected(machine, t).
template <class Expected>
void expect_each(const char* kernel, const Expected& expected) {
  for (const char* schedule : all_schedules) {
    Compiled m;
    m.options.schedule = Schedule::parse(schedule);
    CAPTURE(kernel, schedule);
    CHECK(m.run(kernel) == LaunchStatus::ok);
    CHECK(m.recorder.faults.empty());
    for (std::uint32_t t = 0; t < threads; ++t) {
      CAPTURE(t);
      CHECK(m.result(t) == expected(m, static_cast<int>(t)));
    }
  }
}

std::string text_of_module() {
  std::ifstream file(module_path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("compiled: recursion") {
  expect_each("recursion", [](const Compiled&, int t) { return 2 * (t % 8) + 3; });
}

TEST_CASE("compiled: virtual functions of objects from the device's malloc") {
  expect_each("virtual_calls", [](const Compiled&, int t) { return t % 2 == 0 ? t * t : 2 * t; });
}

TEST_CASE("compiled: function pointers") {
  expect_each("function_pointers", [](const Compiled& m, int t) {
    const int which = m.input(static_cast<std::uint32_t>(t)) % 3;
    return which == 0 ? 2 * t : which == 1 ? t * t : -t;
  });
}

TEST_CASE("compiled: a switch of eight ways") {
  expect_each("jump_table", [](const Compiled& m, int t) {
    const auto u = static_cast<std::uint32_t>(t);
    const auto reversed = [](std::uint32_t x) {
      std::uint32_t y = 0;
      for (int i = 0; i < 32; ++i) y |= (x >> i & 1) << (31 - i);
      return static_cast<int>(y);
    };
    const int ways[] = {m.input(u + 1) * 3,
                        std::popcount(u),
                        2,
                        1000 / (t + 1),
                        reversed(u),
                        std::countl_zero(u),
                        7,
                        t * t,
                        -1};
    return ways[m.input(u)];
  });
}

TEST_CASE("compiled: __pipeline_memcpy_async") {
  CHECK(text_of_module().find("cp.async.cg") != std::string::npos);
  expect_each("pipeline_copy", [](const Compiled& m, int t) {
    return t < 28 ? 0 : m.input(static_cast<std::uint32_t>(127 - t));
  });
}

TEST_CASE("compiled: cooperative groups' memcpy_async") {
  expect_each("group_copy",
              [](const Compiled& m, int t) { return m.input(static_cast<std::uint32_t>(127 - t)); });
}

TEST_CASE("compiled: atomicAdd of float2 and float4") {
  if (text_of_module().find("Cuda compilation tools, release 12.0") != std::string::npos) {
    WARN("not tested: the headers of CUDA 12.0 have no atomicAdd of vectors, 12.1 was the first");
    return;
  }
  Compiled m;
  CHECK(m.run("vector_atomics") == LaunchStatus::ok);
  const auto* sums = reinterpret_cast<const float*>(m.out.base);
  const float expected[] = {128, 256, 0, 0, 128, 256, 384, 512};
  CHECK(std::equal(std::begin(expected), std::end(expected), sums));
}

TEST_CASE("compiled: a failed assert() ends the launch and names the expression") {
  Compiled m;
  CHECK(m.run("assertion") == LaunchStatus::assertion_failed);
  REQUIRE(m.recorder.faults_of(FaultKind::assertion) >= 1);
  CHECK_THAT(m.recorder.faults.front().text, warpwise::testing::ContainsSubstring("threadIdx.x < 5"));
}

}  // namespace warpwise::simulator::run
