/// \file What chapter 4 asks at the largest n: of the grid some blocks run alone (any_size.hpp).

#include <vector>

#include "ch04_warp_unroll/checks/unrolled.hpp"
#include "ch04_warp_unroll/kernels.hpp"
#include "common/harness/check/any_size.hpp"
#include "common/harness/check/cases.hpp"

namespace warpwise::ch04::largest {

using namespace harness;

namespace {

constexpr unsigned odd_n = largest_n - 5;

/// out[b] is the sum of stretch b.
void check_stretches(const InOutKernel<float>& kernel, LaunchShape shape, unsigned stretch) {
  SimulatedDevice& device = simulated_at_any_size();
  const unsigned n = GENERATE_COPY(large_sizes({odd_n, largest_n - stretch + 3, largest_n}));
  shape.grid = GENERATE_COPY(ceil_div(n, stretch), largest_n / shape.block.x);
  shape.n = n;
  const SomeBlocks some(device, shape.grid.x, numbers_in_code());
  const LargeInput<float> in(device, "in", n, numbers_by_index<float>());
  const auto out = device.reserved<float>("out", shape.grid.x);
  const Launch launch = device.launch(kernel, shape, in, out, n);
  REQUIRE_THAT(out, ReducesStretches<operators::Sum>(some, in, stretch));
  CHECK_THAT(launch, HasNoFindings());
}
void check_warps(const InOutKernel<float>& kernel) { check_stretches(kernel, {.block = 32}, 32); }
void check_blocks(const InOutKernel<float>& kernel, unsigned block) {
  check_stretches(kernel, with_shared_floats({.block = block}), 2 * block);
}

/// What block b of `grid` takes: every grid-th stretch of `block` elements.
std::vector<float> taken_by(const LargeInput<float>& in, std::uint64_t b, unsigned grid, unsigned block) {
  std::vector<float> elements;
  for (std::size_t first = b * block; first < in.size(); first += std::size_t{grid} * block)
    for (const float value : in.part(first, block)) elements.push_back(value);
  return elements;
}

}  // namespace

TEST_CASE("warp_sum_step_condition: the largest n", "[warp_sum_step_condition][result]") {
  check_warps(warp_sum_step_condition);
}
TEST_CASE("warp_sum_one_condition: the largest n", "[warp_sum_one_condition][result]") {
  check_warps(warp_sum_one_condition);
}
TEST_CASE("warp_sum_padded: the largest n", "[warp_sum_padded][result]") { check_warps(warp_sum_padded); }
TEST_CASE("reduce_unroll_last_warp: the largest n", "[reduce_unroll_last_warp][result]") {
  const unsigned block = GENERATE(256u, 32u);
  check_blocks(reduce_unroll_last_warp, block);
}
TEST_CASE("reduce_unrolled_256: the largest n", "[reduce_unrolled_256][result]") {
  const unsigned block = GENERATE(32u, 64u, 128u, 256u, 512u, 1024u);
  check_blocks(unrolled_kernel(block), block);
}

void check_by_warps(unsigned n, unsigned grid) {
  SimulatedDevice& device = simulated_at_any_size();
  constexpr unsigned block = 32;
  const SomeBlocks some(device, grid, numbers_in_code());
  const LargeInput<float> in(device, "in", n, numbers_by_index<float>());
  const auto out = device.reserved<float>("out", grid);
  const Launch launch = device.launch(block_sum_by_warps,
                                      with_shared_floats({.grid = grid, .block = block, .n = n}), in, out, n);
  REQUIRE_THAT(out, HoldsOfBlocks(some, n, 1, [&](std::uint64_t b) {
                 return std::vector{sum(taken_by(in, b, grid, block))};
               }));
  CHECK_THAT(launch, HasNoFindings());
}
TEST_CASE("block_sum_by_warps: the largest n", "[block_sum_by_warps][result]") {
  check_by_warps(odd_n, largest_n / 32 / GENERATE(4u, 1u));  // elements for each thread
}
TEST_CASE("block_sum_by_warps: a grid whose steps wrap", "[block_sum_by_warps][result]") {
  check_by_warps(largest_n / 32, GENERATE(grids_that_wrap(32)));
}

}  // namespace warpwise::ch04::largest
