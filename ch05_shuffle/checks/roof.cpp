/// \file What chapter 5 asks of the three steps to the roof: sum_tiles, sum_wide, reduce_to_the_roof.
/// Contracts: kernels.hpp. bench/beside_cub.cu measures on a GPU whether the last is as fast as CUB.

#include <span>

#include "ch05_shuffle/checks/requirements.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

// --- What the kernels compute, told once ------------------------------------------------------------------

constexpr unsigned tile = 4 * roof_loads * roof_threads;  ///< elements that a block takes at once

unsigned roof_blocks(const Device& device, unsigned n) {
  return roof_grid(device.properties().multiprocessors, n);
}

/// The sizes of the launch that `out` was written by. Blocks have one size.
Case roof_case(const Buffer<float>& out, std::size_t n) {
  return {.n = static_cast<unsigned>(n), .grid = out.memory().latest_shape()->grid.x};
}

/// sum_tiles, sum_wide: the sum of all out[i] is the sum of `in`, whichever thread took which of them.
Requirement<Buffer<float>> SharesAddUpTo(std::span<const float> in) {
  return {"adds up to the sum of in", [=](const Buffer<float>& out) {
            require(out, ReducesTo<operators::Sum>(in, "the shares of the threads add up to")
                             .where(roof_case(out, in.size())));
          }};
}

/// reduce_to_the_roof: *out is the sum of `in`; or off by `bound` at most.
Requirement<Buffer<float>> EqualsSum(std::span<const float> in, double bound = 0) {
  const auto require_sum = [bound](const Buffer<float>& out, const Floats& values) {
    const auto all = [&](std::size_t) -> std::vector<ElementRange> { return {{.end = values.size()}}; };
    require(out, Holds(sum(values))
                     .within({bound})
                     .as(joined_by<operators::Sum, float>(), each_result(out, 1, all))
                     .where(roof_case(out, values.size())));
  };
  return {"is the sum of in", [=](const Buffer<float>& out) {
            ask_with_other_values<float>(out.memory(), {in, "in", add_up_exactly<float>},
                                         [&](const Floats& values) { require_sum(out, values); });
          }};
}
/// *ticket is as the next launch must find it. Asked for first: else that one would give a wrong sum, and get
/// the blame. `n`: elements of the launch.
Requirement<Buffer<unsigned>> IsZeroAgain(unsigned n) {
  return {"is 0 again", [=](const Buffer<unsigned>& ticket) {
            const unsigned found = ticket.download().front();
            if (found == 0) return;
            fail(
                "*ticket is " + std::to_string(found) + " after the launch, and must be 0 again for the next",
                {.where = spelled(Case{.n = n, .grid = ticket.memory().latest_shape()->grid.x})});
          }};
}

/// The shares are kept in registers until each thread stores its own.
void check_shares_only(const Launch& launch) {
  CHECK_THAT(launch, UsesNoSharedMemory("each thread keeps its share to itself"));
  CHECK_THAT(launch, HasNoShuffles("each thread keeps its share to itself"));
  CHECK_THAT(launch, HasNoAtomics("each thread keeps its share to itself"));
}

// --- Launches ---------------------------------------------------------------------------------------------

/// One input on one device. Any part of it is summed, again and again with the same scratch memory, as a
/// caller would do. Its elements are 1 to `largest`: with 15, sums of up to 2^20 of them are exact.
class Roof {
 public:
  Roof(Device& device, unsigned size, unsigned most_blocks, int largest = 15)
      : device_(device),
        values_(random_integers(size, size, 1, largest)),
        in_(device.upload("in", values_)),
        scratch_(device, most_blocks) {}

  /// Requires that `blocks` blocks sum n elements from `offset` on.
  void require_sum(unsigned offset, unsigned n, unsigned blocks) {
    if (blocks > scratch_.partials.size()) throw std::logic_error("Roof: made for fewer blocks");
    const auto out = launch_roof(device_, in_, offset, n, blocks, scratch_).out;
    REQUIRE_THAT(scratch_.ticket, IsZeroAgain(n));
    INFO(start_of(offset));
    REQUIRE_THAT(out, EqualsSum(std::span(values_).subspan(offset, n)));
  }

