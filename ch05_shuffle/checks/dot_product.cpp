/// \file What chapter 5 asks of dot_product, which reads two arrays, a and b. Contract: kernels.hpp.

#include <utility>

#include "ch05_shuffle/checks/requirements.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

/// The sum of all out[b] is the sum of a[i] * b[i]; or off by `bound` at most.
auto BlocksAddUpToProducts(std::span<const float> a, std::span<const float> b, double bound = 0) {
  const auto products_with = [](std::span<const float> others, const Floats& values) {
    std::vector<double> products;
    for (std::size_t i = 0; i < values.size(); ++i)
      products.push_back(static_cast<double>(values[i]) * static_cast<double>(others[i]));
    return products;
  };
  const auto are_exact_with = [products_with](std::span<const float> others) {
    return [=](const Floats& values) {
      const auto products = products_with(others, values);
      const Floats rounded(products.begin(), products.end());
      return std::equal(products.begin(), products.end(), rounded.begin(),
                        [](double exact, float one) { return is_same(exact, static_cast<double>(one)); }) &&
             add_up_exactly(rounded);
    };
  };
  const auto sum_with = [products_with](std::span<const float> others) {
    return [=](const Floats& values) { return reduce<operators::Sum>(products_with(others, values)); };
  };
  return ReducesTo<operators::Sum>({a, "a", are_exact_with(b)}, sum_with(b),
                                   "the sums of the blocks add up to")
      .and_with({b, "b", are_exact_with(a)}, sum_with(a))
      .within(bound)
      .of_products("a", "b");
}
/// Each product may round once more than a sum does, and so do the products here.
double products_bound(const Floats& a, const Floats& b, const LaunchShape& shape) {
  Floats products(a);
  for (std::size_t i = 0; i < a.size(); ++i) products[i] *= b[i];
  return sum_error_bound(products, additions_for(a.size(), shape, 2));
}

Written<float> launch_dot(Device& device, const Floats& a, const Floats& b, const LaunchShape& shape) {
  const auto on_device_a = device.upload("a", a), on_device_b = device.upload("b", b);
  auto out = device.poisoned<float>("out", shape.grid.x);
  Launch launch =
      device.launch(dot_product, shape, on_device_a, on_device_b, out, static_cast<unsigned>(a.size()));
  return {std::move(launch), std::move(out)};
}

}  // namespace

TEST_CASE("dot_product: the sum of products, at awkward sizes", "[dot_product][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(blocks_also_from_code({32, 64, 256, 1024}));
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

TEST_CASE("dot_product: shares of any n", "[dot_product][technique]") {
  const LaunchShape shape = GENERATE(uneven_shares());
  const auto a = random_integers(*shape.n, 1, 1, 3), b = random_integers(*shape.n, 2, 1, 3);
  const auto [run, out] = counted(simulated(), launch_dot, a, b, shape);
  CHECK_THAT(run.work, IsSharedOut(2 * 4.0 * a.size()));
  CHECK_THAT(run.work, LoadsNeighbours());
  CHECK_THAT(out, BlocksAddUpToProducts(a, b));
}

TEST_CASE("dot_product: two stages, at any size", "[dot_product][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(some_awkward_sizes(block));
  const unsigned grid = GENERATE_COPY(1u, 3u, ceil_div(n, block) + 2);
  const auto a = random_integers(n, n), b = random_integers(n, n + 1);
  const auto [run, out] = counted(device, launch_dot, a, b, LaunchShape{.grid = grid, .block = block});
  check_two_stages(device, run.launch, 5, 1);
  check_joins_are_shared(run, n);
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

/// The launch that is shown, counted and, on a GPU, timed.
Launch show_dot(Device& device, unsigned n) {
  const LaunchShape shape = walking_grid(device, n, device.block_or(256));
  const auto a = random_integers(n, n), b = random_integers(n, n + 1);
  auto [launch, out] = launch_dot(device, a, b, shape);
  const double bound = n <= (1u << 24) / (15 * 15) ? 0 : products_bound(a, b, shape);
  if (!launch.is_timed()) require(out, BlocksAddUpToProducts(a, b, bound));
  return std::move(launch);
}

const RegisterKernels dot_kernel({{.kernel = dot_product,
                                   .technique = "a product for each element",
                                   .task = "sum a[i] * b[i] over what each block takes",
                                   .run = show_dot,
                                   .bytes_per_element = 8}});

}  // namespace
