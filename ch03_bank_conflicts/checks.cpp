/// \file What chapter 3 asks of the reductions whose blocks have a stretch of their own: result, technique,
/// safety. Contracts: kernels.hpp. The other kernels: checks_grids.cpp, checks_columns.cpp.

#include "ch03_bank_conflicts/tree_checks.hpp"
#include "common/harness/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch03;

namespace {

Launch run_sequential(Device& device, unsigned n, unsigned block) {
  return run_reduction(device, reduce_sequential, n, shape_for(n, block, block));
}
Launch run_first_add(Device& device, unsigned n, unsigned block) {
  return run_reduction(device, reduce_first_add, n, shape_for(n, block, 2 * block));
}

const Exhibit exhibits[] = {
    {.kernel = reduce_sequential,
     .technique = "strides B/2, B/4 ... 1",
     .task = "sum each block's elements, strides B/2, B/4 ... 1",
     .run = [](Device& device, unsigned n) { return run_sequential(device, n, 256); },
     .is_rung = true},
    {.kernel = reduce_first_add,
     .technique = "first add at the load",
     .task = "sum 2 * blockDim.x elements a block, adding at the load",
     .run = [](Device& device, unsigned n) { return run_first_add(device, n, 256); },
     .is_rung = true},
    {.kernel = reduce_grid_stride,
     .technique = "grid-stride loop, any n",
     .task = "sum n elements with a grid of any size",
     .run =
         [](Device& device, unsigned n) {
           return run_reduction(device, reduce_grid_stride, n, walking_grid(device, n, 256));
         },
     .is_rung = true},
    {.kernel = reduce_max,
     .technique = "grid-stride loop, max",
     .task = "find the largest of n elements with a grid of any size",
     .run = [](Device& device,
               unsigned n) { return run_reduction(device, reduce_max, n, walking_grid(device, n, 256)); }},
    {.kernel = column_sums,
     .technique = "padded tile",
     .task = "sum columns of 32 elements by way of shared memory",
     .run = [](Device& device, unsigned n) { return run_column_sums(device, n / 32); }},
};
const RegisterChapter registered({.name = WARPWISE_CHAPTER,
                                  .title = "32 banks",
                                  .source_folder = WARPWISE_SOURCE_DIR,
                                  .binary_folder = WARPWISE_BINARY_DIR,
                                  .exhibits = exhibits});

/// Block b sums its own stretch of `elements * blockDim.x` elements.
void check_stretches(const ReductionKernel& kernel, unsigned elements) {
  for (Device& device : devices())
    for (const unsigned block : block_sizes) {
      const unsigned stretch = elements * block;
      for (const unsigned n : awkward_sizes(stretch)) {
        const auto values = random_integers(n, seed_of(n, block));
        const auto in = device.upload("in", values);
        const LaunchShape shape = shape_for(n, block, stretch);
        const auto out = device.poisoned<float>("out", shape.grid.x);
        device.launch(kernel, shape, in, out, n);
        expect_equal(out, block_sums(values, stretch), {.n = n, .block = block});
      }
    }
}

/// The same with floats that round. In a tree no value passes through more than log2(stretch) additions.
void check_rounding(const ReductionKernel& kernel, unsigned elements) {
  for (Device& device : devices())
    for (const unsigned block : block_sizes) {
      const unsigned stretch = elements * block;
      const unsigned n = 3 * stretch - 1;
      const auto values = random_floats(n, seed_of(n, block));
      const auto in = device.upload("in", values);
      const auto out = device.poisoned<float>("out", 3);
      device.launch(kernel, grid_of(3, block), in, out, n);
      expect_close(out, block_sums(values, stretch),
                   block_sum_error_bounds(values, stretch, levels_of(stretch)),
                   {.n = n, .block = block, .note = "real floats"});
    }
}

}  // namespace

TEST_CASE("reduce_sequential: result", "[reduce_sequential][result]") {
  check_stretches(reduce_sequential, 1);
}
TEST_CASE("reduce_sequential: result, floats that round", "[reduce_sequential][result]") {
  check_rounding(reduce_sequential, 1);
}
TEST_CASE("reduce_sequential: technique", "[reduce_sequential][technique]") {
  for (const unsigned block : block_sizes)
    check_tree_technique(run_sequential(simulated_device(), 8 * block, block), 8 * block);
  check_is_tree(run_sequential(simulated_device(), 32, 32));
}
TEST_CASE("reduce_sequential: safety", "[reduce_sequential][safety]") {
  for (const unsigned block : block_sizes)
    for (const unsigned n : awkward_sizes(block))
      expect_no_findings(run_sequential(simulated_device(), n, block));
}

TEST_CASE("reduce_first_add: result", "[reduce_first_add][result]") { check_stretches(reduce_first_add, 2); }
TEST_CASE("reduce_first_add: result, floats that round", "[reduce_first_add][result]") {
  check_rounding(reduce_first_add, 2);
}
TEST_CASE("reduce_first_add: technique", "[reduce_first_add][technique]") {
  for (const unsigned block : block_sizes)
    check_tree_technique(run_first_add(simulated_device(), 8 * block, block), 8 * block);
  check_is_tree(run_first_add(simulated_device(), 64, 32));
}
TEST_CASE("reduce_first_add: safety", "[reduce_first_add][safety]") {
  for (const unsigned block : block_sizes)
    for (const unsigned n : awkward_sizes(2 * block))
      expect_no_findings(run_first_add(simulated_device(), n, block));
}
