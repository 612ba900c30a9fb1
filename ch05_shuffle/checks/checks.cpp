/// \file What chapter 5 asks of its kernels, first part: shuffles. Contracts: kernels.hpp. The kernels with
/// one value per warp are in warps.cpp, those with one per block in blocks.cpp, argmax.cpp and
/// dot_product.cpp, and the three steps to the roof in roof.cpp.
///
/// A case begins with the device that it launches on. devices(): the simulated GPU, a real one where there is
/// one, then the simulated one with the lanes of a warp in other orders. every_order(): the simulated one in
/// each of them. simulated(): that one alone.

#include <bit>
#include <cstdio>

#include "ch05_shuffle/checks/requirements.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

// --- What the kernels compute, told once ------------------------------------------------------------------

/// A kernel that moves elements within a warp, and the lane that each lane gets its element from, for a value
/// of the last parameter.
struct LaneShuffle {
  InOutKernel<float> kernel;
  const char* parameter;
  unsigned (*source_of)(unsigned lane, unsigned lanes);
};
constexpr LaneShuffle from_one{broadcast, "source", [](unsigned, unsigned source) { return source; }};
constexpr LaneShuffle up{shift_up, "distance",
                         [](unsigned lane, unsigned by) { return lane < by ? lane : lane - by; }};
constexpr LaneShuffle down{shift_down, "distance",
                           [](unsigned lane, unsigned by) { return lane + by > 31 ? lane : lane + by; }};

std::string in_hexadecimal(std::uint32_t word) {
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", word);
  return digits;
}

/// Zeros of either sign are equal as floats, and so are all NaN.
void require_bits(const Floats& found, const Floats& moved, const Case& where) {
  for (unsigned i = 0; i < found.size(); ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(found[i]);
    const auto expected = std::bit_cast<std::uint32_t>(moved[i]);
    if (bits == expected) continue;
    fail("out[" + std::to_string(i) + "] has the bits " + in_hexadecimal(bits) + ", expected " +
             in_hexadecimal(expected) + ": a shuffle moves all 32 as they are",
         {.where = spelled(where)});
  }
}

/// What each lane gets of `values`.
Floats moved_by(const LaneShuffle& shuffle, const Floats& values, unsigned lanes) {
  Floats moved;
  for (unsigned i = 0; i < values.size(); ++i)
    moved.push_back(values[i / 32 * 32 + shuffle.source_of(i % 32, lanes)]);
  return moved;
}

/// Each lane has the element of the lane that `shuffle` names, with all its 32 bits.
Requirement<Buffer<float>> MovesElements(const LaneShuffle& shuffle, const Floats& in, unsigned lanes) {
  const auto require_moved = [&shuffle, lanes](const Buffer<float>& out, const Floats& values) {
    Case where = case_of(out.memory(), {}, 0);
    where.note = std::string(shuffle.parameter) + " " + std::to_string(lanes);
    const Floats moved = moved_by(shuffle, values, lanes);
    const auto source_of = [&](std::size_t i) -> std::vector<ElementRange> {
      const std::size_t source = i / 32 * 32 + shuffle.source_of(i % 32, lanes);
      return {{.begin = source, .end = source + 1}};
    };
    require(out, Holds(std::vector<double>(moved.begin(), moved.end()))
                     .as(copied_from<float>(), each_result(out, out.size(), source_of))
                     .where(where));
    require_bits(out.download(), moved, where);
  };
  return {"moves the elements between lanes", [&in, require_moved](const Buffer<float>& out) {
            ask_with_other_values<float>(out.memory(), {in},
                                         [&](const Floats& values) { require_moved(out, values); });
          }};
}

