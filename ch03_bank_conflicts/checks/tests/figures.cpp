/// \file The figures that the lesson prints, held against the kernels: they cannot drift.

#include "ch03_bank_conflicts/kernels.hpp"
#include "common/harness/device/device.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::harness;
using warpwise::simulator::Counters;

namespace {

constexpr unsigned n = 1u << 16;

/// `elements` elements, no two neighbours equal. `last` is the kernel's third parameter.
Counters run(const std::string& module, const InOutKernel<float>& kernel, unsigned grid, unsigned block,
             unsigned last, unsigned elements = n) {
  SimulatedDevice device(WARPWISE_BINARY_DIR "/" + module + ".ptx");
  std::vector<float> values;
  for (unsigned i = 0; i < elements; ++i) values.push_back(static_cast<float>(i % 1013));
  const LaunchShape shape = with_shared_floats({.grid = grid, .block = block});
  const Launch launch = run_in_out(device, kernel, shape, values, elements, last).launch;
  REQUIRE(launch.findings().empty());
  return launch.counters();
}

void check_shared(const Counters& counters, std::uint64_t load_wavefronts, std::uint64_t store_wavefronts,
                  std::uint64_t load_conflicts, std::uint64_t store_conflicts) {
  CHECK(counters.shared_load_wavefronts == load_wavefronts);
  CHECK(counters.shared_store_wavefronts == store_wavefronts);
  CHECK(counters.shared_load_bank_conflicts == load_conflicts);
  CHECK(counters.shared_store_bank_conflicts == store_conflicts);
}

}  // namespace

// The first three: as the hardware counters of one H200 say for the same kernels, n and block.
TEST_CASE("the strides of chapter 2 cost 70 + 35 wavefronts per block") {
  const Counters counters = run("attempts/reduce_sequential_strides_1_2_4", reduce_sequential, 256, 256, n);
  check_shared(counters, 24320, 14080, 256 * 70, 256 * 35);
  CHECK(counters.divergent_branches == 256 * 6);
}

TEST_CASE("reduce_sequential") {
  const Counters counters = run("solution", reduce_sequential, 256, 256, n);
  check_shared(counters, 6400, 5120, 0, 0);
  CHECK(counters.divergent_branches == 256 * 6);
  CHECK(counters.block_barriers == 256 * 9);
  CHECK(counters.global_load_requests == 2048);
  CHECK(counters.global_load_sectors == 8192);
}

TEST_CASE("reduce_first_add") {
  const Counters counters = run("solution", reduce_first_add, 128, 256, n);
  check_shared(counters, 3200, 2560, 0, 0);
  CHECK(counters.global_load_requests == 2048);
  CHECK(counters.global_load_sectors == 8192);
}

TEST_CASE("reduce_grid_stride uses shared memory as often for any n, and reads 4 sectors a time") {
  for (const unsigned grid : {8u, 128u}) {
    const Counters counters = run("solution", reduce_grid_stride, grid, 256, n);
    check_shared(counters, grid * 25, grid * 20, 0, 0);
    CHECK(counters.global_load_requests == 2048);
    CHECK(counters.global_load_sectors == 8192);
  }
}

TEST_CASE("a chunk for each thread needs eight times the sectors") {
  constexpr unsigned elements = 1u << 20, requests = elements / 32;
  const Counters steps = run("solution", reduce_grid_stride, 128, 256, elements, elements);
  CHECK(steps.global_load_requests == requests);
  CHECK(steps.global_load_sectors == 131072);
  const Counters chunks =
      run("attempts/reduce_grid_stride_chunk_a_thread", reduce_grid_stride, 128, 256, elements, elements);
  CHECK(chunks.global_load_requests == requests);
  CHECK(chunks.global_load_sectors == 1048576);
  CHECK(chunks.global_store_sectors == 128);
}

TEST_CASE("column_sums, 31 conflicts for each of 32 loads without padding") {
  const unsigned columns = n / 32, tiles = columns / 32;
  check_shared(run("attempts/column_sums_unpadded", column_sums, tiles, 32, columns), tiles * 1024,
               tiles * 32, tiles * 992, 0);
  check_shared(run("solution", column_sums, tiles, 32, columns), tiles * 32, tiles * 32, 0, 0);
}
