/// \file What chapter 1 asks at the largest n: of the grid some blocks run alone (any_size.hpp).

#include "common/harness/check/any_size.hpp"
#include "ch01_naive/kernels.hpp"
#include "common/harness/check/cases.hpp"

using namespace warpwise::harness;

TEST_CASE("reduce_naive: the largest n", "[reduce_naive][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const unsigned n = GENERATE(large_sizes({largest_n, largest_n - 5}));
  const unsigned block = GENERATE(256u, 32u), grid = ceil_div(n, block);
  const SomeBlocks some(device, grid, numbers_in_code());
  const LargeInput<float> in(device, "in", n, numbers_by_index<float>());
  const auto out = device.reserved<float>("out", grid);
  const Launch launch =
      device.launch(reduce_naive, with_shared_floats({.grid = grid, .block = block, .n = n}), in, out, n);
  REQUIRE_THAT(out, ReducesStretches<operators::Sum>(some, in, block));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(launch.count(&Counters::block_barriers),
             AtMost((tree_levels(block) + 1.0) * static_cast<double>(some.numbers().size()),
                    "block barriers in " + std::to_string(some.numbers().size()) + " blocks",
                    "one after the load and one for each level, whatever n is"));
  CHECK_THAT(launch, HasNoShuffles());
  CHECK_THAT(launch, HasNoAtomics());
}

TEST_CASE("sum_in_place: addresses that carry", "[sum_in_place][result]") {
  check_sum_across_4_gib(simulated_at_any_size(), sum_in_place);
}