/// The value of each warp, repeated for each of its lanes.
std::vector<double> in_every_lane(const std::vector<double>& of_warps) {
  std::vector<double> all;
  for (const double value : of_warps) all.insert(all.end(), 32, value);
  return all;
}
/// out[i] is the sum of the 32 elements of the warp, in every lane; of floats that round, as near as they can
/// be in which each passes through `additions` additions.
Requirement<Buffer<float>> HoldsSumsInEveryLane(const Floats& in, unsigned additions = 0) {
  const auto require_sums = [additions](const Buffer<float>& out, const Floats& values) {
    const auto sums = in_every_lane(block_sums(values, 32));
    const auto bounds = in_every_lane(block_sum_error_bounds(values, 32, additions));
    const Case where{.block = out.memory().latest_shape()->block.x};
    const auto warp_of = [](std::size_t i) -> std::vector<ElementRange> {
      return {{.begin = i / 32 * 32, .end = i / 32 * 32 + 32}};
    };
    require(out, Holds(sums)
                     .within(bounds)
                     .as(joined_by<operators::Sum, float>(), each_result(out, out.size(), warp_of))
                     .where(where));
  };
  return {"holds each warp's sum in every lane", [&in, require_sums](const Buffer<float>& out) {
            ask_with_other_values<float>(out.memory(), {in, "in", add_up_exactly<float>},
                                         [&](const Floats& values) { require_sums(out, values); });
          }};
}

// --- Inputs and launches ----------------------------------------------------------------------------------

/// Floats, some of which are special: an infinity, -0, and a NaN with bits that no operation gives it.
Floats floats_to_move(unsigned n, std::uint64_t seed) {
  Floats values = random_floats(n, seed);
  values[1] = infinity;
  values[2] = std::bit_cast<float>(0xffc01234u);
  for (unsigned i = 3; i < values.size(); i += 7) values[i] = -0.0f;
  return values;
}

Written<float> launch_shuffle(Device& device, const LaneShuffle& shuffle, const Floats& in,
                              const LaunchShape& shape, unsigned lanes) {
  return run_in_out(device, shuffle.kernel, shape, in, in.size(), lanes);
}
Written<float> launch_butterfly(Device& device, const Floats& in, const LaunchShape& shape) {
  const auto on_device = device.upload("in", in);
  auto out = device.poisoned<float>("out", in.size());
  Launch launch = device.launch(butterfly_sum, shape, on_device, out);
  return {std::move(launch), std::move(out)};
}

// --- broadcast, shift_up, shift_down: the same cases for each ---------------------------------------------

void moves_elements(const LaneShuffle& shuffle) {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned lanes = GENERATE(range(0u, 32u));
  const auto in = floats_to_move(2 * block, seed_of(block, lanes));
  const auto out = launch_shuffle(device, shuffle, in, {.grid = 2, .block = block}, lanes).out;
  CHECK_THAT(out, MovesElements(shuffle, in, lanes));
}

void moves_elements_of_other_grids(const LaneShuffle& shuffle) {
  Device& device = GENERATE(devices());
  const unsigned grid = GENERATE(1u, 65u);  // one block; and more than 2^16 threads
  constexpr unsigned block = 1024, lanes = 9;
  const auto in = floats_to_move(grid * block, seed_of(block, lanes));
  const auto out = launch_shuffle(device, shuffle, in, {.grid = grid, .block = block}, lanes).out;
  CHECK_THAT(out, MovesElements(shuffle, in, lanes));
}

void moves_elements_from_anywhere(const LaneShuffle& shuffle) {
  Device& device = GENERATE(devices());
  const auto [of_in, of_out] = GENERATE(table<unsigned, unsigned>({{0, 1}, {1, 0}, {3, 2}}));
  constexpr unsigned n = 128, lanes = 5;
  Floats in = floats_to_move(of_in + n, of_in);
  const auto on_device = device.upload("in", in);
  const auto out = device.poisoned<float>("out", of_out + n);
  device.launch(shuffle.kernel, {.grid = 2, .block = n / 2}, on_device.from(of_in), out.from(of_out), lanes);
  in.erase(in.begin(), in.begin() + of_in);
  INFO("in starts at float " << of_in << ", out at float " << of_out);
  require_bits(out.download(of_out, n), moved_by(shuffle, in, lanes), Case{.block = n / 2});
}

