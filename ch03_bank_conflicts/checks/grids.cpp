/// \file What chapter 3 asks of the reductions with any grid. The kernel chooses which elements a block
/// takes, so the results of all blocks are judged together.

#include <algorithm>
#include <cmath>
#include <limits>

#include "ch03_bank_conflicts/checks/tree_checks.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch03;

namespace {

/// Grids that do not depend on n: one block, a few, and for most sizes more than there is work for.
constexpr unsigned grids[] = {1, 3, 20};

/// Sizes at which a kernel with `threads` threads is likely to break, and those that are drawn.
std::vector<unsigned> walking_sizes(unsigned threads) {
  std::vector<unsigned> sizes = {0, 1, 31, 32, 33, 1023, 1024, 1025};
  for (const unsigned whole : {threads, 2 * threads})
    if (whole <= 6144) sizes.insert(sizes.end(), {whole - 1, whole, whole + 1});
  sizes.push_back(3 * std::min(threads, 1024u) + threads / 2 + 3);
  const std::vector<unsigned> drawn = drawn_sizes(3 * std::min(threads, 2048u));
  sizes.insert(sizes.end(), drawn.begin(), drawn.end());
  return sizes;
}

struct Walk {
  unsigned n, block, grid;
  LaunchShape shape() const { return {.grid = grid, .block = block}; }
};

/// Calls `try_walk(Walk)` for all blocks, grids and sizes.
template <class Try>
void for_every_walk(const Check& check, Try try_walk) {
  for (const unsigned block : check.block_sizes())
    for (const unsigned grid : grids)
      for (const unsigned n : walking_sizes(grid * block)) try_walk(Walk{n, block, grid});
}

/// Several hundred blocks, most of which have a few elements or none; and more elements than 16 bits can
/// count.
constexpr Walk far_walks[] = {
    {5, 32, 300}, {1000, 32, 300}, {(1 << 16) + 99, 64, 400}, {(1 << 16) + 99, 256, 1}};

/// Launches on `values`, all of them, and compares.
void expect_right(Device& device, const InOutKernel<float>& kernel, const std::vector<float>& values,
                  const LaunchShape& shape, const std::string& note = {}, double bound = 0) {
  const auto out = run_in_out(device, kernel, with_shared_floats(shape), values, shape.grid.x).out;
  const Case where = case_of(static_cast<unsigned>(values.size()), shape, note);
  expect_walk(kernel, out, values, where, bound);
}

/// Launches four blocks, in which each thread has `elements` elements.
Launch run_full(Device& device, const InOutKernel<float>& kernel, unsigned elements, unsigned block) {
  constexpr unsigned blocks = 4;
  return run_walk(device, kernel, elements * blocks * block, {.grid = blocks, .block = block});
}

/// A thread that adds in a register does not use shared memory while it does so. The same blocks then use it
/// as often for 12 elements per thread as for 4, whatever their tree looks like.
void check_register(Check& check, const InOutKernel<float>& kernel) {
  const auto wavefronts = [&](unsigned elements) {
    return run_full(check.simulated(), kernel, elements, 256).count(shared_load_and_store_wavefronts);
  };
  expect_at_most("shared wavefronts with 12 elements per thread", wavefronts(12), wavefronts(4).value(),
                 "as many as with 4, if each thread first combines its elements in a register");
}

/// 64 elements for each thread of a few blocks, and 80 for each thread of several hundred. A kernel may give
/// a thread up to 64 of them in one step: still, no block takes more than one step beyond its share, and each
/// takes some. A share may be rounded up to a few steps of the block, but not so far that nothing is left for
/// the last blocks.
constexpr Walk plenty[] = {{64 * 64 * 4, 64, 4}, {80 * 32 * 300, 32, 300}};

/// A single block that does everything gives the right result, too, but slowly. Idle blocks write `nothing`.
std::vector<float> expect_every_block_works(SimulatedDevice& device, const InOutKernel<float>& kernel,
                                            const Walk& walk, const std::vector<float>& values,
                                            float nothing) {
  const auto [launch, out] = run_in_out(device, kernel, with_shared_floats(walk.shape()), values, walk.grid);
  expect_walk(kernel, out, values, case_of(walk.n, walk.shape()));
  const auto results = out.download();
  const std::string blocks = std::to_string(walk.grid);
  expect_at_least("blocks that take elements, of " + blocks + " that have 64 or more for each thread",
                  Measured(std::ranges::count_if(results, [=](float x) { return x != nothing; })), walk.grid,
                  "the blocks divide the elements among them");
  return results;
}

/// A thread may keep several sums of its elements, or one sum and what was rounded off: up to four additions
/// for each element.
void check_grid_technique(Check& check, const InOutKernel<float>& kernel) {
  for (const unsigned block : check.block_sizes())
    for (const unsigned elements : {12u, 1u}) {
      const LaunchAndWork run = launch_and_work(check.simulated(), run_full, kernel, elements, block);
      check_tree_technique(run, elements * 4 * block, 4 * elements);
      expect_all_are_added(run, elements * 4 * block, 4);
    }
  check_register(check, kernel);
}

/// With launches from the check of the result: the seed draws one in eight of them. If the elements do not
/// fill the blocks, the kernel chooses how to divide them: a thread may take four elements at once, and a few
/// more than an even share, and a guard may split a warp.
void check_grid_technique_at_any_size(Check& check, const InOutKernel<float>& kernel) {
  for_every_walk(check, [&](const Walk& walk) {
    if (seed_of(run_seed(), seed_of(walk.n, walk.block), walk.grid) % 8 != 0) return;
    const LaunchAndWork run = launch_and_work(check.simulated(), run_walk, kernel, walk.n, walk.shape());
    check_tree(run, 4 * (ceil_div(walk.n, walk.grid * walk.block) + 4), branches_of_guards);
    expect_all_are_added(run, walk.n, walk.grid);
  });
}

void check_grid_safety(Check& check, const InOutKernel<float>& kernel) {
  for_every_walk(check, [&](const Walk& walk) { check.expect_safe(run_walk, kernel, walk.n, walk.shape()); });
}

template <const auto& kernel>
Launch shown_walk(Device& device, unsigned n) {
  return run_walk(device, kernel, n, walking_grid(device, n, device.block_or(256)));
}

const RegisterKernels grid_kernels({
    {.kernel = reduce_grid_stride,
     .technique = "grid-stride loop, any n",
     .task = "sum n elements with a grid of any size",
     .run = shown_walk<reduce_grid_stride>,
     .is_step = true,
     .comes_from = "reduce_first_add"},
    {.kernel = reduce_max,
     .technique = "grid-stride loop, max",
     .task = "find the largest of n elements with a grid of any size",
     .run = shown_walk<reduce_max>},
});

}  // namespace

