/// \file The checks of the example of a chapter: result, technique, safety. Contract: kernels.hpp.

#include <string>
#include <vector>

#include "ch90_transpose/kernels.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;

namespace {

struct Matrix {
  unsigned rows, columns;
  unsigned elements() const { return rows * columns; }
  std::vector<float> values() const { return random_floats(elements(), seed_of(rows, columns)); }
  std::string text() const { return std::to_string(rows) + " rows of " + std::to_string(columns); }
};

/// No elements, one, a row, a column, sizes around one tile and several, thin ones, more than 2^16 elements.
constexpr Matrix matrices[] = {{0, 5},   {5, 0},   {1, 1},   {1, 33},  {33, 1},  {31, 32},   {32, 31},
                               {32, 32}, {33, 32}, {65, 33}, {2, 200}, {200, 2}, {100, 129}, {257, 300}};

/// Blocks for every tile, and `more` in each direction; at least one, because a launch needs one.
LaunchShape tiles_of(const Matrix& matrix, unsigned more = 0) {
  return {.grid = {std::max(1u, ceil_div(matrix.columns, 32)) + more,
                   std::max(1u, ceil_div(matrix.rows, 32)) + more},
          .block = {32, 8}};
}

std::vector<float> transposed(const std::vector<float>& values, const Matrix& matrix) {
  std::vector<float> result(values.size());
  for (unsigned r = 0; r < matrix.rows; ++r)
    for (unsigned c = 0; c < matrix.columns; ++c)
      result[c * matrix.rows + r] = values[r * matrix.columns + c];
  return result;
}

/// Launches the kernel and checks its result, so that no wrong launch is counted or searched for findings.
Launch expect_transposed(Device& device, const Matrix& matrix, const LaunchShape& shape,
                         const std::string& note = {}) {
  const auto in = device.upload("in", matrix.values());
  const auto out = device.poisoned<float>("out", matrix.elements());
  Launch launch = device.launch(transpose, shape, in, out, matrix.rows, matrix.columns);
  expect_equal(out, transposed(matrix.values(), matrix), {.note = matrix.text() + note});
  return launch;
}

const RegisterKernels kernels({
    {.kernel = transpose,
     .technique = "a transposed tile",
     .task = "transpose a matrix through shared memory",
     .run =
         [](Device& device, unsigned n) {
           const Matrix matrix{std::max(1u, n / 32), 32};
           return expect_transposed(device, matrix, tiles_of(matrix));
         },
     .shown_n = 32 * 32,
     .bytes_per_element = 8},
});
const RegisterChapter registered(this_chapter("A matrix, turned"));

}  // namespace

WARPWISE_CHECK(transpose, result) {
  for (Device& device : check.devices())
    for (const Matrix& matrix : matrices) expect_transposed(device, matrix, tiles_of(matrix));
}

WARPWISE_CHECK(transpose, result, "more blocks than tiles") {
  for (Device& device : check.devices())
    expect_transposed(device, {40, 70}, tiles_of({40, 70}, 3), ", more blocks than tiles");
}

// No rule says which warp comes first: one may read from the tile what another still has to write.
WARPWISE_CHECK(transpose, result, "in any order") {
  check.under_every_schedule([](Device& device, const std::string& schedule) {
    expect_transposed(device, {70, 40}, tiles_of({70, 40}), ", " + schedule);
  });
}

namespace {
void check_technique(SimulatedDevice& device, const Matrix& matrix) {
  const Launch launch = expect_transposed(device, matrix, tiles_of(matrix));
  // Both directions count: transposing the tile on the way in only moves the conflicts to the stores.
  expect_at_most("bank conflicts", launch.count(shared_load_and_store_conflicts), 0,
                 "32 lanes along a row or down a column of the tile must touch 32 banks");
  expect_block_barriers_at_most(launch, 1, "one between the loads and the stores");
  expect_no_shuffles(launch, "the tile is transposed in shared memory");
  expect_no_atomics(launch, "each element of `out` has one writer");
  if (matrix.rows % 32 != 0 || matrix.columns % 32 != 0) return;  // rows that begin between two sectors
  expect_each_element_is_read_once(launch, matrix.elements(),
                                   "neighbouring lanes read neighbouring elements");
  expect_at_most(
      "global store sectors", launch.count(&Counters::global_store_sectors), matrix.elements() / 8,
      "neighbouring lanes write neighbouring elements; a column of the input is a row of the output");
}
}  // namespace

// At the sizes of the check of the result, too, so that no kernel can tell when it is counted.
WARPWISE_CHECK(transpose, technique) {
  check_technique(check.simulated(), {128, 96});  // whole tiles, and not a square
  for (const Matrix& matrix : matrices) check_technique(check.simulated(), matrix);
}

WARPWISE_CHECK(transpose, safety) {
  const auto run = [](Device& device, const Matrix& matrix, unsigned more) {
    return expect_transposed(device, matrix, tiles_of(matrix, more));
  };
  for (const Matrix& matrix : matrices) check.expect_safe(run, matrix, 0);
  check.expect_safe(run, Matrix{40, 70}, 3);
}
