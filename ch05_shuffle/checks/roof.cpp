/// \file What chapter 5 asks of reduce_to_the_roof. Contract: kernels.hpp. bench/beside_cub.cu measures on a
/// GPU whether it is as fast as CUB.

#include <span>

#include "ch05_shuffle/checks/requirements.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

// --- What the kernel computes, told once ------------------------------------------------------------------

/// *out is the sum of `in`; or off by `bound` at most.
Requirement<Buffer<float>> EqualsSum(std::span<const float> in, double bound = 0) {
  return {"is the sum of in", [=](const Buffer<float>& out) {
            require(out, Holds(sum(in)).within({bound}).where(roof_case(out, in.size())));
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

// --- Result -----------------------------------------------------------------------------------------------

// A GPU tries every n up to 4100 with all four offsets. The simulator tries fewer n, each with one offset,
// and with all four if n is small; all four of each n: tests/every_size.cpp.
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
  const OtherOptions one_by_one(device, [](auto& options) { options.launch.resident_blocks = 1; });
  Roof(device, 3 * tile, 5).require_sum(0, 3 * tile, 5);
}

TEST_CASE("reduce_to_the_roof: special values", "[reduce_to_the_roof][result]") {
  Device& device = GENERATE(devices());
  const unsigned place = GENERATE(0u, 3 * tile / 2, 3 * tile + 2);
  const float special = GENERATE(values<float>({infinity, not_a_number, 0x1p40f}));
  Floats in(3 * tile + 3, 0);
  in[place] = special;
  const auto out = launch_once(device, in, 0, 2).out;
  INFO("in[" << place << "] is " << text_of(special) << ", the others are 0");
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

// --- Technique, safety: elements from 1 to 3, no sum of 2^22 of which is above 2^24 -----------------------

// Besides the input, each thread of the last block may read the partials.
TEST_CASE("reduce_to_the_roof: wide loads, several at once", "[reduce_to_the_roof][technique]") {
  SimulatedDevice& device = simulated();
  constexpr unsigned n = 1u << 22, blocks = 4;
  const auto in = random_integers(n, n, 1, 3);
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

/// The launch that is shown, counted and, on a GPU, timed.
Launch show_roof(Device& device, unsigned n) {
  constexpr unsigned exact = 1u << 22;
  const auto in = random_integers(n, n, 1, 3);
  auto [launch, out] = launch_once(device, in, 0, roof_blocks(device, n));
  const double bound = n <= exact ? 0 : sum_error_bound(in, exact);
  if (!launch.is_timed()) require(out, EqualsSum(in, bound));
  return std::move(launch);
}

const RegisterKernels roof_kernels({
    {.kernel = reduce_to_the_roof,
     .technique = "16-byte loads, 4 in flight",
     .task = "sum everything, at the speed of the memory",
     .run = show_roof,
     .is_step = true,
     .comes_from = "reduce_shuffle"},
});

}  // namespace