WARPWISE_CHECK(reduce_grid_stride, result) {
  for (Device& device : check.devices())
    for_every_walk(check, [&](const Walk& walk) {
      expect_right(device, reduce_grid_stride,
                   random_integers(walk.n, seed_of(walk.n, walk.block, walk.grid)), walk.shape());
    });
}

// A thread adds its share one by one, which may be twice an even one, and then the block adds up its threads'
// sums, in whatever order. A value may go through all of these additions.
WARPWISE_CHECK(reduce_grid_stride, result, "floats that round") {
  for (Device& device : check.devices())
    for (const unsigned block : check.block_sizes()) {
      const Walk walk{7 * 3 * block + block / 2 + 1, block, 3};
      const auto values = random_floats(walk.n, seed_of(walk.n));
      const unsigned additions = 2 * ceil_div(walk.n, walk.grid * block) + block - 1;
      expect_right(device, reduce_grid_stride, values, walk.shape(), "real floats",
                   sum_error_bound(values, additions));
    }
}

WARPWISE_CHECK(reduce_grid_stride, result, "any grid and any values") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (Device& device : check.devices()) {
    for (const Walk& walk : far_walks)
      expect_right(device, reduce_grid_stride, random_integers(walk.n, walk.grid), walk.shape());
    const KeptModuleMemory kept(device);
    for (unsigned i = 0; i < 300; ++i)
      expect_right(device, reduce_grid_stride, random_integers(i % 5 * 37, i),
                   {.grid = 1 + i % 3, .block = 32}, "launch " + std::to_string(i + 1) + " in a row");

    const LaunchShape shape{.grid = 3, .block = 64};
    expect_right(device, reduce_grid_stride, random_integers(500, 1, -3, 3), shape, "zeros and both signs");
    expect_right(device, reduce_grid_stride, random_integers(500, 2, -(1 << 15), 1 << 15), shape,
                 "large numbers");
    expect_right(device, reduce_grid_stride, random_denormals(500, 3), shape, "denormal numbers");
    std::vector<float> values = random_integers(500, 3);
    values[499] = infinity;
    expect_right(device, reduce_grid_stride, values, shape, "with an infinity");
    values[0] = std::numeric_limits<float>::quiet_NaN();
    expect_right(device, reduce_grid_stride, values, shape, "with a NaN");
  }
}