 private:
  Device& device_;
  Floats values_;
  Buffer<float> in_;
  RoofScratch scratch_;
};

/// One launch on all of `values` from `offset` on.
Written<float> launch_once(Device& device, const Floats& values, unsigned offset, unsigned blocks) {
  const auto in = device.upload("in", values);
  const RoofScratch scratch(device, blocks);
  const auto n = static_cast<unsigned>(values.size()) - offset;
  return launch_roof(device, in, offset, n, blocks, scratch);
}

}  // namespace

// --- sum_tiles --------------------------------------------------------------------------------------------

TEST_CASE("sum_tiles: whole tiles", "[sum_tiles][result]") {
  Device& device = GENERATE(devices());
  const unsigned tiles = GENERATE(1u, 2u, 3u, 5u, 9u);
  const unsigned blocks = GENERATE(1u, 2u, 3u, 12u);
  const auto values = random_integers(9 * tile, 9 * tile);
  const auto in = device.upload("in", values);
  const auto out = launch_shares(device, sum_tiles, in, 0, tiles, blocks).out;
  INFO(start_of(0));
  CHECK_THAT(out, SharesAddUpTo(std::span(values).first(tiles * tile)));
}

TEST_CASE("sum_tiles: no tile", "[sum_tiles][result]") {
  Device& device = GENERATE(devices());
  const auto in = device.upload("in", random_integers(9 * tile, 1));
  const auto out = launch_shares(device, sum_tiles, in, 0, 0, 3).out;
  INFO(start_of(0));
  CHECK_THAT(out, SharesAddUpTo({}));
}

TEST_CASE("sum_tiles: special values", "[sum_tiles][result]") {
  Device& device = GENERATE(devices());
  const auto in = special_values(3 * tile);
  const auto out = launch_shares(device, sum_tiles, device.upload("in", in), 0, 3, 2).out;
  CHECK_THAT(out, SharesAddUpTo(in));
}

TEST_CASE("sum_tiles: wide loads, several at once", "[sum_tiles][technique]") {
  SimulatedDevice& device = simulated();
  constexpr unsigned n = 1u << 22, blocks = 4;
  const Floats& values = many_elements();
  const auto in = device.upload("in", values);
  const auto [run, out] = counted(device, launch_shares, sum_tiles, in, 0u, n / tile, blocks);
  check_wide_loads(run, n, 0, 0);
  check_shares_only(run.launch);
  CHECK_THAT(out, SharesAddUpTo(values));
}

TEST_CASE("sum_tiles: no findings", "[sum_tiles][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned tiles = GENERATE(0u, 1u, 4u);
  const unsigned blocks = GENERATE(1u, 3u);
  const auto values = random_integers(tiles * tile, tiles * tile);
  const auto in = device.upload("in", values);
  const auto [launch, out] = launch_shares(device, sum_tiles, in, 0, tiles, blocks);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, SharesAddUpTo(values));
}

// --- sum_wide ---------------------------------------------------------------------------------------------

// A GPU tries every n up to 4100 with all four offsets. The simulator tries fewer n, each with one offset,
// and with all four if n is small.
TEST_CASE("sum_wide: short stretches, from any float", "[sum_wide][result]") {
  Device& device = GENERATE(devices());
  const auto values = random_integers(4100 + 4, 4100 + 4);
  const auto in = device.upload("in", values);
  const unsigned step = device.is_simulated() ? 23 : 1;
  for (unsigned n = 0; n <= 4100; n += n < 40 ? 1 : step)
    for (unsigned offset = 0; offset < 4; ++offset) {
      if (n >= 40 && device.is_simulated() && offset != n / step % 4) continue;
      const auto out = launch_shares(device, sum_wide, in, offset, n, 1 + n % 3).out;
      INFO(start_of(offset));
      REQUIRE_THAT(out, SharesAddUpTo(std::span(values).subspan(offset, n)));
    }
}

