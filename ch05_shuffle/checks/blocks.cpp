/// \file What chapter 5 requires of its kernels, third part: blocks. Contracts: kernels.hpp.

#include <cmath>

#include "ch05_shuffle/checks/block_checks.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

/// Multiples of 2^20: integers whose sum is above 2^44, and exact in any order.
std::vector<float> large_integers(unsigned n, std::uint64_t seed) {
  auto values = random_integers(n, seed, -999, 1000);
  for (float& value : values) value *= 0x1p20f;
  return values;
}

constexpr unsigned special_n = 1003;  // a few threads have an element more than the others
constexpr LaunchShape special_shape{.grid = 2, .block = 64};

/// Calls `run(device, values, where)` for large values, and for values of which one is an infinity or NaN, at
/// three places including the last. This shows a kernel that leaves an element out by multiplying it by 0.
template <class Run>
void for_special_values(const Check& check, Run run) {
  for (Device& device : check.devices()) {
    run(device, large_integers(special_n, 1), case_of(special_n, special_shape, "multiples of 2^20"));
    for (const unsigned place : {0u, 500u, special_n - 1})
      for (const float special : {infinity, -infinity, not_a_number}) {
        auto values = random_integers(special_n, place);
        values[place] = special;
        run(device, values,
            case_of(special_n, special_shape, "in[" + std::to_string(place) + "] is " + text_of(special)));
      }
  }
}

/// reduce_atomic on `values`, which it adds to `start`.
Written<float> run_atomic(Device& device, const std::vector<float>& values, const LaunchShape& shape,
                          float start = 0) {
  const auto in = device.upload("in", values);
  auto total = device.upload("total", std::vector<float>{start});
  Launch launch = device.launch(reduce_atomic, shape, in, total, static_cast<unsigned>(values.size()));
  return {std::move(launch), std::move(total)};
}
Written<float> run_dot(Device& device, const std::vector<float>& a, const std::vector<float>& b,
                       const LaunchShape& shape) {
  const auto on_device_a = device.upload("a", a), on_device_b = device.upload("b", b);
  auto out = device.poisoned<float>("out", shape.grid.x);
  Launch launch =
      device.launch(dot_product, shape, on_device_a, on_device_b, out, static_cast<unsigned>(a.size()));
  return {std::move(launch), std::move(out)};
}

std::vector<float> products(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> values(a);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= b[i];
  return values;
}

/// The error allowed for a float sum of n integers from 1 to 15: none for up to 2^20 of them.
double slack(const std::vector<float>& values, const LaunchShape& shape) {
  const auto n = static_cast<unsigned>(values.size());
  return n <= 1u << 20 ? 0 : sum_error_bound(values, additions_for(n, shape, shape.grid.x));
}

}  // namespace

namespace warpwise::ch05 {

Launch expect_reduce_shuffle(Device& device, unsigned n, const LaunchShape& shape) {
  const auto values = random_integers(n, n);
  auto [launch, out] = run_in_out(device, reduce_shuffle, shape, values, shape.grid.x);
  if (!launch.is_timed()) expect_sum_of_blocks(out, sum(values), slack(values, shape), case_of(n, shape));
  return std::move(launch);
}
Launch expect_reduce_atomic(Device& device, unsigned n, const LaunchShape& shape) {
  const auto values = random_integers(n, n);
  auto [launch, total] = run_atomic(device, values, shape);
  if (!launch.is_timed()) expect_close(total, sum(values), slack(values, shape), case_of(n, shape));
  return std::move(launch);
}
Launch expect_dot_product(Device& device, unsigned n, const LaunchShape& shape) {
  const auto a = random_integers(n, n), b = random_integers(n, n + 1);
  auto [launch, out] = run_dot(device, a, b, shape);
  if (!launch.is_timed()) {
    const std::vector<float> values = products(a, b);
    const unsigned exact = (1u << 24) / (15 * 15);  // products whose sum is exact in any order
    expect_sum_of_blocks(out, sum(values),
                         n <= exact ? 0 : sum_error_bound(values, additions_for(n, shape, 2)),
                         case_of(n, shape));
  }
  return std::move(launch);
}

}  // namespace warpwise::ch05

static const RegisterKernels block_kernels({
    {.kernel = reduce_shuffle,
     .technique = "grid-stride, sums of warps",
     .task = "sum what each block takes, with one barrier",
     .run = with_walking_grid<expect_reduce_shuffle>,
     .is_step = true,
     .comes_from = "reduce_grid_stride"},
    {.kernel = reduce_atomic,
     .technique = "one atomic per block",
     .task = "add the sum of all elements to one total",
     .run = with_walking_grid<expect_reduce_atomic>},
    {.kernel = dot_product,
     .technique = "a product for each element",
     .task = "sum a[i] * b[i] over what each block takes",
     .run = with_walking_grid<expect_dot_product>,
     .bytes_per_element = 8},
});

