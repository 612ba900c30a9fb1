#pragma once
/// \file How this chapter's kernels are launched, and what more than one file asks of them and tries them on.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "ch05_shuffle/kernels.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/matchers.hpp"

namespace warpwise::ch05 {

using harness::Buffer;
using harness::Device;
using harness::InOutKernel;
using harness::Kernel;
using harness::Launch;
using harness::LaunchShape;
using harness::thread_for_each;
using harness::warps_of;
using harness::Written;

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// --- Launches ---------------------------------------------------------------------------------------------

/// A kernel that writes one value per warp of the grid.
template <class T>
Written<T> launch_warps(Device& device, const InOutKernel<T>& kernel, const std::vector<T>& in,
                        const LaunchShape& shape) {
  return run_in_out(device, kernel, shape, in, warps_of(shape));
}

inline LaunchShape roof_shape(unsigned blocks) { return {.grid = blocks, .block = roof_threads}; }

/// sum_tiles and sum_wide, on `in` from `offset` on: every thread writes its share. `count`: of tiles or of
/// elements.
using SharesKernel = Kernel<void(const float*, float*, unsigned)>;
inline Written<float> launch_shares(Device& device, const SharesKernel& kernel, const Buffer<float>& in,
                                    unsigned offset, unsigned count, unsigned blocks) {
  auto out = device.poisoned<float>("out", std::size_t{blocks} * roof_threads);
  Launch launch = device.launch(kernel, roof_shape(blocks), in.from(offset), out, count);
  return {std::move(launch), std::move(out)};
}

/// What reduce_to_the_roof needs besides its input, and keeps between launches.
struct RoofScratch {
  RoofScratch(Device& device, unsigned blocks)
      : partials(device.poisoned<float>("partials", blocks)), ticket(device.zeroed<unsigned>("ticket", 1)) {}
  Buffer<float> partials;
  Buffer<unsigned> ticket;
};
/// reduce_to_the_roof on n elements of `in` from `offset` on.
inline Written<float> launch_roof(Device& device, const Buffer<float>& in, unsigned offset, unsigned n,
                                  unsigned blocks, const RoofScratch& scratch) {
  auto out = device.poisoned<float>("out", 1);
  Launch launch = device.launch(reduce_to_the_roof, roof_shape(blocks), in.from(offset), out, n,
                                scratch.partials, scratch.ticket);
  return {std::move(launch), std::move(out)};
}

using Floats = std::vector<float>;

// --- Inside a warp: checks.cpp, warps.cpp -----------------------------------------------------------------

/// The most additions that an element of a warp can go through, in any order: it meets the 31 others.
constexpr unsigned additions_in_a_warp = 31;

/// Puts `special(draw)` in the place of one lane in about every fourth warp; `turn` chooses the warps. Lane 0
/// keeps its element.
template <class Special>
void put_specials(Floats& values, std::uint64_t turn, Special special) {
  for (unsigned i = 0; i < values.size(); ++i) {
    const std::uint64_t draw = harness::seed_of(i / 32, turn);
    if (draw % 4 == 0 && i % 32 == 1 + draw / 4 % 31) values[i] = special(static_cast<unsigned>(draw >> 40));
  }
}

/// Whole numbers of either sign; in some warps multiples of 2^20, in some an infinity or NaN.
inline Floats summands(unsigned n, std::uint64_t seed) {
  Floats values = harness::random_integers(n, seed, -999, 1000);
  for (unsigned i = 0; i < n; ++i)
    if (harness::seed_of(i / 32, seed) % 3 == 0) values[i] *= 0x1p20f;
  constexpr float specials[] = {infinity, -infinity, not_a_number};
  put_specials(values, seed, [&](unsigned draw) { return specials[draw % 3]; });
  return values;
}

/// What every kernel that works inside a warp may use. One load request of 32 lanes is one element per lane
/// at its natural width, so no single lane can have read the elements of the others.
inline void check_registers_only(const harness::LaunchAndWork& run) {
  using namespace harness;
  const Launch& launch = run.launch;
  CHECK_THAT(run, HasNoExchangesInCode(Exchanges::atomics));
  CHECK_THAT(launch, UsesNoSharedMemory("the lanes pass values on in registers"));
  CHECK_THAT(launch.count(&Counters::block_barriers),
             AtMost(0, "block barriers", "a warp doesn't depend on any other warp"));
  CHECK_THAT(launch.count(&Counters::global_atomic_requests),
             AtMost(0, "global atomic requests", "the lanes pass values on in registers"));
  CHECK_THAT(launch.count(&Counters::global_load_requests).per_warp(),
             AtMost(1, "global load requests per warp", "a warp reads its 32 elements at once"));
  CHECK_THAT(launch.count(&Counters::global_load_sectors).per_warp(),
             AtMost(4, "global load sectors per warp", "32 neighbouring elements fill 4 sectors"));
}

// --- Blocks: blocks.cpp, argmax.cpp, dot_product.cpp
// ---------------------------------------------------------

constexpr unsigned special_n = 1003;  ///< a few threads have an element more than the others
inline constexpr LaunchShape special_shape{.grid = 2, .block = 64};

/// n elements: multiples of 2^20, whose sum is exact in any order, and above 2^24; then small ones, of which
/// one is an infinity or NaN, at three places including the last, or two are infinities. This shows a kernel
/// that leaves an element out by multiplying it by 0, or corrects the rounding of what does not round.
inline Floats special_values(unsigned n = special_n) {
  Floats values = harness::random_integers(n, 1, -999, 1000);
  SECTION("multiples of 2^20") {
    for (float& value : values) value *= 0x1p20f;
  }
  SECTION("one is no number") {
    const unsigned place = GENERATE_COPY(0u, n / 2, n - 1);
    values = harness::random_integers(n, place);
    values[place] = GENERATE(Catch::Generators::values<float>({infinity, -infinity, not_a_number}));
    UNSCOPED_INFO("in[" << place << "] is " << harness::text_of(values[place]));
  }
  SECTION("two are infinities") {
    values[n / 3] = infinity;
    values[n - 1] = GENERATE(Catch::Generators::values<float>({infinity, -infinity}));
    UNSCOPED_INFO("in[" << n / 3 << "] is inf, in[" << n - 1 << "] is " << harness::text_of(values[n - 1]));
  }
  return values;
}

/// The most additions that a value can go through: those of its thread, then a tree in the warp, then the
/// sums of up to 32 warps in any order, then `after` more.
inline unsigned additions_for(std::size_t n, const LaunchShape& shape, unsigned after = 0) {
  return harness::ceil_div(static_cast<unsigned>(n), 32 * warps_of(shape)) + 5 + 32 + after;
}

/// `elements` elements, of all arrays together, are read once, 32 neighbours at a time.
inline auto ReadsNeighboursOnce(unsigned elements) {
  return harness::ReadsNothingTwice(elements, "32 neighbouring elements fill 4 sectors");
}

/// Two stages: first the values of a warp, with at most `shuffles_a_stage` shuffles, then the results of the
/// block's up to 32 warps, in any way, in one thread or in all. There is one barrier between the two, and
/// only the warps' results go through shared memory, `words` for each.
inline void check_two_stages(const harness::SimulatedDevice& device, const Launch& launch,
                             unsigned shuffles_a_stage, unsigned words) {
  using namespace harness;
  const double warps = static_cast<double>(launch.shape().block.x) / 32;
  CHECK_THAT(launch.count(&Counters::shared_atomic_requests),
             AtMost(0, "shared atomic requests", "atomics on the same word add one value after the other"));
  CHECK_THAT(launch.count(&Counters::block_barriers).per_block(),
             AtMost(1, "block barriers per block", "one, between the warps' sums and the sum of these sums"));
  CHECK_THAT(launch.count(&Counters::shuffles).per_warp(),
             AtMost(2 * shuffles_a_stage, "shuffles per warp", "two stages of five steps, since 2^5 = 32"));
  CHECK_THAT(launch.count(&Counters::shared_store_requests).per_warp(),
             AtMost(words, "shared memory store requests per warp", "each warp stores its result once"));
  CHECK_THAT(launch.count(&Counters::shared_load_requests).per_warp(),
             AtMost(words * warps, "shared memory load requests per warp",
                    "a warp loads the result of each warp of the block at most once"));
  CHECK_THAT(Measured(shared_bytes_of(device.program(), launch.kernel())),
             AtMost(4 * 32 * words, "bytes of shared memory",
                    "a word for each of the 32 warps that a block can have"));
}

/// No thread makes the others' joins. One takes at most four elements at once, so a few threads may have
/// more than an even share, and one may combine the values of the 32 warps. Four joins for each: an index
/// goes with it, or a product.
inline void check_joins_are_shared(const harness::LaunchAndWork& run, unsigned n) {
  using namespace harness;
  const unsigned threads = 32 * warps_of(run.launch.shape());
  CHECK_THAT(run, JoinsFewValues(4 * (ceil_div(n, threads) + 4 + 32 + 10),
                                 "its share of the elements, ten steps, and the values of at most 32 warps"));
}

// --- 16 bytes at a time: roof.cpp, any_size.cpp
// -------------------------------------------------------------------------

/// 2^22 elements from 1 to 3, whose sum is below 2^24. Made once: that takes longer than to add them up.
inline const Floats& many_elements() {
  static const Floats values = harness::random_integers(1u << 22, 1u << 22, 1, 3);
  return values;
}

/// "in starts 1 float after a 16-byte boundary"
inline std::string start_of(unsigned offset) {
  if (offset == 0) return "in starts at a 16-byte boundary";
  return "in starts " + std::to_string(offset) + (offset == 1 ? " float" : " floats") +
         " after a 16-byte boundary";
}

/// Besides the wide loads of the n elements, the kernel makes at most `other_requests` load requests and
/// loads at most `other_bytes`. The limits:
///   Rounds: a loop has one guarded branch per round, and the start and end of the kernel have a few more. A
///   loop with one load has fewer than two loads per branch; the solution, with four, has 4. 3 instructions:
///   a float4 costs one load and four additions, 1.25 for each 32 elements. The rest is the address of the
///   next one and the loop: 2.25 and more if each load has its own multiplication by the size of the
///   grid, 1.9 in the solution. There are few blocks, so the loop counts and not the start and end.
inline void check_wide_loads(const harness::LaunchAndWork& run, unsigned n, unsigned other_requests,
                             unsigned other_bytes) {
  using namespace harness;
  const Launch& launch = run.launch;
  const Count loads = launch.count(&Counters::global_load_requests);
  CHECK_THAT(loads, AtMost(n / 128.0 + other_requests, "global load requests",
                           "32 lanes that load 16 bytes each read 128 elements at once"));
  CHECK_THAT(Measured(run.work.total(&WarpWork::loaded_bytes)),
             AtMost(4.0 * n + other_bytes, "bytes loaded", "each element is read once"));
  CHECK_THAT(Measured(run.work.most(&WarpWork::widest_load)),
             AtMost(4096, "bytes from the first to the last that a warp's load touches",
                    "neighbouring lanes load neighbours, or each lane loads a few float4 in a row"));
  CHECK_THAT(
      loads / launch.count(&Counters::branches).value(),
      AtLeast(2, "loads per round",
              "several loads are on their way before the first is waited for: make several per round"));
  CHECK_THAT(launch.count(&Counters::warp_instructions) / (n / 32.0),
             AtMost(3, "warp instructions for each 32 elements",
                    "16 bytes per lane and load, several loads per round"));
  CHECK_THAT(run.work, IsSharedOut(4.0 * n));
}

/// At most 3 elements at each end are loaded one by one, wherever `in` starts, and nothing outside of `in`,
/// not even to be dropped. The kernel loads at most `other_bytes` besides.
inline void check_wide_loads_from(unsigned offset, const harness::LaunchAndWork& run, unsigned n,
                                  unsigned other_bytes) {
  using namespace harness;
  CHECK_THAT(run.launch.count(&Counters::global_load_requests),
             AtMost(n / 128.0 + 16, "global load requests, " + start_of(offset),
                    "16-byte loads from the first 16-byte boundary on"));
  CHECK_THAT(Measured(run.work.total(&WarpWork::loaded_bytes)),
             AtMost(4.0 * n + other_bytes, "bytes loaded, " + start_of(offset),
                    "each element is read once, and nothing beside them"));
}

}  // namespace warpwise::ch05