TEST_CASE("sum_wide: tiles and ends", "[sum_wide][result]") {
  Device& device = GENERATE(devices());
  const unsigned tiles = GENERATE(1u, 4u, 7u);
  const unsigned n =
      GENERATE_COPY(tiles * tile - 5, tiles * tile - 1, tiles * tile, tiles * tile + 1, tiles * tile + 4);
  const unsigned offset = GENERATE(0u, 1u, 2u, 3u);
  const auto values = random_integers(7 * tile + 8, 7 * tile + 8);
  const auto in = device.upload("in", values);
  const auto out = launch_shares(device, sum_wide, in, offset, n, 1 + (tiles + offset) % 5).out;
  INFO(start_of(offset));
  CHECK_THAT(out, SharesAddUpTo(std::span(values).subspan(offset, n)));
}

TEST_CASE("sum_wide: special values", "[sum_wide][result]") {
  Device& device = GENERATE(devices());
  const auto in = special_values(3 * tile + 3);
  const auto out = launch_shares(device, sum_wide, device.upload("in", in), 0, 3 * tile + 3, 2).out;
  CHECK_THAT(out, SharesAddUpTo(in));
}

TEST_CASE("sum_wide: wide loads, several at once", "[sum_wide][technique]") {
  SimulatedDevice& device = simulated();
  constexpr unsigned n = 1u << 22, blocks = 4;
  const Floats& values = many_elements();
  const auto in = device.upload("in", values);
  const auto [run, out] = counted(device, launch_shares, sum_wide, in, 0u, n, blocks);
  check_wide_loads(run, n, 8 * blocks, 0);
  check_shares_only(run.launch);
  CHECK_THAT(out, SharesAddUpTo(values));
}

TEST_CASE("sum_wide: wide loads, at any alignment", "[sum_wide][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned offset = GENERATE(0u, 1u, 2u, 3u);
  constexpr unsigned n = 1u << 18;
  const auto values = random_integers(n + offset, n);
  const auto in = device.upload("in", values);
  const auto [run, out] = counted(device, launch_shares, sum_wide, in, offset, n, 1u);
  check_wide_loads_from(offset, run, n, 0);
  CHECK_THAT(out, SharesAddUpTo(std::span(values).subspan(offset)));
}

TEST_CASE("sum_wide: no findings", "[sum_wide][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(0u, 1u, 2u, 3u, 5u, 1023u, tile + 3, 4 * tile + 2);
  const unsigned offset = GENERATE(0u, 1u, 2u, 3u);
  const unsigned blocks = GENERATE(1u, 3u);
  const auto values = random_integers(n + offset, n);
  const auto in = device.upload("in", values);
  const auto [launch, out] = launch_shares(device, sum_wide, in, offset, n, blocks);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, SharesAddUpTo(std::span(values).subspan(offset)));
}

// --- reduce_to_the_roof -----------------------------------------------------------------------------------

// A GPU tries every n up to 4100 with all four offsets. The simulator tries fewer n, each with one offset,
// and with all four if n is small; all four of each n: tests/figures.cpp.
TEST_CASE("reduce_to_the_roof: short stretches, from any float", "[reduce_to_the_roof][result]") {
  Device& device = GENERATE(devices());
  Roof roof(device, 4100 + 4, 3);
  const unsigned step = device.is_simulated() ? 23 : 1;
  for (unsigned n = 0; n <= 4100; n += n < 40 ? 1 : step)
    for (unsigned offset = 0; offset < 4; ++offset) {
      if (n >= 40 && device.is_simulated() && offset != n / step % 4) continue;
      roof.require_sum(offset, n, 1 + n % 3);
    }
}