WARPWISE_CHECK(reduce_shuffle, result) {
  for_each_case_and_order(
      check, [](Device& device, unsigned n, const LaunchShape& shape, const std::string& note) {
        const auto values = random_integers(n, seed_of(n, shape.block.x));
        expect_sum_of_blocks(run_in_out(device, reduce_shuffle, shape, values, shape.grid.x).out, sum(values),
                             0, case_of(n, shape, note));
      });
}
WARPWISE_CHECK(reduce_shuffle, result, "floats that round") {
  for (Device& device : check.devices())
    for (const unsigned block : check.block_sizes()) {
      const unsigned n = 7 * block + 5;
      const LaunchShape shape{.grid = 3, .block = block};
      const auto values = random_floats(n, seed_of(n, block));
      expect_sum_of_blocks(run_in_out(device, reduce_shuffle, shape, values, shape.grid.x).out, sum(values),
                           sum_error_bound(values, additions_for(n, shape)),
                           case_of(n, shape, "real floats"));
    }
}
WARPWISE_CHECK(reduce_shuffle, result, "special values") {
  for_special_values(check, [](Device& device, const std::vector<float>& values, const Case& where) {
    expect_sum_of_blocks(run_in_out(device, reduce_shuffle, special_shape, values, 2).out, sum(values), 0,
                         where);
  });
}
WARPWISE_CHECK(reduce_shuffle, result, "in starts at any float") {
  for (Device& device : check.devices())
    for (const unsigned offset : {1u, 2u, 3u}) {
      const auto values = random_integers(special_n + offset, offset);
      const auto in = device.upload("in", values);
      const auto out = device.poisoned<float>("out", 2);
      device.launch(reduce_shuffle, special_shape, in.from(offset), out, special_n);
      expect_sum_of_blocks(out, sum(std::span(values).subspan(offset)), 0,
                           case_of(special_n, special_shape, "in starts at float " + std::to_string(offset)));
    }
}
WARPWISE_CHECK(reduce_shuffle, technique) {
  const auto [launch, work] =
      launch_and_work(check.simulated(), expect_reduce_shuffle, technique_n, technique_shape);
  expect_read_once(launch, work, technique_n, 1);
  expect_two_stages(check.simulated(), launch, 5, 1);
  expect_at_most("global atomic requests", launch.count(&Counters::global_atomic_requests), 0,
                 "each block has a place of its own in `out`");
}
WARPWISE_CHECK(reduce_shuffle, technique, "at any size") {
  check_stages_at_any_size(check, expect_reduce_shuffle, 5, 1);
}
WARPWISE_CHECK(reduce_shuffle, safety) { check_safety(check, expect_reduce_shuffle); }

WARPWISE_CHECK(reduce_atomic, result) {
  for_each_case_and_order(
      check, [](Device& device, unsigned n, const LaunchShape& shape, const std::string& note) {
        const auto values = random_integers(n, seed_of(n, shape.block.x));
        expect_equal(run_atomic(device, values, shape, 1000).out, 1000 + sum(values),
                     {.note = spelled(case_of(n, shape, note)) + ", total starts at 1000"});
      });
}
WARPWISE_CHECK(reduce_atomic, result, "floats that round") {
  for (Device& device : check.devices())
    for (const unsigned block : check.block_sizes()) {
      const unsigned n = 7 * block + 5;
      const LaunchShape shape{.grid = 3, .block = block};
      auto values = random_floats(n, seed_of(n, block));
      const auto total = run_atomic(device, values, shape, 0.7f).out;
      values.push_back(0.7f);
      // After the additions of its block, a sum passes through one for each block.
      expect_close(total, sum(values), sum_error_bound(values, additions_for(n, shape, shape.grid.x)),
                   case_of(n, shape, "real floats"));
    }
}
WARPWISE_CHECK(reduce_atomic, result, "special values") {
  for_special_values(check, [](Device& device, const std::vector<float>& values, const Case& where) {
    expect_equal(run_atomic(device, values, special_shape).out, sum(values), where);
  });
}
// The second launch continues from the total of the first, with another part of the input.
WARPWISE_CHECK(reduce_atomic, result, "launched again") {
  for (Device& device : check.devices()) {
    const KeptModuleMemory kept(device);
    const auto values = random_integers(special_n + 3, 1);
    const auto in = device.upload("in", values);
    const auto total = device.zeroed<float>("total", 1);
    double expected = 0;
    for (const unsigned offset : {0u, 1u, 3u, 2u}) {
      device.launch(reduce_atomic, LaunchShape{.grid = 1 + offset, .block = 32u << offset}, in.from(offset),
                    total, special_n);
      expected += sum(std::span(values).subspan(offset, special_n));
      expect_equal(total, expected, {.n = special_n, .note = "launched again on the same total"});
    }
  }
}
WARPWISE_CHECK(reduce_atomic, technique) {
  const auto [launch, work] =
      launch_and_work(check.simulated(), expect_reduce_atomic, technique_n, technique_shape);
  expect_read_once(launch, work, technique_n, 1);
  expect_two_stages(check.simulated(), launch, 5, 1);
  // Lanes that add to the same word go one after the other, and each counts as a sector. So this counts
  // additions, while the number of requests would count a whole warp of them as one.
  expect_at_most("atomic operations per block", launch.count(&Counters::global_atomic_sectors).per_block(), 1,
                 "one thread adds the sum of its block");
}
// How often a loop around compare-and-swap goes round depends on the other blocks.
WARPWISE_CHECK(reduce_atomic, technique, "one try") {
  const auto is_try = [](const warpwise::simulator::Program& program, warpwise::simulator::Pc pc) {
    return program.text_of(pc).has("cas");
  };
  const LaunchAndWork run =
      count_instructions(check.simulated(), +is_try, expect_reduce_atomic, 1000u, special_shape);
  expect_at_most(
      "compare-and-swap operations", Measured(run.work.by_all_threads), 0,
      "each try is an atomic operation, and another block can make it fail: let one operation add");
}
WARPWISE_CHECK(reduce_atomic, technique, "at any size") {
  check_stages_at_any_size(check, expect_reduce_atomic, 5, 1);
}
WARPWISE_CHECK(reduce_atomic, safety) { check_safety(check, expect_reduce_atomic); }
// The kernel cannot clear the total, because no block knows whether it is the first. So the caller must, and
// if it forgets, that is found.
WARPWISE_CHECK(reduce_atomic, safety, "a total that was never set") {
  Device& device = check.simulated();
  const auto in = device.upload("in", random_integers(1000, 1));
  const auto total = device.poisoned<float>("total", 1);
  const Launch launch = device.launch(reduce_atomic, {.grid = 4, .block = 128}, in, total, 1000u);
  check.expect_finding(launch, warpwise::simulator::FindingKind::uninitialised);
}

