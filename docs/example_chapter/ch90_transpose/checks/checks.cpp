/// \file The checks of the example of a chapter: result, technique, safety. Contract: kernels.hpp.

#include <string>
#include <vector>

#include "ch90_transpose/kernels.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/matchers.hpp"

using namespace warpwise::harness;

namespace {

struct Matrix {
  unsigned rows, columns;
  unsigned elements() const { return rows * columns; }
  std::vector<float> values() const { return random_floats(elements(), seed_of(rows, columns)); }
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

/// What the kernel computes, told once: out[c * rows + r] = in[r * columns + c].
auto HoldsTransposed(const Matrix& matrix) {
  const std::vector<float> in = matrix.values();
  std::vector<float> out(in.size());
  for (unsigned r = 0; r < matrix.rows; ++r)
    for (unsigned c = 0; c < matrix.columns; ++c) out[c * matrix.rows + r] = in[r * matrix.columns + c];
  return Holds(out);
}

Written<float> launch_transpose(Device& device, const Matrix& matrix, const LaunchShape& shape) {
  const auto in = device.upload("in", matrix.values());
  auto out = device.poisoned<float>("out", matrix.elements());
  Launch launch = device.launch(transpose, shape, in, out, matrix.rows, matrix.columns);
  return {std::move(launch), std::move(out)};
}

}  // namespace

TEST_CASE("transpose: the transposed matrix", "[transpose][result]") {
  Device& device = GENERATE(devices());
  const Matrix matrix = GENERATE(from_range(std::begin(matrices), std::end(matrices)));
  const auto out = launch_transpose(device, matrix, tiles_of(matrix)).out;
  INFO(matrix.rows << " rows of " << matrix.columns);
  CHECK_THAT(out, HoldsTransposed(matrix));
}

TEST_CASE("transpose: more blocks than tiles", "[transpose][result]") {
  Device& device = GENERATE(devices());
  constexpr Matrix matrix{40, 70};
  const auto out = launch_transpose(device, matrix, tiles_of(matrix, 3)).out;
  CHECK_THAT(out, HoldsTransposed(matrix));
}

// No rule says which warp comes first: one may read from the tile what another still has to write.
TEST_CASE("transpose: in any order", "[transpose][result]") {
  SimulatedDevice& device = GENERATE(every_order());
  constexpr Matrix matrix{70, 40};
  const auto out = launch_transpose(device, matrix, tiles_of(matrix)).out;
  CHECK_THAT(out, HoldsTransposed(matrix));
}

// {128, 96}: whole tiles, and not a square. The others as for the result, so that no kernel can tell when it
// is counted.
TEST_CASE("transpose: a tile in shared memory", "[transpose][technique]") {
  SimulatedDevice& device = simulated();
  const Matrix matrix = GENERATE(Matrix{128, 96}, from_range(std::begin(matrices), std::end(matrices)));
  const auto [run, out] = counted(device, launch_transpose, matrix, tiles_of(matrix));
  INFO(matrix.rows << " rows of " << matrix.columns);
  // Both directions count: transposing the tile on the way in only moves the conflicts to the stores.
  CHECK_THAT(
      run.launch.count(shared_load_and_store_conflicts),
      AtMost(0, "bank conflicts", "32 lanes along a row or down a column of the tile must touch 32 banks"));
  CHECK_THAT(run.launch.count(&Counters::block_barriers).per_block(),
             AtMost(1, "block barriers per block", "one between the loads and the stores"));
  CHECK_THAT(run.launch, HasNoShuffles("the tile is transposed in shared memory"));
  CHECK_THAT(run.launch, HasNoAtomics("each element of `out` has one writer"));
  if (matrix.rows % 32 == 0 && matrix.columns % 32 == 0) {  // else rows begin between two sectors
    CHECK_THAT(run,
               ReadsEachElementOnce(matrix.elements(), 0, "neighbouring lanes read neighbouring elements"));
    CHECK_THAT(run.launch.count(&Counters::global_store_sectors),
               AtMost(matrix.elements() / 8, "global store sectors",
                      "neighbouring lanes write neighbouring elements; a column of the input is a row of the "
                      "output"));
  }
  CHECK_THAT(out, HoldsTransposed(matrix));
}

TEST_CASE("transpose: no findings", "[transpose][safety]") {
  SimulatedDevice& device = simulated();
  const Matrix matrix = GENERATE(from_range(std::begin(matrices), std::end(matrices)));
  const unsigned more = GENERATE(0u, 3u);
  const auto [launch, out] = launch_transpose(device, matrix, tiles_of(matrix, more));
  INFO(matrix.rows << " rows of " << matrix.columns);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, HoldsTransposed(matrix));
}

namespace {

/// The launch that is counted, drawn and, on a GPU, timed.
Launch show(Device& device, unsigned n) {
  const Matrix matrix{std::max(1u, n / 32), 32};
  auto [launch, out] = launch_transpose(device, matrix, tiles_of(matrix));
  if (!launch.is_timed()) require(out, HoldsTransposed(matrix));
  return std::move(launch);
}

const RegisterKernels kernels({
    {.kernel = transpose,
     .technique = "a transposed tile",
     .task = "transpose a matrix through shared memory",
     .run = show,
     .shown_n = 32 * 32,
     .bytes_per_element = 8},
});
const RegisterChapter registered(this_chapter("A matrix, turned"));

}  // namespace