TEST_CASE("reduce_to_the_roof: tiles and ends", "[reduce_to_the_roof][result]") {
  Device& device = GENERATE(devices());
  Roof roof(device, 7 * tile + 8, 5);
  for (const unsigned tiles : {1u, 4u, 7u})
    for (const int more : {-5, -1, 0, 1, 5})
      for (unsigned offset = 0; offset < 4; ++offset) {
        const unsigned n = std::min<unsigned>(tiles * tile + more, 7 * tile + 4);
        roof.require_sum(offset, n, device.is_simulated() ? 1 + (n + offset) % 5 : 5);
      }
}

TEST_CASE("reduce_to_the_roof: about 2^20", "[reduce_to_the_roof][result]") {
  Device& device = GENERATE(devices());
  if (is_in_another_order()) return;         // too large for more than once
  constexpr unsigned size = (1u << 20) + 8;  // one tile more than 2^20 elements have
  Roof roof(device, size, roof_blocks(device, size));
  for (const int more : {-3, -1, 0, 2}) {
    const unsigned n = (1u << 20) + more;
    roof.require_sum(more & 3, n, roof_blocks(device, n));
  }
}

// Every launch finds the ticket as the first one did, and every block draws one each time.
TEST_CASE("reduce_to_the_roof: launched again", "[reduce_to_the_roof][result]") {
  Device& device = GENERATE(devices());
  const KeptModuleMemory kept(device);
  Roof roof(device, 3 * tile, 16);
  for (const unsigned blocks : {1u, 16u, 2u, 16u}) roof.require_sum(0, 3 * tile, blocks);
  for (unsigned launch = 0; launch < 300; ++launch)
    roof.require_sum(launch % 4, 8 * (launch % 5), 1 + launch % 2);
}

// More blocks than a block has threads: once all of them have work, and once hardly any.
TEST_CASE("reduce_to_the_roof: 600 blocks", "[reduce_to_the_roof][result]") {
  Device& device = GENERATE(devices());
  if (is_in_another_order()) return;  // too large for more than once, or for observers
  const OtherOptions unobserved(simulated(),
                                [](auto& all) { all.watch = warpwise::simulator::Watch::nothing; });
  Roof roof(device, 601 * tile + 8, 600, 3);
  for (const unsigned n : {0u, 5u, 601 * tile + 5}) roof.require_sum(1, n, 600);
}

// CUDA doesn't promise that two blocks run at the same time, so none may wait for one that comes later.
TEST_CASE("reduce_to_the_roof: blocks one after the other", "[reduce_to_the_roof][result]") {
  SimulatedDevice& device = simulated();
  const OtherOptions one_by_one = one_after_the_other(device, 5, GENERATE(false, true));
  Roof(device, 3 * tile, 5).require_sum(0, 3 * tile, 5);
}

TEST_CASE("reduce_to_the_roof: special values", "[reduce_to_the_roof][result]") {
  Device& device = GENERATE(devices());
  const auto in = special_values(3 * tile + 3);
  const auto out = launch_once(device, in, 0, 2).out;
  CHECK_THAT(out, EqualsSum(in));
}

TEST_CASE("reduce_to_the_roof: floats that round", "[reduce_to_the_roof][result]") {
  Device& device = GENERATE(devices());
  constexpr unsigned n = 5 * tile + 1001, blocks = 4;
  const auto in = random_floats(n, n);
  const auto out = launch_once(device, in, 0, blocks).out;
  // After the block's own additions come those of the partials: at most one per block, and another tree.
  const double bound = sum_error_bound(in, additions_for(n, roof_shape(blocks), blocks + 5 + 32));
  INFO("real floats");
  CHECK_THAT(out, EqualsSum(in, bound));
}

TEST_CASE("reduce_to_the_roof: in any order", "[reduce_to_the_roof][result]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto in = random_integers(tile + 1029, tile + 1029);
  const auto out = launch_once(device, in, 0, 2).out;
  CHECK_THAT(out, EqualsSum(in));
}

