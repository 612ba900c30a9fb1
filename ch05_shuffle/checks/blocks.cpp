/// \file What chapter 5 asks of its kernels, third part: blocks that sum. Contracts: kernels.hpp.

#include <algorithm>
#include <cmath>

#include "ch05_shuffle/checks/requirements.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

// --- What the kernels compute, told once ------------------------------------------------------------------

/// The sum of all out[b] is the sum of `in`, whichever block took which of them.
auto BlocksAddUpTo(std::span<const float> in) {
  return ReducesTo<operators::Sum>(in, "the sums of the blocks add up to");
}
/// *total is what it was, `start`, and the sum of `in`; or off by `bound` at most.
Requirement<Buffer<float>> HoldsTotal(double start, std::span<const float> in, double bound = 0) {
  const auto require_total = [=](const Buffer<float>& total, const Floats& values) {
    const auto all_and_itself = [&](std::size_t) -> std::vector<ElementRange> {
      return {{.end = values.size()}, {.end = 1, .array = "total"}};
    };
    require(total, Holds(start + sum(values))
                       .within({bound})
                       .as(joined_by<operators::Sum, float>(), each_result(total, 1, all_and_itself))
                       .where(case_of(total.memory(), values.size(), 0)));
  };
  const auto add_up_with_start = [start](Floats values) {
    // An atomicAdd of floats in global memory takes denormal numbers for 0.
    const auto is_denormal = [](float value) { return std::fpclassify(value) == FP_SUBNORMAL; };
    if (std::any_of(values.begin(), values.end(), is_denormal)) return false;
    values.push_back(static_cast<float>(start));
    return add_up_exactly(values);
  };
  return {"holds the total", [=](const Buffer<float>& total) {
            ask_with_other_values<float>(total.memory(), {in, "in", add_up_with_start},
                                         [&](const Floats& values) { require_total(total, values); });
          }};
}
// --- Inputs and launches ----------------------------------------------------------------------------------

Written<float> launch_sums(Device& device, const Floats& in, const LaunchShape& shape) {
  return run_in_out(device, reduce_shuffle, shape, in, shape.grid.x);
}
Written<float> launch_atomic(Device& device, float start, const Floats& in, const LaunchShape& shape) {
  const auto on_device = device.upload("in", in);
  auto total = device.upload("total", Floats{start});
  Launch launch = device.launch(reduce_atomic, shape, on_device, total, static_cast<unsigned>(in.size()));
  return {std::move(launch), std::move(total)};
}
/// Lanes that add to the same word go one after the other, and each counts as a sector. So this counts
/// additions, while the number of requests would count a whole warp of them as one.
auto MakesOneAtomic() {
  return AtMost(1, "atomic operations per block", "one thread adds the sum of its block");
}
}  // namespace

// --- reduce_shuffle ---------------------------------------------------------------------------------------

TEST_CASE("reduce_shuffle: the sum, at awkward sizes", "[reduce_shuffle][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(blocks_also_from_code({32, 64, 256, 1024}));
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const unsigned grid = GENERATE_COPY(1u, 3u, ceil_div(n, block) + 2);
  const auto in = random_integers(n, seed_of(n, block));
  const auto out = launch_sums(device, in, {.grid = grid, .block = block}).out;
  CHECK_THAT(out, BlocksAddUpTo(in));
}

TEST_CASE("reduce_shuffle: far more blocks than elements, and n above 2^16", "[reduce_shuffle][result]") {
  Device& device = GENERATE(devices());
  const auto [n, grid, block] = GENERATE(
      table<unsigned, unsigned, unsigned>({{33u, 300u, 64u}, {70'001u, 2u, 512u}, {70'001u, 70u, 1024u}}));
  const auto in = random_integers(n, seed_of(n, block));
  const auto out = launch_sums(device, in, {.grid = grid, .block = block}).out;
  CHECK_THAT(out, BlocksAddUpTo(in));
}

TEST_CASE("reduce_shuffle: more rounds than 16 bits count", "[reduce_shuffle][result]") {
  Device& device = GENERATE(devices());
  if (is_in_another_order()) return;  // too large for more than once, or for observers
  const OtherOptions unobserved(simulated(),
                                [](auto& all) { all.watch = warpwise::simulator::Watch::nothing; });
  constexpr unsigned n = 32 * 65537 - 3;
  const auto in = Floats(n, 1);
  const auto out = launch_sums(device, in, {.grid = 1, .block = 32}).out;
  CHECK_THAT(out, BlocksAddUpTo(in));
}

