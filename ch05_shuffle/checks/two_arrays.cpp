/// \file What chapter 5 asks of its kernels, fourth part: blocks with two arrays. reduce_argmax writes two
/// (value, index), dot_product reads two (a, b). Contracts: kernels.hpp.

#include <cmath>
#include <utility>

#include "ch05_shuffle/checks/requirements.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

// --- What the kernels compute, told once ------------------------------------------------------------------

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
  };
  return {"holds the largest element of each block", [&in, require_largest](const Buffer<float>& value) {
            ask_with_other_values<float>(value.memory(), {in},
                                         [&](const Floats& values) { require_largest(value, values); });
          }};
}

/// The sum of all out[b] is the sum of a[i] * b[i]; or off by `bound` at most.
auto BlocksAddUpToProducts(std::span<const float> a, std::span<const float> b, double bound = 0) {
  const auto products_with = [b](const Floats& values) {
    std::vector<double> products;
    for (std::size_t i = 0; i < values.size(); ++i)
      products.push_back(static_cast<double>(values[i]) * static_cast<double>(b[i]));
    return products;
  };
  const auto are_exact = [products_with](const Floats& values) {
    const auto products = products_with(values);
    const Floats rounded(products.begin(), products.end());
    return std::equal(products.begin(), products.end(), rounded.begin(),
                      [](double exact, float one) { return is_same(exact, static_cast<double>(one)); }) &&
           add_up_exactly(rounded);
  };
  return ReducesTo<operators::Sum>(
             {a, "a", are_exact},
             [products_with](const Floats& values) { return reduce<operators::Sum>(products_with(values)); },
             "the sums of the blocks add up to")
      .within(bound)
      .of_products("a", "b");
}
/// Each product may round once more than a sum does, and so do the products here.
double products_bound(const Floats& a, const Floats& b, const LaunchShape& shape) {
  Floats products(a);
  for (std::size_t i = 0; i < a.size(); ++i) products[i] *= b[i];
  return sum_error_bound(products, additions_for(a.size(), shape, 2));
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

Written<float> launch_dot(Device& device, const Floats& a, const Floats& b, const LaunchShape& shape) {
  const auto on_device_a = device.upload("a", a), on_device_b = device.upload("b", b);
  auto out = device.poisoned<float>("out", shape.grid.x);
  Launch launch =
      device.launch(dot_product, shape, on_device_a, on_device_b, out, static_cast<unsigned>(a.size()));
  return {std::move(launch), std::move(out)};
}

/// Threads in the first, a middle and the last warp, some at their edges.
std::vector<unsigned> threads_to_try(unsigned block) {
  std::vector<unsigned> threads{0, 5, 31};
  if (block > 32) threads.insert(threads.end(), {32, block / 2 + 7, block - 32, block - 1});
  return threads;
}

}  // namespace

// --- reduce_argmax
// --------------------------------------------------------------------------------------------

