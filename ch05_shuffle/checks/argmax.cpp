/// \file What chapter 5 asks of reduce_argmax, of which each block writes two arrays, value and index.
/// Contract: kernels.hpp.

#include <cmath>
#include <utility>

#include "ch05_shuffle/checks/requirements.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

/// What argmax finds, as the contract says.
struct Found {
  float value = -infinity;
  unsigned index = 0xffffffffu;

  void look_at(float other, unsigned at) {
    if (std::isnan(other)) return;
    if (other > value || (other == value && at < index)) *this = {other, at};
  }
};

/// value[b] and index[b] of each block are one of the elements of `in`, or no element; and of all blocks the
/// largest is that of `in`, at its lowest index.
Requirement<Buffer<float>> HoldsLargest(const Floats& in, const Buffer<unsigned>& index) {
  const auto require_largest = [&index](const Buffer<float>& value, const Floats& values) {
    const auto require_that = [&](bool holds, const std::string& sentence) {
      if (!holds) fail(sentence, {.where = spelled(case_of(value.memory(), values.size(), 0))});
    };
    Found expected, best;
    for (unsigned i = 0; const float one : values) expected.look_at(one, i++);
    const auto found_values = download_written(value, case_of(value.memory(), values.size(), 0));
    const auto indices = download_written(index, case_of(value.memory(), values.size(), 0));
    for (unsigned b = 0; b < found_values.size(); ++b) {
      const float found = found_values[b];
      const unsigned at = indices[b];
      const std::string block = "block " + std::to_string(b) + " ";
      require_that(!std::isnan(found), block + "found NaN, which is never the largest");
      if (at == 0xffffffffu) {
        require_that(found == -infinity, block + "has a value without an index");
        continue;
      }
      require_that(at < values.size() && values[at] == found,
                   block + "says index " + std::to_string(at) + ", but that element has another value");
      best.look_at(found, at);
    }
    require_that(best.value == expected.value && best.index == expected.index,
                 "the largest is " + text_of(expected.value) + " at index " + std::to_string(expected.index) +
                     ", but the kernel found " + text_of(best.value) + " at index " +
                     std::to_string(best.index));
    note_right(spelled(case_of(value.memory(), values.size(), 0)),
               {.kind = Judgement::Kind::tried, .sentence = "values decide which element is the largest"});
  };
  return {"holds the largest element of each block", [&in, require_largest](const Buffer<float>& value) {
            ask_with_other_values<float>(value.memory(), {in},
                                         [&](const Floats& values) { require_largest(value, values); });
          }};
}

/// `index` has one for each block, in which nothing is written.
Written<float> launch_argmax(Device& device, const Floats& in, const LaunchShape& shape,
                             const Buffer<unsigned>& index) {
  const auto on_device = device.upload("in", in);
  auto value = device.poisoned<float>("value", shape.grid.x);
  Launch launch =
      device.launch(reduce_argmax, shape, on_device, value, index, static_cast<unsigned>(in.size()));
  return {std::move(launch), std::move(value)};
}

/// Threads in the first, a middle and the last warp, some at their edges.
std::vector<unsigned> threads_to_try(unsigned block) {
  std::vector<unsigned> threads{0, 5, 31};
  if (block > 32) threads.insert(threads.end(), {32, block / 2 + 7, block - 32, block - 1});
  return threads;
}

}  // namespace

TEST_CASE("reduce_argmax: distinct values, at awkward sizes", "[reduce_argmax][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(blocks_also_from_code({32, 64, 256, 1024}));
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const unsigned grid = GENERATE_COPY(1u, 3u, ceil_div(n, block) + 2);
  const auto in = random_floats(n, seed_of(n, block));
  const auto index = device.poisoned<unsigned>("index", grid);
  const auto value = launch_argmax(device, in, {.grid = grid, .block = block}, index).out;
  INFO("distinct values");
  CHECK_THAT(value, HoldsLargest(in, index));
}

TEST_CASE("reduce_argmax: equal values, at awkward sizes", "[reduce_argmax][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(blocks_also_from_code({32, 64, 256, 1024}));
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const unsigned grid = GENERATE_COPY(1u, 3u, ceil_div(n, block) + 2);
  const auto in = random_integers(n, seed_of(n, block), -3, -1);
  const auto index = device.poisoned<unsigned>("index", grid);
  const auto value = launch_argmax(device, in, {.grid = grid, .block = block}, index).out;
  INFO("many equal values");
  CHECK_THAT(value, HoldsLargest(in, index));
}