// Blocks of two warps and of eight, with an incomplete last round.
TEST_CASE("reduce_shuffle: in any order", "[reduce_shuffle][result]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto [grid, block] = GENERATE(table<unsigned, unsigned>({{2u, 64u}, {1u, 256u}}));
  const auto in = random_integers(1003, seed_of(1003, block));
  const auto out = launch_sums(device, in, {.grid = grid, .block = block}).out;
  CHECK_THAT(out, BlocksAddUpTo(in));
}

TEST_CASE("reduce_shuffle: floats that round", "[reduce_shuffle][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = 7 * block + 5;
  const LaunchShape shape{.grid = 3, .block = block};
  const auto in = random_floats(n, seed_of(n, block));
  const auto out = launch_sums(device, in, shape).out;
  INFO("real floats");
  CHECK_THAT(out, BlocksAddUpTo(in).within(sum_error_bound(in, additions_for(n, shape))));
}

TEST_CASE("reduce_shuffle: special values", "[reduce_shuffle][result]") {
  Device& device = GENERATE(devices());
  const auto in = special_values();
  const auto out = launch_sums(device, in, special_shape).out;
  CHECK_THAT(out, BlocksAddUpTo(in));
}

TEST_CASE("reduce_shuffle: in starts at any float", "[reduce_shuffle][result]") {
  Device& device = GENERATE(devices());
  const unsigned offset = GENERATE(1u, 2u, 3u);
  const auto values = random_integers(special_n + offset, offset);
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<float>("out", 2);
  device.launch(reduce_shuffle, special_shape, in.from(offset), out, special_n);
  INFO("in starts at float " << offset);
  CHECK_THAT(out, BlocksAddUpTo(std::span(values).subspan(offset)));
}

// 64 elements per thread, which is enough for all threads even if each takes 32 at once.
TEST_CASE("reduce_shuffle: two stages", "[reduce_shuffle][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(blocks_also_from_code({256})), n = 64 * 16 * block;
  const auto in = random_integers(n, n);
  const auto [run, out] = counted(device, launch_sums, in, LaunchShape{.grid = 16, .block = block});
  CHECK_THAT(run.launch, ReadsNeighboursOnce(n));
  CHECK_THAT(run.work, IsSharedOut(4.0 * n));
  check_two_stages(device, run.launch, 5, 1);
  CHECK_THAT(run.launch.count(&Counters::global_atomic_requests),
             AtMost(0, "global atomic requests", "each block has a place of its own in `out`"));
  CHECK_THAT(out, BlocksAddUpTo(in));
}

TEST_CASE("reduce_shuffle: shares of any n", "[reduce_shuffle][technique]") {
  const LaunchShape shape = GENERATE(uneven_shares());
  const auto in = random_integers(*shape.n, 1);
  const auto [run, out] = counted(simulated(), launch_sums, in, shape);
  CHECK_THAT(run.work, IsSharedOut(4.0 * in.size()));
  CHECK_THAT(run.work, LoadsNeighbours());
  CHECK_THAT(out, BlocksAddUpTo(in));
}

// On launches of the result's case that the run's seed draws.
TEST_CASE("reduce_shuffle: two stages, at any size", "[reduce_shuffle][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(some_awkward_sizes(block));
  const unsigned grid = GENERATE_COPY(1u, 3u, ceil_div(n, block) + 2);
  const auto in = random_integers(n, n);
  const auto [run, out] = counted(device, launch_sums, in, LaunchShape{.grid = grid, .block = block});
  check_two_stages(device, run.launch, 5, 1);
  check_joins_are_shared(run, n);
  CHECK_THAT(out, BlocksAddUpTo(in));
}

// No element, less than a warp, incomplete warps, many rounds.
TEST_CASE("reduce_shuffle: no findings", "[reduce_shuffle][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(0u, 1u, 33u, 1025u, 3 * block - 1);
  const unsigned grid = GENERATE(1u, 3u);
  const auto in = random_integers(n, n);
  const auto [launch, out] = launch_sums(device, in, {.grid = grid, .block = block});
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, BlocksAddUpTo(in));
}

TEST_CASE("reduce_shuffle: no findings, in any order", "[reduce_shuffle][safety]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto [grid, block] = GENERATE(table<unsigned, unsigned>({{2u, 64u}, {1u, 256u}}));
  const auto in = random_integers(1003, 1003);
  const auto [launch, out] = launch_sums(device, in, {.grid = grid, .block = block});
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, BlocksAddUpTo(in));
}

// --- reduce_atomic ----------------------------------------------------------------------------------------