WARPWISE_CHECK(reduce_grid_stride, technique) { check_grid_technique(check, reduce_grid_stride); }
WARPWISE_CHECK(reduce_grid_stride, technique, "at any size") {
  check_grid_technique_at_any_size(check, reduce_grid_stride);
}
// If every element is 1, a block writes how many elements it has taken.
WARPWISE_CHECK(reduce_grid_stride, technique, "every block takes its share") {
  for (const Walk& walk : plenty) {
    const std::vector<float> ones(walk.n, 1.0f);
    const auto counts = expect_every_block_works(check.simulated(), reduce_grid_stride, walk, ones, 0.0f);
    expect_at_most(
        "elements that one of " + std::to_string(walk.grid) + " blocks takes, of " + std::to_string(walk.n),
        Measured(std::ranges::max(counts)), 2 * ceil_div(walk.n, walk.grid),
        "an even share, and at most one step of the grid more");
  }
}
WARPWISE_CHECK(reduce_grid_stride, safety) { check_grid_safety(check, reduce_grid_stride); }

WARPWISE_CHECK(reduce_max, result) {
  for (Device& device : check.devices())
    for_every_walk(check, [&](const Walk& walk) {
      expect_right(device, reduce_max, random_floats(walk.n, seed_of(walk.n, walk.block, walk.grid)),
                   walk.shape());
    });
}

// 0 and -FLT_MAX are not identities of max: here all elements are smaller than 0, or than both.
WARPWISE_CHECK(reduce_max, result, "all elements negative") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (Device& device : check.devices()) {
    for (const unsigned n : {1u, 33u, 1000u})
      expect_right(device, reduce_max, random_integers(n, n, -900, -1), {.grid = 3, .block = 128});
    expect_right(device, reduce_max, std::vector<float>(5, -infinity), {.grid = 2, .block = 64});
  }
}

WARPWISE_CHECK(reduce_max, result, "any grid and any values") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max();
  for (Device& device : check.devices()) {
    for (const Walk& walk : far_walks)
      expect_right(device, reduce_max, random_integers(walk.n, walk.grid, -900, 900), walk.shape());
    const KeptModuleMemory kept(device);
    for (unsigned i = 0; i < 300; ++i)
      expect_right(device, reduce_max, random_integers(i % 5 * 37, i, -900, -100),
                   {.grid = 1 + i % 3, .block = 32});

    const LaunchShape shape{.grid = 3, .block = 64};
    std::vector<float> values = random_integers(500, 1, -900, -1);
    for (const float largest : {-0.5f, 0.0f, 1e-40f, 0.25f, 3.5f, 0x1p30f + 256, most, infinity}) {
      values[499] = largest;  // larger than all the others
      expect_right(device, reduce_max, values, shape);
    }
    expect_right(device, reduce_max, std::vector<float>(500, -most), shape);
  }
}

WARPWISE_CHECK(reduce_max, technique) { check_grid_technique(check, reduce_max); }
WARPWISE_CHECK(reduce_max, technique, "at any size") { check_grid_technique_at_any_size(check, reduce_max); }
WARPWISE_CHECK(reduce_max, technique, "every block takes its share") {
  for (const Walk& walk : plenty)
    expect_every_block_works(check.simulated(), reduce_max, walk, random_integers(walk.n, walk.n, -900, 900),
                             -std::numeric_limits<float>::infinity());
}
WARPWISE_CHECK(reduce_max, safety) { check_grid_safety(check, reduce_max); }