// Besides the input, each thread of the last block may read the partials.
TEST_CASE("reduce_to_the_roof: wide loads, several at once", "[reduce_to_the_roof][technique]") {
  SimulatedDevice& device = simulated();
  constexpr unsigned n = 1u << 22, blocks = 4;
  const Floats& in = many_elements();
  const auto [run, out] = counted(device, launch_once, in, 0u, blocks);
  check_wide_loads(run, n, 16 * blocks, 4 * roof_threads * blocks);
  CHECK_THAT(run.launch.count(&Counters::block_barriers).per_block(),
             AtMost(8, "block barriers per block", "a few, and none in the loop"));
  CHECK_THAT(out, EqualsSum(in));
}

TEST_CASE("reduce_to_the_roof: wide loads, at any alignment", "[reduce_to_the_roof][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned offset = GENERATE(0u, 1u, 2u, 3u);
  constexpr unsigned n = 1u << 18;
  const auto values = random_integers(n + offset, n, 1, 3);
  const auto [run, out] = counted(device, launch_once, values, offset, 1u);
  check_wide_loads_from(offset, run, n, 4 * roof_threads);
  CHECK_THAT(out, EqualsSum(std::span(values).subspan(offset)));
}

TEST_CASE("reduce_to_the_roof: no findings", "[reduce_to_the_roof][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(0u, 1u, 3u, 5u, 1023u, tile + 3, 4 * tile + 2);
  const unsigned offset = GENERATE(0u, 1u, 2u, 3u);
  const unsigned blocks = GENERATE(1u, 3u);
  const auto values = random_integers(n + offset, n, 1, 3);
  const auto [launch, out] = launch_once(device, values, offset, blocks);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsSum(std::span(values).subspan(offset)));
}

TEST_CASE("reduce_to_the_roof: no findings, in any order", "[reduce_to_the_roof][safety]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto values = random_integers(tile + 1029 + 1, tile + 1029, 1, 3);
  const auto [launch, out] = launch_once(device, values, 1, 2);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsSum(std::span(values).subspan(1)));
}

namespace {

/// The launches that are shown, counted and, on a GPU, timed. sum_tiles: the whole tiles among n elements.
Launch show_tiles(Device& device, unsigned n) {
  const auto values = random_integers(n / tile * tile, n / tile * tile);
  const auto in = device.upload("in", values);
  auto [launch, out] = launch_shares(device, sum_tiles, in, 0, n / tile, roof_blocks(device, n));
  if (!launch.is_timed()) require(out, SharesAddUpTo(values));
  return std::move(launch);
}
Launch show_wide(Device& device, unsigned n) {
  const auto values = random_integers(n, n);
  const auto in = device.upload("in", values);
  auto [launch, out] = launch_shares(device, sum_wide, in, 0, n, roof_blocks(device, n));
  if (!launch.is_timed()) require(out, SharesAddUpTo(values));
  return std::move(launch);
}
Launch show_roof(Device& device, unsigned n) {
  constexpr unsigned exact = 1u << 22;
  const auto in = random_integers(n, n, 1, 3);
  auto [launch, out] = launch_once(device, in, 0, roof_blocks(device, n));
  const double bound = n <= exact ? 0 : sum_error_bound(in, exact);
  if (!launch.is_timed()) require(out, EqualsSum(in, bound));
  return std::move(launch);
}

const RegisterKernels roof_kernels({
    {.kernel = sum_tiles,
     .technique = "16-byte loads, 4 in flight",
     .task = "step 1 to the roof: each thread's share of whole tiles",
     .run = show_tiles},
    {.kernel = sum_wide,
     .technique = "the same, and the two ends",
     .task = "step 2 to the roof: any n, from any place",
     .run = show_wide},
    {.kernel = reduce_to_the_roof,
     .technique = "16-byte loads, 4 in flight",
     .task = "sum everything, at the speed of the memory",
     .run = show_roof,
     .is_step = true,
     .comes_from = "reduce_shuffle"},
});

}  // namespace