TEST_CASE("reduce_argmax: far more blocks than elements, and n above 2^16", "[reduce_argmax][result]") {
  Device& device = GENERATE(devices());
  const auto [n, grid, block] = GENERATE(
      table<unsigned, unsigned, unsigned>({{33u, 300u, 64u}, {70'001u, 2u, 512u}, {70'001u, 70u, 1024u}}));
  Floats in;
  SECTION("distinct values") { in = random_floats(n, seed_of(n, block)); }
  SECTION("many equal values") { in = random_integers(n, seed_of(n, block), -3, -1); }
  const auto index = device.poisoned<unsigned>("index", grid);
  const auto value = launch_argmax(device, in, {.grid = grid, .block = block}, index).out;
  CHECK_THAT(value, HoldsLargest(in, index));
}

TEST_CASE("reduce_argmax: in any order", "[reduce_argmax][result]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto [grid, block] = GENERATE(table<unsigned, unsigned>({{2u, 64u}, {1u, 256u}}));
  const auto in = random_floats(1003, seed_of(1003, block));
  const auto index = device.poisoned<unsigned>("index", grid);
  const auto value = launch_argmax(device, in, {.grid = grid, .block = block}, index).out;
  INFO("distinct values");
  CHECK_THAT(value, HoldsLargest(in, index));
}

// Of many equal values, one of the first round wins, and there the lower index is in the lower lane and the
// lower warp. So here only two values are equal, and the later one is in any lane and warp, above or below
// those of the earlier one.
TEST_CASE("reduce_argmax: two equal values", "[reduce_argmax][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = 6 * block + 5;
  const auto others = random_integers(n, seed_of(n, block), -9, -1);
  unsigned round = 0;
  for (const unsigned earlier : threads_to_try(block))
    for (const unsigned later : threads_to_try(block)) {
      round = round % 5 + 1;
      auto in = others;
      in[earlier] = in[round * block + later] = 1;
      const auto index = device.poisoned<unsigned>("index", 1);
      const auto value = launch_argmax(device, in, {.grid = 1, .block = block}, index).out;
      INFO("two equal values");
      REQUIRE_THAT(value, HoldsLargest(in, index));
    }
}

TEST_CASE("reduce_argmax: no number", "[reduce_argmax][result]") {
  Device& device = GENERATE(devices());
  const unsigned n = GENERATE(1u, 33u, 1000u);
  const unsigned grid = GENERATE_COPY(1u, 3u, ceil_div(n, 128) + 2);
  Floats in(n, -infinity);
  SECTION("all -infinity") {}
  SECTION("all NaN") { in.assign(n, not_a_number); }
  SECTION("NaN, and then -infinity") { std::fill_n(in.begin(), n / 6, not_a_number); }
  SECTION("two of three are NaN") {
    in = random_floats(n, n);
    for (unsigned i = 0; i < n; ++i)
      if (i % 3 != 1) in[i] = i % 2 == 0 ? not_a_number : -not_a_number;
  }
  const auto index = device.poisoned<unsigned>("index", grid);
  const auto value = launch_argmax(device, in, {.grid = grid, .block = 128}, index).out;
  CHECK_THAT(value, HoldsLargest(in, index));
}

TEST_CASE("reduce_argmax: infinities and zeros", "[reduce_argmax][result]") {
  Device& device = GENERATE(devices());
  const unsigned grid = GENERATE(1u, 3u, 10u);
  auto in = random_integers(1000, 1, -9, -1);
  for (const unsigned i : {700u, 130u, 999u, 401u}) in[i] = i % 2 == 0 ? -0.0f : 0.0f;
  SECTION("zeros of either sign") {}  // which are equal
  SECTION("infinities") { in[999] = in[600] = infinity, in[0] = -infinity; }
  const auto index = device.poisoned<unsigned>("index", grid);
  const auto value = launch_argmax(device, in, {.grid = grid, .block = 128}, index).out;
  CHECK_THAT(value, HoldsLargest(in, index));
}

