/// \file What chapter 2 asks at the largest n: of the grid some blocks run alone (any_size.hpp).

#include <optional>
#include <vector>

#include "ch02_divergence/checks/requirements.hpp"
#include "ch02_divergence/kernels.hpp"
#include "common/harness/check/any_size.hpp"
#include "common/harness/check/cases.hpp"

namespace warpwise::ch02::largest {

using namespace harness;

namespace {

constexpr unsigned block = 256;

Generator<unsigned> sizes() { return large_sizes({largest_n - 5, largest_n}); }
/// out[b] is the sum of the elements of block b.
auto EqualsBlockSums(const SomeBlocks& some, const LargeInput<float>& in) {
  return ReducesStretches<operators::Sum>(some, in, block);
}
constexpr std::size_t results = 1;  // of a block of reduce_contiguous

}  // namespace

TEST_CASE("reduce_contiguous: the largest n", "[reduce_contiguous][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const unsigned n = GENERATE(sizes()), grid = ceil_div(n, block);
  const SomeBlocks some(device, grid, numbers_in_code());
  const LargeInput<float> in(device, "in", n, numbers_by_index<float>());
  const auto out = device.reserved<float>("out", results * grid);
  const Launch launch = device.launch(reduce_contiguous,
                                      with_shared_floats({.grid = grid, .block = block, .n = n}), in, out, n);
  REQUIRE_THAT(out, EqualsBlockSums(some, in));
  CHECK_THAT(launch, HasNoFindings());
}

TEST_CASE("sum_convergent: addresses that carry", "[sum_convergent][result]") {
  check_sum_across_4_gib(simulated_at_any_size(), sum_convergent);
}
TEST_CASE("sum_convergent_mirrored: addresses that carry", "[sum_convergent_mirrored][result]") {
  check_sum_across_4_gib(simulated_at_any_size(), sum_convergent_mirrored, true);
}

TEST_CASE("alternate_by_warp: the largest n", "[alternate_by_warp][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const unsigned n = GENERATE(sizes()), grid = ceil_div(n, block);
  const SomeBlocks some(device, grid, numbers_in_code());
  const LargeInput<unsigned> in(device, "in", n,
                                [](std::size_t i) { return static_cast<unsigned>(seed_of(run_seed(), i)); });
  const auto out = device.reserved<unsigned>("out", n);
  std::optional<Launch> launch;
  // Which block takes which elements is for the kernel to choose.
  const Taken taken = taken_of(device, "in", [&] {
    launch = device.launch(alternate_by_warp, {.grid = grid, .block = block, .n = n}, in, out, n);
  });
  for (const auto& [b, elements] : taken.all())
    for (const std::size_t i : elements)
      require(out, Holds(i % 2 == 0 ? stir(in[i]) : shake(in[i])).at(i).where(Case{.n = n, .block = block}));
  CHECK_THAT(taken, IsFairlyTaken(some, n, grid));
  CHECK_THAT(taken, DividesElements(n));
  CHECK_THAT(*launch, HasNoFindings());
}

TEST_CASE("partition_by_sign: the largest n", "[partition_by_sign][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const unsigned n = GENERATE(sizes()), grid = ceil_div(n, block);
  const SomeBlocks some(device, grid, numbers_in_code());
  const LargeInput<int> in(device, "in", n, numbers_by_index<int>(-500, 500));
  const auto out = device.reserved<unsigned>("out", n);
  const Launch launch = device.launch(
      partition_by_sign,
      {.grid = grid, .block = block, .shared_bytes = (2 * block + 32) * sizeof(unsigned), .n = n}, in, out,
      n);
  REQUIRE_THAT(out, HoldsOfBlocks(some, n, block, [&](std::uint64_t b) {
                 return partitioned(in.part(b * block, block), block);
               }));
  CHECK_THAT(launch, HasNoFindings());
}

TEST_CASE("score_matches: the largest n", "[score_matches][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const unsigned n = GENERATE(sizes()), grid = ceil_div(n, block);
  const SomeBlocks some(device, grid, numbers_in_code());
  const LargeInput<int> home_goals(device, "home_goals", n, numbers_by_index<int>(0, 3));
  const LargeInput<int> away_goals(device, "away_goals", n, numbers_by_index<int>(0, 3, 2));
  const auto matches_of = [&](std::uint64_t b) {
    Matches matches{home_goals.part(b * block, block), away_goals.part(b * block, block), {}, {}};
    for (std::size_t i = 0; i < matches.home_goals.size(); ++i) {
      matches.home_points.push_back(static_cast<int>(i + b % 64));
      matches.away_points.push_back(static_cast<int>(2 * i + b % 64));
    }
    return matches;
  };
  auto home_points = device.reserved<int>("home_points", n),
       away_points = device.reserved<int>("away_points", n);
  for (const std::uint64_t b : some.numbers()) {
    home_points.upload(matches_of(b).home_points, b * block);
    away_points.upload(matches_of(b).away_points, b * block);
  }
  Taken taken = taken_of(device, "home_goals", [&] {
    device.launch(score_matches, {.grid = grid, .block = block, .n = n}, home_goals, away_goals, home_points,
                  away_points, n);
  });
  home_points.download(0, 1), away_points.download(0, 1);  // looked at, even where nothing is compared
  // Which block takes which matches is for the kernel to choose. Of others there is nothing to compare here.
  for (const std::uint64_t b : some.numbers())
    if (taken.of(b).size() == block && taken.of(b).front() != b * block) return;
  CHECK_THAT(home_points, HoldsOfBlocks(some, n, block,
                                        [&](std::uint64_t b) { return scored(matches_of(b)).home_points; }));
  CHECK_THAT(away_points, HoldsOfBlocks(some, n, block,
                                        [&](std::uint64_t b) { return scored(matches_of(b)).away_points; }));
}

}  // namespace warpwise::ch02::largest