void moves_elements_in_any_order(const LaneShuffle& shuffle) {
  SimulatedDevice& device = GENERATE(every_order());
  const unsigned lanes = GENERATE(1u, 13u);
  const auto in = floats_to_move(2 * 64, seed_of(64, lanes));
  const auto out = launch_shuffle(device, shuffle, in, {.grid = 2, .block = 64}, lanes).out;
  CHECK_THAT(out, MovesElements(shuffle, in, lanes));
}

// On launches of the result's case: from each lane, in blocks of each size.
void takes_one_shuffle(const LaneShuffle& shuffle) {
  SimulatedDevice& device = simulated();
  const unsigned lanes = GENERATE(range(0u, 32u));
  const unsigned block = 32u << lanes % 6;
  const auto in = floats_to_move(2 * block, seed_of(block, lanes));
  const LaunchShape shape{.grid = 2, .block = block};
  const auto [run, out] = counted(device, launch_shuffle, shuffle, in, shape, lanes);
  CHECK_THAT(run.launch.count(&Counters::shuffles).per_warp(),
             Exactly(1, "shuffles per warp", "one shuffle moves a value between any lanes of a warp"));
  check_registers_only(run);
  CHECK_THAT(run.work, IsSharedOut(4.0 * 2 * block));
  CHECK_THAT(out, MovesElements(shuffle, in, lanes));
}

void has_no_findings(const LaneShuffle& shuffle) {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned lanes = GENERATE(0u, 1u, 16u, 31u);
  const auto in = floats_to_move(2 * block, seed_of(block, lanes));
  const auto [launch, out] = launch_shuffle(device, shuffle, in, {.grid = 2, .block = block}, lanes);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, MovesElements(shuffle, in, lanes));
}

void has_no_findings_in_any_order(const LaneShuffle& shuffle) {
  SimulatedDevice& device = GENERATE(every_order());
  const auto in = floats_to_move(2 * 64, seed_of(64, 5));
  const auto [launch, out] = launch_shuffle(device, shuffle, in, {.grid = 2, .block = 64}, 5);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, MovesElements(shuffle, in, 5));
}

void register_shuffle_cases(const LaneShuffle& shuffle) {
  register_cases(shuffle.kernel, shuffle,
                 {
                     {"from every lane", Aspect::result, moves_elements},
                     {"other grids", Aspect::result, moves_elements_of_other_grids},
                     {"arrays start at any float", Aspect::result, moves_elements_from_anywhere},
                     {"in any order", Aspect::result, moves_elements_in_any_order},
                     {"one shuffle", Aspect::technique, takes_one_shuffle},
                     {"no findings", Aspect::safety, has_no_findings},
                     {"no findings, in any order", Aspect::safety, has_no_findings_in_any_order},
                 });
}
[[maybe_unused]] const bool are_lane_cases_registered =
    (register_shuffle_cases(from_one), register_shuffle_cases(up), register_shuffle_cases(down), true);

}  // namespace

// --- butterfly_sum ----------------------------------------------------------------------------------------

TEST_CASE("butterfly_sum: each warp's sum, in every lane", "[butterfly_sum][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const auto in = summands(3 * block, block);
  const auto out = launch_butterfly(device, in, {.grid = 3, .block = block}).out;
  CHECK_THAT(out, HoldsSumsInEveryLane(in));
}

TEST_CASE("butterfly_sum: in starts at any float", "[butterfly_sum][result]") {
  Device& device = GENERATE(devices());
  const Floats in = summands(3 * 64, 64);
  Floats from_before = in;
  from_before.insert(from_before.begin(), 0);
  const auto all = device.upload("in", from_before);
  const auto out = device.poisoned<float>("out", in.size());
  device.launch(butterfly_sum, {.grid = 3, .block = 64}, all.from(1), out);
  INFO(start_of(1));
  CHECK_THAT(out, HoldsSumsInEveryLane(in));
}

