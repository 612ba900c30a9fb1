/// \file What chapter 3 asks at the largest n: of the grid some blocks run alone (any_size.hpp).

#include <vector>

#include "ch03_bank_conflicts/kernels.hpp"
#include "common/harness/check/any_size.hpp"
#include "common/harness/check/cases.hpp"

namespace warpwise::ch03::largest {

using namespace harness;

namespace {

using Reduction = operators::Sum;  ///< of reduce_sequential and reduce_first_add

/// out[b] is the reduction of stretch b.
void check_stretches(const InOutKernel<float>& kernel, unsigned elements_a_thread) {
  SimulatedDevice& device = simulated_at_any_size();
  const unsigned block = GENERATE(256u, 32u), stretch = elements_a_thread * block;
  const unsigned n = GENERATE_COPY(large_sizes({largest_n - 5, largest_n - stretch + 3, largest_n}));
  const unsigned grid = GENERATE_COPY(ceil_div(n, stretch), largest_n / block);
  const SomeBlocks some(device, grid, numbers_in_code());
  const LargeInput<float> in(device, "in", n, numbers_by_index<float>());
  const auto out = device.reserved<float>("out", grid);
  const Launch launch =
      device.launch(kernel, with_shared_floats({.grid = grid, .block = block, .n = n}), in, out, n);
  REQUIRE_THAT(out, ReducesStretches<Reduction>(some, in, stretch));
  CHECK_THAT(launch, HasNoFindings());
}

/// out[b] is the reduction of what block b has taken. Each thread has one element, in the largest grid, or
/// enough for each block to get a fair share.
template <class Operator>
void check_any_grid(const InOutKernel<float>& kernel) {
  SimulatedDevice& device = simulated_at_any_size();
  const unsigned elements_a_thread = GENERATE(1u, 64u);
  constexpr unsigned block = 32, n = largest_n;
  const unsigned grid = n / block / elements_a_thread;
  const SomeBlocks some(device, grid, numbers_in_code());
  // Seldom equal, and their sums are exact: 2048 of them are below 2^24.
  const LargeInput<float> in(device, "in", n, numbers_by_index<float>(-4000, 4000));
  const auto out = device.reserved<float>("out", grid);
  const Taken taken = taken_of(device, "in", [&] {
    device.launch(kernel, with_shared_floats({.grid = grid, .block = block, .n = n}), in, out, n);
  });
  CHECK_THAT(out, ReducesTaken<Operator>(some, in, taken));
  if (elements_a_thread == 1) return;  // who takes four at once leaves nothing to the last blocks
  CHECK_THAT(taken, DividesElements(n));
  CHECK_THAT(taken, IsFairlyTaken(some, n, grid));
}

/// Eight steps of the grid at once, and the eighth is past the end, and past 32 bits.
template <class Operator>
void check_wrapping_grid(const InOutKernel<float>& kernel) {
  SimulatedDevice& device = simulated_at_any_size();
  constexpr unsigned block = 32, n = largest_n / 32;
  const unsigned grid = GENERATE(grids_that_wrap(block));
  const SomeBlocks some(device, grid, numbers_in_code());
  const LargeInput<float> in(device, "in", n, numbers_by_index<float>(-4000, 4000));
  const auto out = device.reserved<float>("out", grid);
  const Taken taken = taken_of(device, "in", [&] {
    const Launch launch =
        device.launch(kernel, with_shared_floats({.grid = grid, .block = block, .n = n}), in, out, n);
    CHECK_THAT(launch, HasNoFindings());
  });
  CHECK_THAT(out, ReducesTaken<Operator>(some, in, taken));
}

}  // namespace

TEST_CASE("reduce_sequential: the largest n", "[reduce_sequential][result]") {
  check_stretches(reduce_sequential, 1);
}
TEST_CASE("reduce_first_add: the largest n", "[reduce_first_add][result]") {
  check_stretches(reduce_first_add, 2);
}
TEST_CASE("reduce_grid_stride: the largest n", "[reduce_grid_stride][result]") {
  check_any_grid<operators::Sum>(reduce_grid_stride);
}
TEST_CASE("reduce_max: the largest n", "[reduce_max][result]") { check_any_grid<operators::Max>(reduce_max); }
TEST_CASE("reduce_grid_stride: a grid whose steps wrap", "[reduce_grid_stride][result]") {
  check_wrapping_grid<operators::Sum>(reduce_grid_stride);
}
TEST_CASE("reduce_max: a grid whose steps wrap", "[reduce_max][result]") {
  check_wrapping_grid<operators::Max>(reduce_max);
}

TEST_CASE("column_sums: the largest n", "[column_sums][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  constexpr unsigned columns = largest_n / 32 - 5;
  const unsigned grid = GENERATE(largest_n / 32 / 32, largest_n / 32);  // as many as it needs, and the most
  const SomeBlocks some(device, grid, numbers_in_code());
  const LargeInput<float> in(device, "in", 32 * columns, numbers_by_index<float>());
  const auto out = device.reserved<float>("out", columns);
  const Taken taken = taken_of(device, "in", [&] {
    device.launch(column_sums, {.grid = grid, .block = 32, .n = 32 * columns}, in, out, columns);
  });
  CHECK_THAT(taken, IsTakenOnce(32 * columns));
  CHECK_THAT(out, HoldsOfBlocks(some, 32 * columns, 32, [&](std::uint64_t b) {
               std::vector<double> sums;
               for (std::size_t c = 32 * b; c < std::min<std::size_t>(32 * b + 32, columns); ++c)
                 sums.push_back(sum(in.part(32 * c, 32)));
               return sums;
             }));
}

}  // namespace warpwise::ch03::largest
