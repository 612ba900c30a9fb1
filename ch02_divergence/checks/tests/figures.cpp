/// \file The figures that the lesson and docs/pmpp.md print, held against the solution: they cannot drift.

#include "ch02_divergence/kernels.hpp"
#include "common/harness/device/device.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::harness;
using warpwise::simulator::Counters;
using warpwise::simulator::LaunchReport;

namespace {

constexpr unsigned elements = 1u << 16;
const std::string solution = "solution";

SimulatedDevice device_with(const std::string& module) {
  return SimulatedDevice(WARPWISE_BINARY_DIR "/" + module + ".ptx");
}

/// A kernel with the parameters (in, out, n), on whole numbers of both signs.
template <class In, class Out>
LaunchReport run_on_stream(const std::string& module, const InOutKernel<In, Out>& kernel,
                           unsigned shared_words) {
  std::vector<In> values;
  // Multiplied by an odd number, so that neighbours have no pattern in common.
  for (unsigned i = 0; i < elements; ++i)
    values.push_back(static_cast<In>(static_cast<int>(i * 2654435761u) >> 12));
  SimulatedDevice device = device_with(module);
  const LaunchShape shape{.grid = elements / 256, .block = 256, .shared_bytes = 4 * shared_words};
  return run_in_out(device, kernel, shape, values, elements).launch.report();
}

/// A sum in place, and what the array holds afterwards.
struct InPlace {
  LaunchReport report;
  std::vector<float> values;
};

InPlace run_in_place(const Kernel<void(float*)>& kernel, const std::vector<float>& values) {
  SimulatedDevice device = device_with(solution);
  const auto buffer = device.upload("values", values);
  const LaunchShape shape{.grid = 1, .block = static_cast<unsigned>(values.size() / 2)};
  const Launch launch = device.launch(kernel, shape, buffer);
  return {launch.report(), buffer.download()};
}

/// The array after the first iterations of `kernel`, as many as leave `left` sums. Falling strides keep apart
/// what stands at places that differ by no multiple of `left`: each of these subsequences goes through the
/// first iterations by itself, exactly as if it were the whole array.
std::vector<float> array_after(const Kernel<void(float*)>& kernel, std::vector<float> array,
                               std::size_t left) {
  for (std::size_t first = 0; first < left; ++first) {
    std::vector<float> part;
    for (std::size_t i = first; i < array.size(); i += left) part.push_back(array[i]);
    part = run_in_place(kernel, part).values;
    for (std::size_t i = 0; i < part.size(); ++i) array[first + i * left] = part[i];
  }
  return array;
}

}  // namespace

TEST_CASE("what reduce_contiguous does with 65536 elements in blocks of 256") {
  const LaunchReport report = run_on_stream(solution, reduce_contiguous, 256);
  const Counters& counters = report.counters;
  CHECK(report.findings.empty());
  CHECK(counters.block_barriers == 256 * 9);
  CHECK(counters.divergent_branches == 256 * 6);
  CHECK(counters.shared_load_wavefronts == 24320);
  CHECK(counters.shared_store_wavefronts == 14080);
  CHECK(counters.shared_load_bank_conflicts == 256 * 70);
  CHECK(counters.shared_store_bank_conflicts == 256 * 35);
  CHECK(counters.shared_load_requests == 256 * 25);
  CHECK(counters.shared_store_requests == 256 * 20);
  CHECK(counters.global_load_requests == 2048);
  CHECK(counters.global_load_sectors == 8192);
  // By barrier: after the load (stride 1), then stride 2, 4 ... 128 and the store, in the last one.
  auto diverging = report.divergent_branches_by_interval;
  diverging.resize(10);
  CHECK(diverging == std::vector<std::uint64_t>{0, 0, 0, 0, 256, 256, 256, 256, 256, 256});
}

// Instructions depend a little on the compiler's version, branches do not.
TEST_CASE("three ways out of a branch, and the branches") {
  struct Expected {
    std::uint64_t divergent_branches, global_sectors;  ///< sectors 0: not looked at
    double instructions;                               ///< warp instructions, for each element
  };
  const auto check = [](const std::string& module, const auto& kernel, unsigned shared_words,
                        const Expected& expected) {
    INFO(module << ", " << kernel.name);
    const LaunchReport report = run_on_stream(module, kernel, shared_words);
    const Counters& counters = report.counters;
    CHECK(report.findings.empty());
    CHECK(counters.divergent_branches == expected.divergent_branches);
    if (expected.global_sectors != 0)
      CHECK(counters.global_load_sectors + counters.global_store_sectors == expected.global_sectors);
    CHECK(static_cast<double>(counters.warp_instructions) / elements ==
          Approx(expected.instructions).epsilon(0.03));
  };
  check("attempts/alternate_by_warp_by_parity", alternate_by_warp, 0, {2048, 16384, 12.84});
  check("attempts/alternate_by_warp_computes_both", alternate_by_warp, 0, {0, 16384, 12.66});
  check(solution, alternate_by_warp, 0, {0, 32768, 6.91});
  const unsigned slots = 2 * 256 + 32;
  check("attempts/partition_by_sign_branches_on_sign", partition_by_sign, slots, {2048, 0, 16.06});
  check(solution, partition_by_sign, slots, {0, 16384, 12.30});
}

TEST_CASE("warps that diverge in each iteration of sum_convergent, 1024 values") {
  for (const auto& kernel : {sum_convergent, sum_convergent_mirrored}) {
    auto diverging =
        run_in_place(kernel, std::vector<float>(1024, 1.0f)).report.divergent_branches_by_interval;
    diverging.resize(10);  // after the last barrier nothing diverges
    CHECK(diverging == std::vector<std::uint64_t>{0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
  }
}

TEST_CASE("the book's exercise 6: fig. 10.9 on 6 2 7 4 5 8 3 1") {
  const std::vector<float> values{6, 2, 7, 4, 5, 8, 3, 1};
  CHECK(array_after(sum_convergent, values, 4) == std::vector<float>{11, 10, 10, 5, 5, 8, 3, 1});
  CHECK(array_after(sum_convergent, values, 2) == std::vector<float>{21, 15, 10, 5, 5, 8, 3, 1});
  CHECK(array_after(sum_convergent, values, 1) == std::vector<float>{36, 15, 10, 5, 5, 8, 3, 1});
}

TEST_CASE("the book's exercise 3: the mirror image on 6 2 7 4 5 8 3 1") {
  const std::vector<float> values{6, 2, 7, 4, 5, 8, 3, 1};
  CHECK(array_after(sum_convergent_mirrored, values, 4) == std::vector<float>{6, 2, 7, 4, 11, 10, 10, 5});
  CHECK(array_after(sum_convergent_mirrored, values, 2) == std::vector<float>{6, 2, 7, 4, 11, 10, 21, 15});
  CHECK(array_after(sum_convergent_mirrored, values, 1) == std::vector<float>{6, 2, 7, 4, 11, 10, 21, 36});
}