TEST_CASE("reduce_argmax: distinct values, at awkward sizes", "[reduce_argmax][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(32u, 64u, 256u, 1024u);
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
  const unsigned block = GENERATE(32u, 64u, 256u, 1024u);
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

TEST_CASE("reduce_argmax: above 2^24", "[reduce_argmax][result]") {
  Device& device = GENERATE(devices());
  if (is_in_another_order()) return;  // too large for more than once, or for observers
  const OtherOptions unobserved(simulated(),
                                [](auto& all) { all.watch = warpwise::simulator::Watch::nothing; });
  constexpr unsigned n = (1u << 24) + 5;  // floats cannot represent all indices up to there
  Floats in(n, -1);
  in[n - 2] = in[n - 4] = 1;  // at odd places
  const auto index = device.poisoned<unsigned>("index", 64);
  const auto value = launch_argmax(device, in, {.grid = 64, .block = 1024}, index).out;
  INFO("the largest near the end");
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

TEST_CASE("reduce_argmax: two stages, at any size", "[reduce_argmax][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(32u, 64u, 256u, 1024u);
  const unsigned n = GENERATE_COPY(some_awkward_sizes(block));
  const unsigned grid = GENERATE_COPY(1u, 3u, ceil_div(n, block) + 2);
  const auto in = random_integers(n, n);
  const auto index = device.poisoned<unsigned>("index", grid);
  const auto [run, value] =
      counted(device, launch_argmax, in, LaunchShape{.grid = grid, .block = block}, index);
  check_two_stages(device, run.launch, 11, 2);
  check_additions_are_shared(run, n);
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

// --- dot_product ------------------------------------------------------------------------------------------

TEST_CASE("dot_product: the sum of products, at awkward sizes", "[dot_product][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(32u, 64u, 256u, 1024u);
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const unsigned grid = GENERATE_COPY(1u, 3u, ceil_div(n, block) + 2);
  const auto a = random_integers(n, seed_of(n, block, 1), -9, 15);
  const auto b = random_integers(n, seed_of(n, block, 2), -9, 15);
  const auto out = launch_dot(device, a, b, {.grid = grid, .block = block}).out;
  CHECK_THAT(out, BlocksAddUpToProducts(a, b));
}

TEST_CASE("dot_product: far more blocks than elements, and n above 2^16", "[dot_product][result]") {
  Device& device = GENERATE(devices());
  const auto [n, grid, block] = GENERATE(
      table<unsigned, unsigned, unsigned>({{33u, 300u, 64u}, {70'001u, 2u, 512u}, {70'001u, 70u, 1024u}}));
  const auto a = random_integers(n, seed_of(n, block, 1), -9, 15);
  const auto b = random_integers(n, seed_of(n, block, 2), -9, 15);
  const auto out = launch_dot(device, a, b, {.grid = grid, .block = block}).out;
  CHECK_THAT(out, BlocksAddUpToProducts(a, b));
}

TEST_CASE("dot_product: in any order", "[dot_product][result]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto [grid, block] = GENERATE(table<unsigned, unsigned>({{2u, 64u}, {1u, 256u}}));
  const auto a = random_integers(1003, seed_of(1003, block, 1), -9, 15);
  const auto b = random_integers(1003, seed_of(1003, block, 2), -9, 15);
  const auto out = launch_dot(device, a, b, {.grid = grid, .block = block}).out;
  CHECK_THAT(out, BlocksAddUpToProducts(a, b));
}

TEST_CASE("dot_product: floats that round", "[dot_product][result]") {
  Device& device = GENERATE(devices());
  const LaunchShape shape{.grid = 3, .block = 256};
  const auto a = random_floats(5000, 1), b = random_floats(5000, 2);
  const auto out = launch_dot(device, a, b, shape).out;
  INFO("real floats");
  CHECK_THAT(out, BlocksAddUpToProducts(a, b, products_bound(a, b, shape)));
}

TEST_CASE("dot_product: special values", "[dot_product][result]") {
  Device& device = GENERATE(devices());
  const auto a = special_values(), b = random_integers(special_n, 7);
  const auto out = launch_dot(device, a, b, special_shape).out;
  CHECK_THAT(out, BlocksAddUpToProducts(a, b));
}

// 0 times infinity is NaN, whichever of the two is 0.
TEST_CASE("dot_product: 0 times infinity", "[dot_product][result]") {
  Device& device = GENERATE(devices());
  auto a = random_integers(special_n, 3), b = random_integers(special_n, 4);
  const unsigned place = GENERATE(0u, special_n - 1);
  a[place] = 0, b[place] = infinity;
  if (GENERATE(false, true)) std::swap(a, b);
  const auto out = launch_dot(device, a, b, special_shape).out;
  CHECK_THAT(out, BlocksAddUpToProducts(a, b));
}

TEST_CASE("dot_product: a and b start at any float", "[dot_product][result]") {
  Device& device = GENERATE(devices());
  const unsigned offset = GENERATE(1u, 2u, 3u);
  const auto values = random_integers(special_n + 3, offset);
  const auto a = device.upload("a", values), b = device.upload("b", values);
  const auto out = device.poisoned<float>("out", special_shape.grid.x);
  device.launch(dot_product, special_shape, a.from(offset), b.from(3 - offset), out, special_n);
  const std::span<const float> all(values);
  INFO("a starts at float " << offset);
  CHECK_THAT(out, BlocksAddUpToProducts(all.subspan(offset, special_n), all.subspan(3 - offset, special_n)));
}

TEST_CASE("dot_product: two stages", "[dot_product][technique]") {
  SimulatedDevice& device = simulated();
  constexpr unsigned n = 1u << 18;
  constexpr LaunchShape shape{.grid = 16, .block = 256};
  const auto a = random_integers(n, n), b = random_integers(n, n + 1);
  const auto [run, out] = counted(device, launch_dot, a, b, shape);
  CHECK_THAT(run.launch, ReadsNeighboursOnce(2 * n));
  CHECK_THAT(run.work, IsSharedOut(2 * 4.0 * n));
  check_two_stages(device, run.launch, 5, 1);
  CHECK_THAT(out, BlocksAddUpToProducts(a, b, products_bound(a, b, shape)));
}

TEST_CASE("dot_product: two stages, at any size", "[dot_product][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(32u, 64u, 256u, 1024u);
  const unsigned n = GENERATE_COPY(some_awkward_sizes(block));
  const unsigned grid = GENERATE_COPY(1u, 3u, ceil_div(n, block) + 2);
  const auto a = random_integers(n, n), b = random_integers(n, n + 1);
  const auto [run, out] = counted(device, launch_dot, a, b, LaunchShape{.grid = grid, .block = block});
  check_two_stages(device, run.launch, 5, 1);
  check_additions_are_shared(run, n);
  CHECK_THAT(out, BlocksAddUpToProducts(a, b));
}

TEST_CASE("dot_product: no findings", "[dot_product][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(0u, 1u, 33u, 1025u, 3 * block - 1);
  const unsigned grid = GENERATE(1u, 3u);
  const auto a = random_integers(n, n), b = random_integers(n, n + 1);
  const auto [launch, out] = launch_dot(device, a, b, {.grid = grid, .block = block});
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, BlocksAddUpToProducts(a, b));
}

TEST_CASE("dot_product: no findings, in any order", "[dot_product][safety]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto [grid, block] = GENERATE(table<unsigned, unsigned>({{2u, 64u}, {1u, 256u}}));
  const auto a = random_integers(1003, 1003), b = random_integers(1003, 1004);
  const auto [launch, out] = launch_dot(device, a, b, {.grid = grid, .block = block});
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, BlocksAddUpToProducts(a, b));
}

namespace {

/// The launches that are shown, counted and, on a GPU, timed.
Launch show_argmax(Device& device, unsigned n) {
  const LaunchShape shape = walking_grid(device, n, device.block_or(256));
  const auto in = random_integers(n, n);
  const auto index = device.poisoned<unsigned>("index", shape.grid.x);
  auto [launch, value] = launch_argmax(device, in, shape, index);
  if (!launch.is_timed()) require(value, HoldsLargest(in, index));
  return std::move(launch);
}
Launch show_dot(Device& device, unsigned n) {
  const LaunchShape shape = walking_grid(device, n, device.block_or(256));
  const auto a = random_integers(n, n), b = random_integers(n, n + 1);
  auto [launch, out] = launch_dot(device, a, b, shape);
  const double bound = n <= (1u << 24) / (15 * 15) ? 0 : products_bound(a, b, shape);
  if (!launch.is_timed()) require(out, BlocksAddUpToProducts(a, b, bound));
  return std::move(launch);
}

const RegisterKernels two_array_kernels({
    {.kernel = reduce_argmax,
     .technique = "two shuffles per step",
     .task = "find the largest element and the lowest index it has",
     .run = show_argmax},
    {.kernel = dot_product,
     .technique = "a product for each element",
     .task = "sum a[i] * b[i] over what each block takes",
     .run = show_dot,
     .bytes_per_element = 8},
});

}  // namespace