TEST_CASE("butterfly_sum: in any order", "[butterfly_sum][result]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto in = summands(3 * 64, 64);
  const auto out = launch_butterfly(device, in, {.grid = 3, .block = 64}).out;
  CHECK_THAT(out, HoldsSumsInEveryLane(in));
}

TEST_CASE("butterfly_sum: floats that round", "[butterfly_sum][result]") {
  Device& device = GENERATE(devices());
  constexpr unsigned block = 128;
  const auto in = random_floats(3 * block, block);
  const auto out = launch_butterfly(device, in, {.grid = 3, .block = block}).out;
  INFO("real floats");
  CHECK_THAT(out, HoldsSumsInEveryLane(in, additions_in_a_warp));
}

// Five shuffles are enough for lane 0 in any tree, but for all lanes only if no lane is idle: a tree down and
// then a broadcast takes six.
TEST_CASE("butterfly_sum: five shuffles", "[butterfly_sum][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const auto [in, additions] = GENERATE_COPY(table<Floats, unsigned>(
      {{summands(3 * block, block), 0}, {random_floats(3 * block, block), additions_in_a_warp}}));
  const LaunchShape shape{.grid = 3, .block = block};
  const auto [run, out] = counted(device, launch_butterfly, in, shape);
  CHECK_THAT(
      run.launch.count(&Counters::shuffles).per_warp(),
      AtMost(5, "shuffles per warp", "each doubles the number of values in every lane's sum: 2^5 = 32"));
  check_registers_only(run);
  CHECK_THAT(run.work, IsSharedOut(4.0 * 3 * block));
  CHECK_THAT(out, HoldsSumsInEveryLane(in, additions));
}

TEST_CASE("butterfly_sum: no findings", "[butterfly_sum][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const auto in = summands(3 * block, block);
  const auto [launch, out] = launch_butterfly(device, in, {.grid = 3, .block = block});
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, HoldsSumsInEveryLane(in));
}

TEST_CASE("butterfly_sum: no findings, in any order", "[butterfly_sum][safety]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto in = summands(3 * 64, 64);
  const auto [launch, out] = launch_butterfly(device, in, {.grid = 3, .block = 64});
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, HoldsSumsInEveryLane(in));
}

// --- What the chapter shows of its kernels ----------------------------------------------------------------

namespace {

template <const LaneShuffle& shuffle, unsigned lanes>
Launch show_shuffle(Device& device, unsigned n) {
  const LaunchShape shape = thread_for_each(n, device.block_or(256));
  const auto in = random_integers(32 * warps_of(shape), n);
  auto [launch, out] = launch_shuffle(device, shuffle, in, shape, lanes);
  if (!launch.is_timed()) require(out, MovesElements(shuffle, in, lanes));
  return std::move(launch);
}
Launch show_butterfly(Device& device, unsigned n) {
  const LaunchShape shape = thread_for_each(n, device.block_or(256));
  const auto in = random_integers(32 * warps_of(shape), n);
  auto [launch, out] = launch_butterfly(device, in, shape);
  if (!launch.is_timed()) require(out, HoldsSumsInEveryLane(in));
  return std::move(launch);
}

const RegisterKernels lane_kernels({
    {.kernel = broadcast,
     .technique = "one lane to all",
     .task = "give every lane the element of one lane of its warp",
     .run = show_shuffle<from_one, 7>,
     .bytes_per_element = 8},
    {.kernel = shift_up,
     .technique = "from the lane below",
     .task = "give every lane the element some lanes below",
     .run = show_shuffle<up, 1>,
     .bytes_per_element = 8},
    {.kernel = shift_down,
     .technique = "from the lane above",
     .task = "give every lane the element some lanes above",
     .run = show_shuffle<down, 1>,
     .bytes_per_element = 8},
    {.kernel = butterfly_sum,
     .technique = "butterfly: all lanes know",
     .task = "give every lane the sum of its warp",
     .run = show_butterfly,
     .bytes_per_element = 8},
});
const RegisterChapter registered(this_chapter("Registers instead of shared memory"));

}  // namespace
