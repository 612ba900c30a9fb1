/// \file What chapter 5 asks at the largest n: of the grid some blocks run alone (any_size.hpp). That the way
/// to the roof has even shares where n leaves a rest. And that what lies beside an array is not read.

#include <span>
#include <string>
#include <vector>

#include "ch05_shuffle/checks/requirements.hpp"
#include "common/harness/check/any_size.hpp"

namespace warpwise::ch05::largest {

using namespace harness;

namespace {

constexpr unsigned block = 256, grid = largest_n / block;  // a thread for each element

// --- Inside a warp ----------------------------------------------------------------------------------------

/// Those of a warp.
using Lanes = std::vector<float>;
/// out[i] is what `expected(lanes, lane)` says of this lane of its warp.
template <class... Arguments, class Expected>
void check_lanes(const Kernel<void(const float*, float*, Arguments...)>& kernel, Expected expected,
                 Arguments... arguments) {
  SimulatedDevice& device = simulated_at_any_size();
  const SomeBlocks some(device, grid, numbers_in_code());
  const LargeInput<float> in(device, "in", largest_n, numbers_by_index<float>(-999, 1000));
  const auto out = device.reserved<float>("out", largest_n);
  device.launch(kernel, {.grid = grid, .block = block}, in, out, arguments...);
  CHECK_THAT(out, HoldsOfBlocks(some, largest_n, block, [&](std::uint64_t b) {
               std::vector<double> lanes;
               for (unsigned t = 0; t < block; ++t)
                 lanes.push_back(expected(in.part(b * block + t / 32 * 32, 32), t % 32));
               return lanes;
             }));
}

constexpr unsigned distance = 3;

/// out[w] is the reduction of the 32 elements of warp w. Two elements are missing in the last one.
template <class Operator, class T>
void check_warps(const InOutKernel<T>& kernel, std::function<T(std::size_t)> value) {
  SimulatedDevice& device = simulated_at_any_size();
  constexpr unsigned n = largest_n - 2;
  const SomeBlocks some(device, grid, numbers_in_code());
  const LargeInput<T> in(device, "in", n, std::move(value));
  const auto out = device.reserved<T>("out", largest_n / 32);
  device.launch(kernel, {.grid = grid, .block = block, .n = n}, in, out, n);
  CHECK_THAT(out, HoldsOfBlocks(some, n, block / 32, [&](std::uint64_t b) {
               return block_reductions<Operator>(in.part(b * block, block), 32);
             }));
}

/// All but about one word in 40 are `usual`, the others have another bit.
template <class Word>
std::function<Word(std::size_t)> words(Word usual) {
  return [=](std::size_t i) {
    const std::uint64_t draw = seed_of(run_seed(), i);
    return draw % 40 != 0 ? usual : usual ^ Word { 1 } << draw / 64 % (8 * sizeof(Word));
  };
}

// --- Blocks that divide the elements ----------------------------------------------------------------------

/// 64 elements for each thread: enough for each block to get a fair share.
constexpr unsigned few_threads = 32, few_blocks = largest_n / few_threads / 64;

/// A launch of these blocks, which divide the elements among them; and others in grids so large that several
/// steps at once wrap around, to elements that are there.
Generator<LaunchShape> dividing_blocks() {
  std::vector<LaunchShape> shapes{{.grid = few_blocks, .block = few_threads, .n = largest_n}};
  for (auto grids = grids_that_wrap(few_threads);;) {
    shapes.push_back({.grid = grids.get(), .block = few_threads, .n = largest_n / 32});
    if (!grids.next()) return Catch::Generators::from_range(shapes);
  }
}

/// What each block has taken of the elements of `name`.
template <class... Parameters, class... Arguments>
Taken taken_by(const SomeBlocks& some, const std::string& name, const Kernel<void(Parameters...)>& kernel,
               const LaunchShape& shape, const Arguments&... arguments) {
  const unsigned n = *shape.n;
  Taken taken = taken_of(simulated(), name, [&] { simulated().launch(kernel, shape, arguments..., n); });
  if (n < largest_n) return taken;
  CHECK_THAT(taken, DividesElements(n));
  CHECK_THAT(taken, IsFairlyTaken(some, n, shape.grid.x));
  return taken;
}

// --- To the roof ------------------------------------------------------------------------------------------

constexpr unsigned large_grid = 100'000;  // two tiles for the first of them, one for the others

/// The threads of block b hand out what it has taken. `count`: of tiles or of elements, from `offset` on.
void check_shares(const SharesKernel& kernel, unsigned offset, unsigned count) {
  SimulatedDevice& device = simulated_at_any_size();
  const SomeBlocks some(device, large_grid, numbers_in_code());
  const LargeInput<float> in(device, "in", largest_n, numbers_by_index<float>());
  const auto out = device.reserved<float>("out", std::size_t{large_grid} * roof_threads);
  Taken taken = taken_of(device, "in",
                         [&] { device.launch(kernel, roof_shape(large_grid), in.from(offset), out, count); });
  std::erase_if(taken.of(0), [&](std::size_t i) { return i < offset; });  // who reads those is told elsewhere
  INFO(start_of(offset));
  for (const std::uint64_t b : some.numbers()) {
    const auto shares = out.download(b * roof_threads, roof_threads);
    const double found = sum(shares), expected = sum(taken.part(in, b));
    CHECK_THAT(found, IsSame(expected, "n = " + std::to_string(largest_n - offset) +
                                           ": the shares of block " + std::to_string(b) + " add up to "));
  }
  CHECK_THAT(taken, DividesElements(largest_n));
}

}  // namespace

TEST_CASE("broadcast: the largest grid", "[broadcast][result]") {
  check_lanes(
      broadcast, [](const Lanes& in, unsigned) { return in[5]; }, 5u);
}
TEST_CASE("shift_up: the largest grid", "[shift_up][result]") {
  check_lanes(
      shift_up, [](const Lanes& in, unsigned lane) { return in[lane < distance ? lane : lane - distance]; },
      distance);
}
TEST_CASE("shift_down: the largest grid", "[shift_down][result]") {
  check_lanes(
      shift_down,
      [](const Lanes& in, unsigned lane) { return in[lane + distance > 31 ? lane : lane + distance]; },
      distance);
}
TEST_CASE("butterfly_sum: the largest grid", "[butterfly_sum][result]") {
  check_lanes(butterfly_sum, [](const Lanes& in, unsigned) { return sum(in); });
}

TEST_CASE("warp_reduce_sum: the largest n", "[warp_reduce_sum][result]") {
  check_warps<operators::Sum>(warp_reduce_sum, numbers_by_index<float>());
}
TEST_CASE("warp_reduce_product: the largest n", "[warp_reduce_product][result]") {
  // Products of 32 of them are exact.
  check_warps<operators::Product, float>(warp_reduce_product, [](std::size_t i) {
    constexpr float factors[] = {-1.0f, 2.0f, 0.5f};
    return factors[seed_of(run_seed(), i) % 3];
  });
}
TEST_CASE("warp_reduce_max: the largest n", "[warp_reduce_max][result]") {
  check_warps<operators::Max>(warp_reduce_max, numbers_by_index<float>(-99999, 99999));
}
TEST_CASE("warp_reduce_min: the largest n", "[warp_reduce_min][result]") {
  check_warps<operators::Min>(warp_reduce_min, numbers_by_index<float>(-99999, 99999));
}
TEST_CASE("warp_reduce_and: the largest n", "[warp_reduce_and][result]") {
  check_warps<operators::LogicalAnd, unsigned>(
      warp_reduce_and, [](std::size_t i) { return seed_of(run_seed(), i) % 40 == 0 ? 0u : 4u; });
}
TEST_CASE("warp_reduce_or: the largest n", "[warp_reduce_or][result]") {
  check_warps<operators::LogicalOr>(warp_reduce_or, words(0u));
}
TEST_CASE("warp_reduce_bit_and: the largest n", "[warp_reduce_bit_and][result]") {
  check_warps<operators::BitAnd>(warp_reduce_bit_and, words(~0u));
}
TEST_CASE("warp_reduce_bit_or: the largest n", "[warp_reduce_bit_or][result]") {
  check_warps<operators::BitOr>(warp_reduce_bit_or, words(0u));
}

TEST_CASE("reduce_shuffle: the largest n", "[reduce_shuffle][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const LaunchShape shape = GENERATE(dividing_blocks());
  const SomeBlocks some(device, shape.grid.x, numbers_in_code());
  const LargeInput<float> in(device, "in", *shape.n, numbers_by_index<float>());
  const auto out = device.reserved<float>("out", shape.grid.x);
  const Taken taken = taken_by(some, "in", reduce_shuffle, shape, in, out);
  CHECK_THAT(out, ReducesTaken<operators::Sum>(some, in, taken));
}

TEST_CASE("reduce_atomic: the largest n", "[reduce_atomic][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const LaunchShape shape = GENERATE(dividing_blocks());
  const SomeBlocks some(device, shape.grid.x, numbers_in_code());
  const LargeInput<float> in(device, "in", *shape.n, numbers_by_index<float>());
  const auto total = device.zeroed<float>("total", 1);
  const Taken taken = taken_by(some, "in", reduce_atomic, shape, in, total);
  double expected = 0;
  for (const std::uint64_t b : some.numbers()) expected += sum(taken.part(in, b));
  CHECK_THAT(total, Holds(expected));
}

TEST_CASE("reduce_argmax: the largest n", "[reduce_argmax][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const LaunchShape shape = GENERATE(dividing_blocks());
  const SomeBlocks some(device, shape.grid.x, numbers_in_code());
  const LargeInput<float> in(device, "in", *shape.n, numbers_by_index<float>(-20, 20));  // often equal
  const auto value = device.reserved<float>("value", shape.grid.x);
  const auto index = device.reserved<unsigned>("index", shape.grid.x);
  Taken taken = taken_by(some, "in", reduce_argmax, shape, in, value, index);
  CHECK_THAT(value, ReducesTaken<operators::Max>(some, in, taken));
  CHECK_THAT(index, HoldsOfBlocks(some, *shape.n, 1, [&](std::uint64_t b) {
               std::size_t best = 0xffffffffu;  // the first of equals
               for (const std::size_t i : taken.of(b))
                 if (best == 0xffffffffu || in[i] > in[best]) best = i;
               return std::vector{best};
             }));
}

TEST_CASE("dot_product: the largest n", "[dot_product][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const LaunchShape shape = GENERATE(dividing_blocks());
  const SomeBlocks some(device, shape.grid.x, numbers_in_code());
  const LargeInput<float> a(device, "a", *shape.n, numbers_by_index<float>());
  const LargeInput<float> b(device, "b", *shape.n, numbers_by_index<float>(1, 15, 2));
  const auto out = device.reserved<float>("out", shape.grid.x);
  Taken taken = taken_by(some, "a", dot_product, shape, a, b, out);
  CHECK_THAT(out, HoldsOfBlocks(some, *shape.n, 1, [&](std::uint64_t one) {
               double dot = 0;
               for (const std::size_t i : taken.of(one)) dot += double{a[i]} * double{b[i]};
               return std::vector{dot};
             }));
}

TEST_CASE("sum_tiles: the largest n", "[sum_tiles][result]") {
  check_shares(sum_tiles, 0, largest_n / (4 * roof_loads * roof_threads));
}
TEST_CASE("sum_wide: the largest n", "[sum_wide][result]") {
  constexpr unsigned offset = 3;
  check_shares(sum_wide, offset, largest_n - offset);
}

// The blocks that do not run have left 3 each, and drawn their tickets.
TEST_CASE("reduce_to_the_roof: the largest n", "[reduce_to_the_roof][result]") {
  SimulatedDevice& device = simulated_at_any_size();
  const SomeBlocks some(device, large_grid, numbers_in_code());
  const auto others = static_cast<unsigned>(large_grid - some.numbers().size());
  const LargeInput<float> in(device, "in", largest_n, numbers_by_index<float>());
  const auto out = device.poisoned<float>("out", 1);
  const auto partials = device.upload("partials", std::vector<float>(large_grid, 3));
  const auto ticket = device.upload("ticket", std::vector<unsigned>{others});
  LaunchShape shape = roof_shape(large_grid);
  shape.n = largest_n;
  const Taken taken = taken_of(
      device, "in", [&] { device.launch(reduce_to_the_roof, shape, in, out, largest_n, partials, ticket); });
  CHECK_THAT(taken, DividesElements(largest_n));
  ticket.download();  // looked at, even where nothing is compared
  // Who counts blocks down, or elsewhere, as the contract allows, cannot be told of those that do not run.
  if (!out.is_written(0)) return;
  double expected = 3.0 * others;
  for (const std::uint64_t b : some.numbers()) expected += sum(taken.part(in, b));
  CHECK_THAT(out, Holds(expected));
}

TEST_CASE("sum_tiles: several loads at once, of one tile", "[sum_tiles][technique]") {
  constexpr unsigned tiles = 4, n = tiles * 4 * roof_loads * roof_threads;
  const auto in = random_integers(n, 4);
  const auto [launch, out] =
      launch_shares(simulated(), sum_tiles, simulated().upload("in", in), 0, tiles, tiles);
  CHECK_THAT(launch.count(&Counters::global_load_requests) / launch.count(&Counters::branches).value(),
             AtLeast(1, "loads for each branch", "those of a tile are on their way together"));
  CHECK_THAT(out, AddsUpTo(in));
}

// Nobody but the last block has more to do where there are many.
TEST_CASE("reduce_to_the_roof: barriers of the last of many blocks", "[reduce_to_the_roof][technique]") {
  SimulatedDevice& device = simulated();
  const OtherOptions first_alone(device, [](auto& options) { options.launch.only_blocks = {0}; });
  const auto in = device.upload("in", random_integers(5, 5));
  const auto out = device.poisoned<float>("out", 1);
  const auto partials = device.upload("partials", std::vector<float>(large_grid, 3));
  const auto ticket = device.upload("ticket", std::vector<unsigned>{large_grid - 1});
  const Launch launch =
      device.launch(reduce_to_the_roof, roof_shape(large_grid), in, out, 5u, partials, ticket);
  CHECK_THAT(launch.count(&Counters::block_barriers),
             AtMost(8, "block barriers of the last of 100000 blocks", "a few, and none in a loop"));
  device.mark_read(launch);
}

// --- Shares of an n that leaves a rest --------------------------------------------------------------------

namespace {

/// Where each of 20 blocks gets its 16 tiles, 19 are left, which are too many for one.
constexpr unsigned uneven_blocks = 20, uneven_tiles = uneven_blocks * 17 - 1;
constexpr unsigned uneven_n = uneven_tiles * 4 * roof_loads * roof_threads + 3;

/// `left_out`: of the last elements.
void check_even_shares(const SharesKernel& kernel, unsigned left_out, unsigned count) {
  SimulatedDevice& device = simulated();
  const auto in = device.upload("in", many_elements());
  const auto [run, out] = counted(device, launch_shares, kernel, in, 0u, count, uneven_blocks);
  CHECK_THAT(run.work, IsSharedOut(4.0 * uneven_n));
  CHECK_THAT(out, AddsUpTo(std::span(many_elements()).first(uneven_n - left_out)));
}

}  // namespace

TEST_CASE("sum_tiles: shares of any number of tiles", "[sum_tiles][technique]") {
  check_even_shares(sum_tiles, 3, uneven_tiles);
}
TEST_CASE("sum_wide: shares of any n", "[sum_wide][technique]") { check_even_shares(sum_wide, 0, uneven_n); }
TEST_CASE("reduce_to_the_roof: shares of any n", "[reduce_to_the_roof][technique]") {
  SimulatedDevice& device = simulated();
  const auto in = device.upload("in", many_elements());
  const auto [run, out] =
      counted(device, launch_roof, in, 0u, uneven_n, uneven_blocks, RoofScratch(device, uneven_blocks));
  CHECK_THAT(run.work, IsSharedOut(4.0 * uneven_n));
  CHECK_THAT(out, Holds(sum(std::span(many_elements()).first(uneven_n))));
}

// --- What is absent ---------------------------------------------------------------------------------------

// What lies before an array in the same 16 bytes is not read, not even to be dropped.
TEST_CASE("reduce_shuffle: nothing before in is read", "[reduce_shuffle][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned offset = GENERATE(1u, 2u, 3u);
  const auto values = random_integers(special_n + offset, offset);
  const auto in = device.upload_where("in", values, [&](std::size_t i) { return i >= offset; });
  const auto out = device.poisoned<float>("out", 2);
  const Launch launch = device.launch(reduce_shuffle, {.grid = 2, .block = 64, .n = special_n},
                                      in.from(offset), out, special_n);
  INFO(start_of(offset));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, AddsUpTo(std::span(values).subspan(offset)));
}
TEST_CASE("sum_wide: nothing before in is read", "[sum_wide][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned offset = GENERATE(1u, 2u, 3u);
  const unsigned count = GENERATE(1u, 5u, 1023u);
  const auto values = random_integers(count + offset, count);
  const auto in = device.upload_where("in", values, [&](std::size_t i) { return i >= offset; });
  const auto [launch, out] = launch_shares(device, sum_wide, in, offset, count, 2);
  INFO(start_of(offset));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, AddsUpTo(std::span(values).subspan(offset)));
}
TEST_CASE("reduce_to_the_roof: nothing before in is read", "[reduce_to_the_roof][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned offset = GENERATE(1u, 2u, 3u);
  const unsigned count = GENERATE(1u, 5u, 1023u);
  const auto values = random_integers(count + offset, count);
  const auto in = device.upload_where("in", values, [&](std::size_t i) { return i >= offset; });
  const auto [launch, out] = launch_roof(device, in, offset, count, 2, RoofScratch(device, 2));
  INFO(start_of(offset));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, Holds(sum(std::span(values).subspan(offset))));
}

}  // namespace warpwise::ch05::largest