TEST_CASE("reduce_atomic: the total, at awkward sizes", "[reduce_atomic][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(blocks_also_from_code({32, 64, 256, 1024}));
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const unsigned grid = GENERATE_COPY(1u, 3u, ceil_div(n, block) + 2);
  const float start = grid == 3 ? 1000 : 0;  // beside which a small sum would be lost
  const auto in = random_integers(n, seed_of(n, block));
  const auto total = launch_atomic(device, start, in, {.grid = grid, .block = block}).out;
  INFO("total starts at " << start);
  CHECK_THAT(total, HoldsTotal(start, in));
}

TEST_CASE("reduce_atomic: far more blocks than elements, and n above 2^16", "[reduce_atomic][result]") {
  Device& device = GENERATE(devices());
  const auto [n, grid, block] = GENERATE(
      table<unsigned, unsigned, unsigned>({{33u, 300u, 64u}, {70'001u, 2u, 512u}, {70'001u, 70u, 1024u}}));
  const auto in = random_integers(n, seed_of(n, block));
  const auto total = launch_atomic(device, 1000, in, {.grid = grid, .block = block}).out;
  INFO("total starts at 1000");
  CHECK_THAT(total, HoldsTotal(1000, in));
}

TEST_CASE("reduce_atomic: in any order", "[reduce_atomic][result]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto [grid, block] = GENERATE(table<unsigned, unsigned>({{2u, 64u}, {1u, 256u}}));
  const auto in = random_integers(1003, seed_of(1003, block));
  const auto total = launch_atomic(device, 1000, in, {.grid = grid, .block = block}).out;
  INFO("total starts at 1000");
  CHECK_THAT(total, HoldsTotal(1000, in));
}

TEST_CASE("reduce_atomic: floats that round", "[reduce_atomic][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = 7 * block + 5;
  const LaunchShape shape{.grid = 3, .block = block};
  const auto in = random_floats(n, seed_of(n, block));
  const auto total = launch_atomic(device, 0.7f, in, shape).out;
  auto summands = in;
  summands.push_back(0.7f);
  // After the additions of its block, a sum passes through one for each block.
  const double bound = sum_error_bound(summands, additions_for(n, shape, shape.grid.x));
  INFO("real floats");
  CHECK_THAT(total, HoldsTotal(0.7f, in, bound));
}

TEST_CASE("reduce_atomic: special values", "[reduce_atomic][result]") {
  Device& device = GENERATE(devices());
  const auto in = special_values();
  const auto total = launch_atomic(device, 0, in, special_shape).out;
  CHECK_THAT(total, HoldsTotal(0, in));
}

// The second launch continues from the total of the first, with another part of the input.
TEST_CASE("reduce_atomic: launched again", "[reduce_atomic][result]") {
  Device& device = GENERATE(devices());
  const KeptModuleMemory kept(device);
  const auto values = random_integers(special_n + 3, 1);
  const auto in = device.upload("in", values);
  const auto total = device.zeroed<float>("total", 1);
  double before = 0;
  for (const unsigned offset : {0u, 1u, 3u, 2u}) {
    device.launch(reduce_atomic, LaunchShape{.grid = 1 + offset, .block = 32u << offset}, in.from(offset),
                  total, special_n);
    const auto part = std::span<const float>(values).subspan(offset, special_n);
    INFO("launched again on the same total");
    REQUIRE_THAT(total, HoldsTotal(before, part));
    before += sum(part);
  }
}

TEST_CASE("reduce_atomic: two stages, and an atomic per block", "[reduce_atomic][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(blocks_also_from_code({256})), n = 64 * 16 * block;
  const auto in = random_integers(n, n);
  const auto [run, total] = counted(device, launch_atomic, 0.0f, in, LaunchShape{.grid = 16, .block = block});
  CHECK_THAT(run.launch, ReadsNeighboursOnce(n));
  CHECK_THAT(run.work, IsSharedOut(4.0 * n));
  check_two_stages(device, run.launch, 5, 1);
  CHECK_THAT(run.launch.count(&Counters::global_atomic_sectors).per_block(), MakesOneAtomic());
  CHECK_THAT(total, HoldsTotal(0, in));
}

TEST_CASE("reduce_atomic: shares of any n", "[reduce_atomic][technique]") {
  const LaunchShape shape = GENERATE(uneven_shares());
  const auto in = random_integers(*shape.n, 1);
  const auto [run, total] = counted(simulated(), launch_atomic, 0.0f, in, shape);
  CHECK_THAT(run.work, IsSharedOut(4.0 * in.size()));
  CHECK_THAT(run.work, LoadsNeighbours());
  CHECK_THAT(total, HoldsTotal(0, in));
}

