/// \file What chapter 5 asks of its kernels, third part: blocks. Contracts: kernels.hpp.

#include <cmath>

#include "ch05_shuffle/block_checks.hpp"
#include "ch05_shuffle/special_floats.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

/// Runs `check(n, shape)` over sizes, blocks and grids: far more blocks than elements, and n above 2^16 too.
template <class Check>
void for_each_case(Check check) {
  for (const auto [n, block] : every_size_and_block({32, 64, 256, 1024}))
    for (const LaunchShape& shape : shapes_for(n, block)) check(n, shape);
  check(33, LaunchShape{.grid = 300, .block = 64});
  check(70'001, LaunchShape{.grid = 2, .block = 512});
  check(70'001, LaunchShape{.grid = 70, .block = 1024});
}

constexpr unsigned most_elements = (1u << 24) + 5;  // no float has all indices up to there

/// Runs `check(device)` without observers, for large inputs.
template <class Check>
void unobserved(Check check) {
  const OtherOptions options([](auto& all) { all.watch = warpwise::simulator::Watch::nothing; });
  for (Device& device : devices()) check(device);
}

// What is tried under each schedule: blocks of two warps and of eight, ragged rounds.
constexpr unsigned ordered_n = 1003;
constexpr LaunchShape ordered_shapes[] = {{.grid = 2, .block = 64}, {.grid = 1, .block = 256}};

/// Runs `check(device, n, shape, note)` over sizes, blocks and grids, then under all schedules.
template <class Check>
void for_each_case_and_order(Check check) {
  for (Device& device : devices())
    for_each_case([&](unsigned n, const LaunchShape& shape) { check(device, n, shape, ""); });
  under_every_schedule([&](Device& device, const std::string& schedule) {
    for (const LaunchShape& shape : ordered_shapes) check(device, ordered_n, shape, schedule);
  });
}

/// No findings at the sizes that matter: nothing, less than a warp, ragged warps, many rounds.
template <class Run>
void check_safety(Run run) {
  for (const unsigned block : every_block_size)
    for (const unsigned n : {0u, 1u, 33u, 1025u, 3 * block - 1})
      for (const unsigned grid : {1u, 3u})
        expect_no_findings(run(simulated_device(), n, LaunchShape{.grid = grid, .block = block}));
  under_every_schedule([&](Device& device, const std::string&) {
    for (const LaunchShape& shape : ordered_shapes) expect_no_findings(run(device, ordered_n, shape));
  });
}

// The launch whose technique is looked at: 16 blocks of 256, 64 elements a thread, so that there are enough
// for all, even where a thread takes 32 at once.
constexpr unsigned technique_n = 1u << 18;
constexpr LaunchShape technique_shape{.grid = 16, .block = 256};

/// Whole numbers whose sum is beyond 2^44, and is exact in any order: multiples of 2^20.
std::vector<float> large_integers(unsigned n, std::uint64_t seed) {
  auto values = random_integers(n, seed, -999, 1000);
  for (float& value : values) value *= 0x1p20f;
  return values;
}

constexpr unsigned special_n = 1003;  // a few threads have an element more than the others
constexpr LaunchShape special_shape{.grid = 2, .block = 64};

/// Runs `check(device, values, where)` on values that are large, or of which one, the last among them, is
/// an infinity or NaN. An element that a kernel multiplies by 0 to leave it out shows there.
template <class Check>
void for_special_values(Check check) {
  for (Device& device : devices()) {
    check(device, large_integers(special_n, 1), case_of(special_n, special_shape, "multiples of 2^20"));
    for (const unsigned place : {0u, 500u, special_n - 1})
      for (const float special : {infinity, -infinity, not_a_number}) {
        auto values = random_integers(special_n, place);
        values[place] = special;
        check(device, values,
              case_of(special_n, special_shape,
                      "in[" + std::to_string(place) + "] is " + detail::text_of(special)));
      }
  }
}

std::vector<float> products(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> values(a);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= b[i];
  return values;
}

// --- Argmax --------------------------------------------------------------------------------------------

/// What argmax finds, by the words of the contract.
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

void check_argmax(Device& device, const std::vector<float>& values, const LaunchShape& shape,
                  const std::string& note, const std::string& schedule = "") {
  const auto n = static_cast<unsigned>(values.size());
  Found expected;
  for (unsigned i = 0; i < n; ++i) expected.look_at(values[i], i);

  const auto in = device.upload("in", values);
  const auto value = device.poisoned<float>("value", shape.grid.x);
  const auto index = device.poisoned<unsigned>("index", shape.grid.x);
  device.launch(reduce_argmax, shape, in, value, index, n);

  const std::string where = spelled(case_of(n, shape, schedule)) + ", " + note;
  const auto found_values = value.download();
  const auto found_indices = index.download();
  Found best;
  for (unsigned b = 0; b < shape.grid.x; ++b) {
    const float found = found_values[b];
    const unsigned at = found_indices[b];
    const std::string block = where + ": block " + std::to_string(b) + " ";
    const bool has_result = (!detail::is_poison(&found, sizeof found) || value.is_written(b)) &&
                            (!detail::is_poison(&at, sizeof at) || index.is_written(b));
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
              where + ": the largest is " + detail::text_of(expected.value) + " at index " +
                  std::to_string(expected.index) + ", found was " + detail::text_of(best.value) +
                  " at index " + std::to_string(best.index));
}

}  // namespace

WARPWISE_CHECK(reduce_shuffle, result) {
  for_each_case_and_order([](Device& device, unsigned n, const LaunchShape& shape, const std::string& note) {
    const auto values = random_integers(n, seed_of(n, shape.block.x));
    expect_sum_of_blocks(run_in_out(device, reduce_shuffle, shape, values, shape.grid.x).out, sum(values), 0,
                         case_of(n, shape, note));
  });
}
WARPWISE_CHECK(reduce_shuffle, result, "floats that round") {
  for (Device& device : devices())
    for (const unsigned block : every_block_size) {
      const unsigned n = 7 * block + 5;
      const LaunchShape shape{.grid = 3, .block = block};
      const auto values = random_floats(n, seed_of(n, block));
      expect_sum_of_blocks(run_in_out(device, reduce_shuffle, shape, values, shape.grid.x).out, sum(values),
                           sum_error_bound(values, additions_for(n, shape)),
                           case_of(n, shape, "real floats"));
    }
}
WARPWISE_CHECK(reduce_shuffle, result, "special values") {
  for_special_values([](Device& device, const std::vector<float>& values, const Case& where) {
    expect_sum_of_blocks(run_in_out(device, reduce_shuffle, special_shape, values, 2).out, sum(values), 0,
                         where);
  });
}
WARPWISE_CHECK(reduce_shuffle, result, "in starts at any float") {
  for (Device& device : devices())
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
      launch_and_work([] { return run_reduce_shuffle(simulated_device(), technique_n, technique_shape); });
  expect_read_once(launch, work, technique_n, 1);
  expect_two_stages(launch, 5, 1);
  expect_at_most("global atomic requests", launch.counters().global_atomic_requests, 0,
                 "each block has its own place in `out`");
}
WARPWISE_CHECK(reduce_shuffle, safety) { check_safety(run_reduce_shuffle); }

WARPWISE_CHECK(reduce_atomic, result) {
  for_each_case_and_order([](Device& device, unsigned n, const LaunchShape& shape, const std::string& note) {
    const auto values = random_integers(n, seed_of(n, shape.block.x));
    const auto in = device.upload("in", values);
    const auto total = device.upload("total", std::vector<float>{1000});  // it adds, so this stays in
    device.launch(reduce_atomic, shape, in, total, n);
    expect_equal(total, 1000 + sum(values),
                 {.note = spelled(case_of(n, shape, note)) + ", total starts at 1000"});
  });
}
WARPWISE_CHECK(reduce_atomic, result, "floats that round") {
  for (Device& device : devices())
    for (const unsigned block : every_block_size) {
      const unsigned n = 7 * block + 5;
      const LaunchShape shape{.grid = 3, .block = block};
      auto values = random_floats(n, seed_of(n, block));
      const auto in = device.upload("in", values);
      const auto total = device.upload("total", std::vector<float>{0.7f});
      device.launch(reduce_atomic, shape, in, total, n);
      values.push_back(0.7f);
      // After the additions of its block, a sum passes through one for each block.
      expect_close(total, sum(values), sum_error_bound(values, additions_for(n, shape, shape.grid.x)),
                   case_of(n, shape, "real floats"));
    }
}
WARPWISE_CHECK(reduce_atomic, result, "special values") {
  for_special_values([](Device& device, const std::vector<float>& values, const Case& where) {
    const auto in = device.upload("in", values);
    const auto total = device.zeroed<float>("total", 1);
    device.launch(reduce_atomic, special_shape, in, total, special_n);
    expect_equal(total, sum(values), where);
  });
}
// The second launch goes on where the first has ended, and at other places of its input.
WARPWISE_CHECK(reduce_atomic, result, "launched again") {
  for (Device& device : devices()) {
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
      launch_and_work([] { return run_reduce_atomic(simulated_device(), technique_n, technique_shape); });
  expect_read_once(launch, work, technique_n, 1);
  expect_two_stages(launch, 5, 1);
  // Lanes that add to the same word go one after the other, and each passes over its own sector. So this
  // counts additions, where requests would count a whole warp of them as one.
  expect_at_most("atomic operations a block", per_block(launch, launch.counters().global_atomic_sectors), 1,
                 "one thread adds the sum of its block");
}
WARPWISE_CHECK(reduce_atomic, safety) { check_safety(run_reduce_atomic); }
// The kernel cannot clear the total: which block would come first? So the caller must, and forgetting it is
// found.
WARPWISE_CHECK(reduce_atomic, safety, "a total that nobody set") {
  Device& device = simulated_device();
  const auto in = device.upload("in", random_integers(1000, 1));
  const auto total = device.poisoned<float>("total", 1);
  const Launch launch = device.launch(reduce_atomic, {.grid = 4, .block = 128}, in, total, 1000u);
  expect_finding(launch, warpwise::simulator::FindingKind::uninitialised);
}

WARPWISE_CHECK(reduce_argmax, result) {
  for_each_case_and_order(
      [](Device& device, unsigned n, const LaunchShape& shape, const std::string& schedule) {
        check_argmax(device, random_floats(n, seed_of(n, shape.block.x)), shape, "distinct values", schedule);
      });
}
WARPWISE_CHECK(reduce_argmax, result, "equal values") {
  for (Device& device : devices())
    for_each_case([&](unsigned n, const LaunchShape& shape) {
      check_argmax(device, random_integers(n, seed_of(n, shape.block.x), -3, -1), shape, "many equal values");
    });
}
// Among many equal values those of the first round win, and there the lower index is in the lower lane and
// the lower warp. So two alone are equal here, the later of them in any lane and warp, above or below the
// earlier's.
WARPWISE_CHECK(reduce_argmax, result, "two equal values") {
  for (Device& device : devices())
    for (const unsigned block : every_block_size) {
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
  for (Device& device : devices())
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
  for (Device& device : devices())
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
  unobserved([](Device& device) {
    std::vector<float> values(most_elements, -1);
    values[most_elements - 2] = values[most_elements - 4] = 1;  // at odd places
    check_argmax(device, values, {.grid = 64, .block = 1024}, "the largest near the end");
  });
}
// Value and index are two shuffles a step and two words a warp.
WARPWISE_CHECK(reduce_argmax, technique) {
  const auto [launch, work] =
      launch_and_work([] { return run_reduce_argmax(simulated_device(), technique_n, technique_shape); });
  expect_read_once(launch, work, technique_n, 1);
  expect_two_stages(launch, 10, 2);
}
WARPWISE_CHECK(reduce_argmax, safety) { check_safety(run_reduce_argmax); }

WARPWISE_CHECK(dot_product, result) {
  for_each_case_and_order([](Device& device, unsigned n, const LaunchShape& shape, const std::string& note) {
    const auto a = random_integers(n, seed_of(n, shape.block.x, 1), -9, 15);
    const auto b = random_integers(n, seed_of(n, shape.block.x, 2), -9, 15);
    const auto on_device_a = device.upload("a", a), on_device_b = device.upload("b", b);
    const auto out = device.poisoned<float>("out", shape.grid.x);
    device.launch(dot_product, shape, on_device_a, on_device_b, out, n);
    expect_sum_of_blocks(out, sum(products(a, b)), 0, case_of(n, shape, note));
  });
}
WARPWISE_CHECK(dot_product, result, "floats that round") {
  for (Device& device : devices()) {
    const unsigned n = 5000;
    const LaunchShape shape{.grid = 3, .block = 256};
    const auto a = random_floats(n, 1), b = random_floats(n, 2);
    const auto on_device_a = device.upload("a", a), on_device_b = device.upload("b", b);
    const auto out = device.poisoned<float>("out", shape.grid.x);
    device.launch(dot_product, shape, on_device_a, on_device_b, out, n);
    double exact = 0;
    for (unsigned i = 0; i < n; ++i) exact += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    // Each product may round once more than a sum does; so do the products of which the bound is made.
    expect_sum_of_blocks(out, exact, sum_error_bound(products(a, b), additions_for(n, shape, 2)),
                         case_of(n, shape, "real floats"));
  }
}
WARPWISE_CHECK(dot_product, result, "special values") {
  for_special_values([](Device& device, const std::vector<float>& values, const Case& where) {
    const auto factors = random_integers(special_n, 7);
    const auto a = device.upload("a", values), b = device.upload("b", factors);
    const auto out = device.poisoned<float>("out", special_shape.grid.x);
    device.launch(dot_product, special_shape, a, b, out, special_n);
    expect_sum_of_blocks(out, sum(products(values, factors)), 0, where);
  });
}
WARPWISE_CHECK(dot_product, result, "a and b start at any float") {
  for (Device& device : devices())
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
      launch_and_work([] { return run_dot_product(simulated_device(), technique_n, technique_shape); });
  expect_read_once(launch, work, technique_n, 2);
  expect_two_stages(launch, 5, 1);
}
WARPWISE_CHECK(dot_product, safety) { check_safety(run_dot_product); }