WARPWISE_CHECK(dot_product, result) {
  for_each_case_and_order(check, [](Device& device, unsigned n, const LaunchShape& shape,
                                    const std::string& note) {
    const auto a = random_integers(n, seed_of(n, shape.block.x, 1), -9, 15);
    const auto b = random_integers(n, seed_of(n, shape.block.x, 2), -9, 15);
    expect_sum_of_blocks(run_dot(device, a, b, shape).out, sum(products(a, b)), 0, case_of(n, shape, note));
  });
}
WARPWISE_CHECK(dot_product, result, "floats that round") {
  for (Device& device : check.devices()) {
    const unsigned n = 5000;
    const LaunchShape shape{.grid = 3, .block = 256};
    const auto a = random_floats(n, 1), b = random_floats(n, 2);
    double exact = 0;
    for (unsigned i = 0; i < n; ++i) exact += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    // Each product may round once more than a sum does, and so do the products in the bound.
    expect_sum_of_blocks(run_dot(device, a, b, shape).out, exact,
                         sum_error_bound(products(a, b), additions_for(n, shape, 2)),
                         case_of(n, shape, "real floats"));
  }
}
WARPWISE_CHECK(dot_product, result, "special values") {
  for_special_values(check, [](Device& device, const std::vector<float>& values, const Case& where) {
    const auto factors = random_integers(special_n, 7);
    expect_sum_of_blocks(run_dot(device, values, factors, special_shape).out, sum(products(values, factors)),
                         0, where);
  });
}
WARPWISE_CHECK(dot_product, result, "a and b start at any float") {
  for (Device& device : check.devices())
    for (const unsigned offset : {1u, 2u, 3u}) {
      const auto values = random_integers(special_n + 3, offset);
      const auto a = device.upload("a", values), b = device.upload("b", values);
      const auto out = device.poisoned<float>("out", special_shape.grid.x);
      device.launch(dot_product, special_shape, a.from(offset), b.from(3 - offset), out, special_n);
      double expected = 0;
      for (unsigned i = 0; i < special_n; ++i) expected += values[i + offset] * values[i + 3 - offset];
      expect_sum_of_blocks(out, expected, 0,
                           case_of(special_n, special_shape, "a starts at float " + std::to_string(offset)));
    }
}
WARPWISE_CHECK(dot_product, technique) {
  const auto [launch, work] =
      launch_and_work(check.simulated(), expect_dot_product, technique_n, technique_shape);
  expect_read_once(launch, work, technique_n, 2);
  expect_two_stages(check.simulated(), launch, 5, 1);
}
WARPWISE_CHECK(dot_product, technique, "at any size") {
  check_stages_at_any_size(check, expect_dot_product, 5, 1);
}
WARPWISE_CHECK(dot_product, safety) { check_safety(check, expect_dot_product); }