// How often a loop around compare-and-swap goes round depends on the other blocks.
TEST_CASE("reduce_atomic: one try", "[reduce_atomic][technique]") {
  SimulatedDevice& device = simulated();
  const auto in = random_integers(1000, 1000);
  std::optional<Written<float>> written;
  const Work tries = work_of(
      device, [&] { written.emplace(launch_atomic(device, 0, in, special_shape)); },
      [](const auto& program, auto pc) { return program.text_of(pc).has("cas"); });
  CHECK_THAT(Measured(tries.total(&WarpWork::chosen_instructions)),
             AtMost(0, "compare-and-swap operations",
                    "each try is an atomic operation, and another block can make it fail: let one operation "
                    "add"));
  CHECK_THAT(written->out, HoldsTotal(0, in));
}

TEST_CASE("reduce_atomic: two stages, at any size", "[reduce_atomic][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(some_awkward_sizes(block));
  const unsigned grid = GENERATE_COPY(1u, 3u, ceil_div(n, block) + 2);
  const auto in = random_integers(n, n);
  const auto [run, total] =
      counted(device, launch_atomic, 0.0f, in, LaunchShape{.grid = grid, .block = block});
  check_two_stages(device, run.launch, 5, 1);
  check_joins_are_shared(run, n);
  CHECK_THAT(run.launch.count(&Counters::global_atomic_sectors).per_block(), MakesOneAtomic());
  CHECK_THAT(total, HoldsTotal(0, in));
}

TEST_CASE("reduce_atomic: no findings", "[reduce_atomic][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(0u, 1u, 33u, 1025u, 3 * block - 1);
  const unsigned grid = GENERATE(1u, 3u);
  const auto in = random_integers(n, n);
  const auto [launch, total] = launch_atomic(device, 0, in, {.grid = grid, .block = block});
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(total, HoldsTotal(0, in));
}

TEST_CASE("reduce_atomic: no findings, in any order", "[reduce_atomic][safety]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto [grid, block] = GENERATE(table<unsigned, unsigned>({{2u, 64u}, {1u, 256u}}));
  const auto in = random_integers(1003, 1003);
  const auto [launch, total] = launch_atomic(device, 0, in, {.grid = grid, .block = block});
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(total, HoldsTotal(0, in));
}

// The kernel cannot clear the total, because no block knows whether it is the first. So the caller must, and
// if it forgets, that is found.
TEST_CASE("reduce_atomic: a total that was never set is found", "[reduce_atomic][safety]") {
  SimulatedDevice& device = simulated();
  const auto in = device.upload("in", random_integers(1000, 1));
  const auto total = device.poisoned<float>("total", 1);
  const Launch launch = device.launch(reduce_atomic, {.grid = 4, .block = 128}, in, total, 1000u);
  device.mark_read(launch);  // whatever is in it
  CHECK_THAT(launch, HasFinding(warpwise::simulator::FindingKind::uninitialised));
}

// --- What the chapter shows of its kernels ----------------------------------------------------------------

namespace {

// Sums of up to 2^20 whole numbers from 1 to 15 are exact.
Launch show_sums(Device& device, unsigned n) {
  const LaunchShape shape = walking_grid(device, n, device.block_or(256));
  const auto in = random_integers(n, n);
  auto [launch, out] = launch_sums(device, in, shape);
  const double bound = n <= 1u << 20 ? 0 : sum_error_bound(in, additions_for(n, shape, shape.grid.x));
  if (!launch.is_timed()) require(out, BlocksAddUpTo(in).within(bound));
  return std::move(launch);
}
Launch show_atomic(Device& device, unsigned n) {
  const LaunchShape shape = walking_grid(device, n, device.block_or(256));
  const auto in = random_integers(n, n);
  auto [launch, total] = launch_atomic(device, 0, in, shape);
  const double bound = n <= 1u << 20 ? 0 : sum_error_bound(in, additions_for(n, shape, shape.grid.x));
  if (!launch.is_timed()) require(total, HoldsTotal(0, in, bound));
  return std::move(launch);
}
const RegisterKernels block_kernels({
    {.kernel = reduce_shuffle,
     .technique = "grid-stride, sums of warps",
     .task = "sum what each block takes, with one barrier",
     .run = show_sums,
     .is_step = true,
     .comes_from = "reduce_grid_stride"},
    {.kernel = reduce_atomic,
     .technique = "one atomic per block",
     .task = "add the sum of all elements to one total",
     .run = show_atomic},
});

}  // namespace
