/// \file What chapter 5 requires of reduce_argmax: result, technique, safety. Contract: kernels.hpp.

#include <cmath>

#include "ch05_shuffle/checks/block_checks.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

constexpr unsigned most_elements = (1u << 24) + 5;  // floats cannot represent all indices up to there

/// What argmax finds, as the contract says.
struct Found {
  float value = -infinity;
  unsigned index = 0xffffffffu;

  void look_at(float other, unsigned at) {
    if (std::isnan(other)) return;
    if (other > value || (other == value && at < index)) *this = {other, at};
  }
};

/// Threads in the first, a middle and the last warp, some at their edges.
std::vector<unsigned> threads_to_try(unsigned block) {
  std::vector<unsigned> threads{0, 5, 31};
  if (block > 32) threads.insert(threads.end(), {32, block / 2 + 7, block - 32, block - 1});
  return threads;
}

Launch check_argmax(Device& device, const std::vector<float>& values, const LaunchShape& shape,
                    const std::string& note, const std::string& schedule = "") {
  const auto n = static_cast<unsigned>(values.size());
  Found expected;
  for (unsigned i = 0; i < n; ++i) expected.look_at(values[i], i);

  const auto in = device.upload("in", values);
  const auto value = device.poisoned<float>("value", shape.grid.x);
  const auto index = device.poisoned<unsigned>("index", shape.grid.x);
  Launch launch = device.launch(reduce_argmax, shape, in, value, index, n);

  const std::string where = spelled(case_of(n, shape, schedule)) + ", " + note;
  const auto found_values = value.download();
  const auto found_indices = index.download();
  Found best;
  for (unsigned b = 0; b < shape.grid.x; ++b) {
    const float found = found_values[b];
    const unsigned at = found_indices[b];
    const std::string block = where + ": block " + std::to_string(b) + " ";
    const bool has_result = (!is_poison(&found, sizeof found) || value.is_written(b)) &&
                            (!is_poison(&at, sizeof at) || index.is_written(b));
    expect_that(has_result, block + "wrote no result");
    expect_that(!std::isnan(found), block + "found NaN, which is never the largest");
    if (at == 0xffffffffu) {
      expect_that(found == -infinity, block + "has a value without an index");
      continue;
    }
    expect_that(at < n && values[at] == found,
                block + "says index " + std::to_string(at) + ", but that element has another value");
    best.look_at(found, at);
  }
  expect_that(best.value == expected.value && best.index == expected.index,
              where + ": the largest is " + text_of(expected.value) + " at index " +
                  std::to_string(expected.index) + ", but the kernel found " + text_of(best.value) +
                  " at index " + std::to_string(best.index));
  return launch;
}

}  // namespace

namespace warpwise::ch05 {
Launch expect_reduce_argmax(Device& device, unsigned n, const LaunchShape& shape) {
  return check_argmax(device, random_integers(n, n), shape, "many equal values");
}
}  // namespace warpwise::ch05

static const RegisterKernels argmax_kernel({
    {.kernel = reduce_argmax,
     .technique = "two shuffles per step",
     .task = "find the largest element and the lowest index it has",
     .run = with_walking_grid<expect_reduce_argmax>},
});

WARPWISE_CHECK(reduce_argmax, result) {
  for_each_case_and_order(
      check, [](Device& device, unsigned n, const LaunchShape& shape, const std::string& schedule) {
        check_argmax(device, random_floats(n, seed_of(n, shape.block.x)), shape, "distinct values", schedule);
      });
}
WARPWISE_CHECK(reduce_argmax, result, "equal values") {
  for (Device& device : check.devices())
    for_each_case(check, [&](unsigned n, const LaunchShape& shape) {
      check_argmax(device, random_integers(n, seed_of(n, shape.block.x), -3, -1), shape, "many equal values");
    });
}
// Of many equal values, one of the first round wins, and there the lower index is in the lower lane and the
// lower warp. So here only two values are equal, and the later one is in any lane and warp, above or below
// those of the earlier one.
WARPWISE_CHECK(reduce_argmax, result, "two equal values") {
  for (Device& device : check.devices())
    for (const unsigned block : check.block_sizes()) {
      const unsigned n = 6 * block + 5;
      const auto others = random_integers(n, seed_of(n, block), -9, -1);
      unsigned round = 0;
      for (const unsigned earlier : threads_to_try(block))
        for (const unsigned later : threads_to_try(block)) {
          round = round % 5 + 1;
          auto values = others;
          values[earlier] = values[round * block + later] = 1;
          check_argmax(device, values, {.grid = 1, .block = block}, "two equal values");
        }
    }
}
WARPWISE_CHECK(reduce_argmax, result, "no number") {
  for (Device& device : check.devices())
    for (const unsigned n : {1u, 33u, 1000u})
      for (const LaunchShape& shape : shapes_for(n, 128)) {
        check_argmax(device, std::vector<float>(n, -infinity), shape, "all -infinity");
        check_argmax(device, std::vector<float>(n, not_a_number), shape, "all NaN");
        auto mixed = random_floats(n, n);
        for (unsigned i = 0; i < n; ++i)
          if (i % 3 != 1) mixed[i] = i % 2 == 0 ? not_a_number : -not_a_number;
        check_argmax(device, mixed, shape, "two of three are NaN");
      }
}
// Zeros are equal, whatever their sign.
WARPWISE_CHECK(reduce_argmax, result, "infinities and zeros") {
  for (Device& device : check.devices())
    for (const LaunchShape& shape : shapes_for(1000, 128)) {
      auto values = random_integers(1000, 1, -9, -1);
      for (const unsigned i : {700u, 130u, 999u, 401u}) values[i] = i % 2 == 0 ? -0.0f : 0.0f;
      check_argmax(device, values, shape, "zeros of either sign");
      values[999] = values[600] = infinity;
      values[0] = -infinity;
      check_argmax(device, values, shape, "infinities");
    }
}
WARPWISE_CHECK(reduce_argmax, result, "above 2^24") {
  if (check.is_in_another_order()) return;  // too large for more than once, or for observers
  const OtherOptions unobserved(check.simulated(),
                                [](auto& all) { all.watch = warpwise::simulator::Watch::nothing; });
  for (Device& device : check.devices()) {
    std::vector<float> values(most_elements, -1);
    values[most_elements - 2] = values[most_elements - 4] = 1;  // at odd places
    check_argmax(device, values, {.grid = 64, .block = 1024}, "the largest near the end");
  }
}
// Value and index take two shuffles per step and two words per warp.
WARPWISE_CHECK(reduce_argmax, technique) {
  const auto [launch, work] =
      launch_and_work(check.simulated(), expect_reduce_argmax, technique_n, technique_shape);
  expect_read_once(launch, work, technique_n, 1);
  expect_two_stages(check.simulated(), launch, 10, 2);
}
WARPWISE_CHECK(reduce_argmax, technique, "at any size") {
  check_stages_at_any_size(check, expect_reduce_argmax, 10, 2);
}
WARPWISE_CHECK(reduce_argmax, safety) { check_safety(check, expect_reduce_argmax); }