TEST_CASE("reduce_argmax: in starts at any float", "[reduce_argmax][result]") {
  Device& device = GENERATE(devices());
  Floats in = random_floats(special_n + 1, 1);
  const auto all = device.upload("in", in);
  in.erase(in.begin());
  const auto value = device.poisoned<float>("value", special_shape.grid.x);
  const auto index = device.poisoned<unsigned>("index", special_shape.grid.x);
  device.launch(reduce_argmax, special_shape, all.from(1), value, index, special_n);
  INFO(start_of(1));
  CHECK_THAT(value, HoldsLargest(in, index));
}

// Value and index take two shuffles per step and two words per warp. One more may tell a stage's result.
TEST_CASE("reduce_argmax: two stages", "[reduce_argmax][technique]") {
  SimulatedDevice& device = simulated();
  constexpr unsigned n = 1u << 18;
  const auto in = random_integers(n, n);
  const auto index = device.poisoned<unsigned>("index", 16);
  const auto [run, value] = counted(device, launch_argmax, in, LaunchShape{.grid = 16, .block = 256}, index);
  CHECK_THAT(run.launch, ReadsNeighboursOnce(n));
  CHECK_THAT(run.work, IsSharedOut(4.0 * n));
  check_two_stages(device, run.launch, 11, 2);
  CHECK_THAT(value, HoldsLargest(in, index));
}

TEST_CASE("reduce_argmax: shares of any n", "[reduce_argmax][technique]") {
  const LaunchShape shape = GENERATE(uneven_shares());
  const auto in = random_integers(*shape.n, 1);
  const auto index = simulated().poisoned<unsigned>("index", shape.grid.x);
  const auto [run, value] = counted(simulated(), launch_argmax, in, shape, index);
  CHECK_THAT(run.work, IsSharedOut(4.0 * in.size()));
  CHECK_THAT(run.work, LoadsNeighbours());
  CHECK_THAT(value, HoldsLargest(in, index));
}

TEST_CASE("reduce_argmax: two stages, at any size", "[reduce_argmax][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(some_awkward_sizes(block));
  const unsigned grid = GENERATE_COPY(1u, 3u, ceil_div(n, block) + 2);
  const auto in = random_integers(n, n);
  const auto index = device.poisoned<unsigned>("index", grid);
  const auto [run, value] =
      counted(device, launch_argmax, in, LaunchShape{.grid = grid, .block = block}, index);
  check_two_stages(device, run.launch, 11, 2);
  check_joins_are_shared(run, n);
  CHECK_THAT(value, HoldsLargest(in, index));
}

TEST_CASE("reduce_argmax: no findings", "[reduce_argmax][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(0u, 1u, 33u, 1025u, 3 * block - 1);
  const unsigned grid = GENERATE(1u, 3u);
  const auto in = random_integers(n, n);
  const auto index = device.poisoned<unsigned>("index", grid);
  const auto [launch, value] = launch_argmax(device, in, {.grid = grid, .block = block}, index);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(value, HoldsLargest(in, index));
}

TEST_CASE("reduce_argmax: no findings, in any order", "[reduce_argmax][safety]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto [grid, block] = GENERATE(table<unsigned, unsigned>({{2u, 64u}, {1u, 256u}}));
  const auto in = random_integers(1003, 1003);
  const auto index = device.poisoned<unsigned>("index", grid);
  const auto [launch, value] = launch_argmax(device, in, {.grid = grid, .block = block}, index);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(value, HoldsLargest(in, index));
}

namespace {

/// The launch that is shown, counted and, on a GPU, timed.
Launch show_argmax(Device& device, unsigned n) {
  const LaunchShape shape = walking_grid(device, n, device.block_or(256));
  const auto in = random_integers(n, n);
  const auto index = device.poisoned<unsigned>("index", shape.grid.x);
  auto [launch, value] = launch_argmax(device, in, shape, index);
  if (!launch.is_timed()) require(value, HoldsLargest(in, index));
  return std::move(launch);
}

const RegisterKernels argmax_kernel({{.kernel = reduce_argmax,
                                      .technique = "two shuffles per step",
                                      .task = "find the largest element and the lowest index it has",
                                      .run = show_argmax}});

}  // namespace
