/// \file What chapter 3 asks of the reductions with any grid. The kernel chooses which elements a block
/// takes: mostly the results of all blocks are judged together, and each by itself where the loads of the
/// blocks are watched.

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "ch03_bank_conflicts/checks/tree_checks.hpp"
#include "ch03_bank_conflicts/checks/walks.hpp"
#include "ch03_bank_conflicts/kernels.hpp"
#include "common/harness/check/any_size.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch03;

namespace {

/// The blocks of reduce_grid_stride have taken each element once: the sum of all out[b] is that of `in`.
auto AreSumsOf(const std::vector<float>& in) { return AddsUpTo(in); }
/// The largest of all out[b] of reduce_max is that of `in`.
auto AreMaximaOf(const std::vector<float>& in) {
  return ReducesTo<operators::Max>(in, "the largest of out[] is").without_nan();
}

/// What a block takes is what it loads: out[b] is the reduction of that, for each block b.
template <class Operator>
Requirement<Buffer<float>> ReducesOwn(const std::vector<float>& in, const Taken& taken) {
  return {"is the reduction of what each block takes", [&](const Buffer<float>& out) {
            std::vector<double> expected;
            for (std::size_t b = 0; b < out.size(); ++b)
              expected.push_back(reduce<Operator>(taken.part(in, b)));
            require(out, Holds(std::move(expected)).where(case_of(out.memory(), in.size(), 0)));
          }};
}

Written<float> launch_sums(Device& device, const std::vector<float>& in, const LaunchShape& shape) {
  return run_in_out(device, reduce_grid_stride, with_shared_floats(shape), in, shape.grid.x);
}
Written<float> launch_maxima(Device& device, const std::vector<float>& in, const LaunchShape& shape) {
  return run_in_out(device, reduce_max, with_shared_floats(shape), in, shape.grid.x);
}

/// A single block that does everything gives the right result, too, but slowly. Idle blocks write `nothing`.
void check_every_block_works(const std::vector<float>& results, float nothing) {
  const std::size_t blocks = results.size();
  CHECK_THAT(Measured(std::ranges::count_if(results, [=](float x) { return x != nothing; })),
             AtLeast(blocks,
                     "blocks that take elements, of " + std::to_string(blocks) +
                         " that have 64 or more for each thread",
                     "the blocks divide the elements among them"));
}

/// A thread that adds in a register does not use shared memory while it does so. The same blocks then use it
/// as often for 12 elements per thread as for 4, whatever their tree looks like.
auto SpendsNoMoreThan(const Launch& with_four) {
  return AtMost(with_four.count(shared_load_and_store_wavefronts).value(),
                "shared wavefronts with 12 elements per thread",
                "as many as with 4, if each thread first combines its elements in a register");
}

}  // namespace

// --- reduce_grid_stride -----------------------------------------------------------------------------------

TEST_CASE("reduce_grid_stride: the sum, with any grid", "[reduce_grid_stride][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned grid = GENERATE(1u, 3u, 20u);
  const unsigned n = GENERATE_COPY(walking_sizes(grid * block));
  const auto in = random_integers(n, seed_of(n, block, grid));
  const auto out = launch_sums(device, in, {.grid = grid, .block = block}).out;
  CHECK_THAT(out, AreSumsOf(in));
}

// A thread adds its share one by one, which may be twice an even one, and then the block adds up its threads'
// sums, in whatever order. A value may go through all of these additions.
TEST_CASE("reduce_grid_stride: floats that round", "[reduce_grid_stride][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned grid = 3, n = 7 * grid * block + block / 2 + 1;
  const unsigned additions = 2 * ceil_div(n, grid * block) + block - 1;
  const auto in = random_floats(n, seed_of(n));
  const auto out = launch_sums(device, in, {.grid = grid, .block = block}).out;
  INFO("real floats");
  CHECK_THAT(out, AreSumsOf(in).within(sum_error_bound(in, additions)));
}

TEST_CASE("reduce_grid_stride: hundreds of blocks, many elements", "[reduce_grid_stride][result]") {
  Device& device = GENERATE(devices());
  const Walk walk = GENERATE(far_walks());
  const auto in = random_integers(walk.n, walk.grid);
  const auto out = launch_sums(device, in, walk.shape()).out;
  CHECK_THAT(out, AreSumsOf(in));
}

// Whatever a launch leaves behind, in a variable of the module say, the next ones meet.
TEST_CASE("reduce_grid_stride: 300 launches in a row", "[reduce_grid_stride][result]") {
  Device& device = GENERATE(devices());
  const KeptModuleMemory kept(device);
  for (unsigned i = 0; i < 300; ++i) {
    const auto in = random_integers(i % 5 * 37, i);
    const auto out = launch_sums(device, in, {.grid = 1 + i % 3, .block = 32}).out;
    INFO("launch " << i + 1 << " in a row");
    REQUIRE_THAT(out, AreSumsOf(in));
  }
}

TEST_CASE("reduce_grid_stride: values that a cheap mistake would lose", "[reduce_grid_stride][result]") {
  Device& device = GENERATE(devices());
  constexpr float infinity = std::numeric_limits<float>::infinity();
  auto in = random_integers(500, 3);
  SECTION("zeros and both signs") { in = random_integers(500, 1, -3, 3); }
  SECTION("large numbers") { in = random_integers(500, 2, -(1 << 15), 1 << 15); }  // 500 are below 2^24
  SECTION("denormal numbers") { in = random_denormals(500, 3); }
  SECTION("with an infinity") { in[499] = infinity; }
  SECTION("with a NaN") { in[0] = std::numeric_limits<float>::quiet_NaN(), in[499] = infinity; }
  const auto out = launch_sums(device, in, {.grid = 3, .block = 64}).out;
  CHECK_THAT(out, AreSumsOf(in));
}

// If every element is 1, a block writes how many elements it has taken.
TEST_CASE("reduce_grid_stride: every block takes its share", "[reduce_grid_stride][technique]") {
  SimulatedDevice& device = simulated();
  const Walk walk = GENERATE(walks_with_plenty());
  const std::vector<float> ones(walk.n, 1.0f);
  const auto out = launch_sums(device, ones, walk.shape()).out;
  const auto counts = out.download();
  check_every_block_works(counts, 0);
  CHECK_THAT(Measured(std::ranges::max(counts)),
             AtMost(2 * ceil_div(walk.n, walk.grid),
                    "elements that one of " + std::to_string(walk.grid) + " blocks takes, of " +
                        std::to_string(walk.n),
                    "an even share, and at most one step of the grid more"));
  CHECK_THAT(out, AreSumsOf(ones));
}

// --- reduce_max -------------------------------------------------------------------------------------------

TEST_CASE("reduce_max: the largest, with any grid", "[reduce_max][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned grid = GENERATE(1u, 3u, 20u);
  const unsigned n = GENERATE_COPY(walking_sizes(grid * block));
  const auto in = random_floats(n, seed_of(n, block, grid));
  const auto out = launch_maxima(device, in, {.grid = grid, .block = block}).out;
  CHECK_THAT(out, AreMaximaOf(in));
}

// 0 and -FLT_MAX are not identities of max: in the next three all elements are smaller than 0, or than both.
TEST_CASE("reduce_max: all elements negative", "[reduce_max][result]") {
  Device& device = GENERATE(devices());
  const unsigned n = GENERATE(1u, 33u, 1000u);
  const auto in = random_integers(n, n, -900, -1);
  const auto out = launch_maxima(device, in, {.grid = 3, .block = 128}).out;
  CHECK_THAT(out, AreMaximaOf(in));
}

TEST_CASE("reduce_max: all elements -infinity", "[reduce_max][result]") {
  Device& device = GENERATE(devices());
  const std::vector<float> in(5, -std::numeric_limits<float>::infinity());
  const auto out = launch_maxima(device, in, {.grid = 2, .block = 64}).out;
  CHECK_THAT(out, AreMaximaOf(in));
}

TEST_CASE("reduce_max: all elements -FLT_MAX", "[reduce_max][result]") {
  Device& device = GENERATE(devices());
  const std::vector<float> in(500, -std::numeric_limits<float>::max());
  const auto out = launch_maxima(device, in, {.grid = 3, .block = 64}).out;
  CHECK_THAT(out, AreMaximaOf(in));
}

TEST_CASE("reduce_max: the last element larger than all others", "[reduce_max][result]") {
  Device& device = GENERATE(devices());
  auto in = random_integers(500, 1, -900, -1);
  in[499] = GENERATE(-0.5f, 0.0f, 1e-40f, 0.25f, 3.5f, 0x1p30f + 256, std::numeric_limits<float>::max(),
                     std::numeric_limits<float>::infinity());
  const auto out = launch_maxima(device, in, {.grid = 3, .block = 64}).out;
  CHECK_THAT(out, AreMaximaOf(in));
}

TEST_CASE("reduce_max: hundreds of blocks, many elements", "[reduce_max][result]") {
  Device& device = GENERATE(devices());
  const Walk walk = GENERATE(far_walks());
  const auto in = random_integers(walk.n, walk.grid, -900, 900);
  const auto out = launch_maxima(device, in, walk.shape()).out;
  CHECK_THAT(out, AreMaximaOf(in));
}

TEST_CASE("reduce_max: 300 launches in a row", "[reduce_max][result]") {
  Device& device = GENERATE(devices());
  const KeptModuleMemory kept(device);
  for (unsigned i = 0; i < 300; ++i) {
    const auto in = random_integers(i % 5 * 37, i, -900, -100);
    const auto out = launch_maxima(device, in, {.grid = 1 + i % 3, .block = 32}).out;
    INFO("launch " << i + 1 << " in a row");
    REQUIRE_THAT(out, AreMaximaOf(in));
  }
}

TEST_CASE("reduce_max: every block takes its share", "[reduce_max][technique]") {
  SimulatedDevice& device = simulated();
  const Walk walk = GENERATE(walks_with_plenty());
  const auto in = random_integers(walk.n, walk.n, -900, 900);
  const auto out = launch_maxima(device, in, walk.shape()).out;
  check_every_block_works(out.download(), -std::numeric_limits<float>::infinity());
  CHECK_THAT(out, AreMaximaOf(in));
}

// --- The same cases for both ------------------------------------------------------------------------

namespace {

/// A kernel, and what it must write.
struct Sums {
  static constexpr KernelName kernel = reduce_grid_stride;
  using Operator = operators::Sum;
  static constexpr auto launch = launch_sums;
  static constexpr auto AreResultsOf = AreSumsOf;
};
struct Maxima {
  static constexpr KernelName kernel = reduce_max;
  using Operator = operators::Max;
  static constexpr auto launch = launch_maxima;
  static constexpr auto AreResultsOf = AreMaximaOf;
};

/// Also of a launch whose elements are all the operator's identity.
template <class Reduction>
void each_block_reduces_its_own() {
  SimulatedDevice& device = simulated();
  const Walk walk = GENERATE(drawn_walks());
  auto in = random_integers(walk.n, seed_of(walk.n, walk.block, walk.grid), -900, 900);
  if (walk.n == 5) std::ranges::fill(in, static_cast<float>(Reduction::Operator::template identity<double>));
  std::optional<Written<float>> written;
  const Taken taken =
      taken_of(device, "in", [&] { written.emplace(Reduction::launch(device, in, walk.shape())); });
  CHECK_THAT(written->out, Reduction::AreResultsOf(in));
  CHECK_THAT(written->out, ReducesOwn<typename Reduction::Operator>(in, taken));
}

// A thread may keep several sums of its elements, or one sum and what was rounded off: up to four additions
// for each element.
template <class Reduction>
void one_tree_a_block() {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned elements_a_thread = GENERATE(12u, 1u);
  const unsigned n = elements_a_thread * 4 * block;
  const auto in = random_integers(n, seed_of(n, block));
  const auto [run, out] = counted(device, Reduction::launch, in, LaunchShape{.grid = 4, .block = block});
  check_tree(run, 4 * elements_a_thread, 0);
  CHECK_THAT(run, ReadsNeighbours(n));
  CHECK_THAT(out, Reduction::AreResultsOf(in));
}

template <class Reduction>
void combines_in_a_register() {
  SimulatedDevice& device = simulated();
  const LaunchShape shape{.grid = 4, .block = 256};
  constexpr unsigned n = 4 * 4 * 256;
  const auto four = random_integers(n, seed_of(n, 256)), twelve = random_integers(3 * n, seed_of(3 * n, 256));
  const auto [with_four, out_of_four] = Reduction::launch(device, four, shape);
  REQUIRE_THAT(out_of_four, Reduction::AreResultsOf(four));
  const auto [with_twelve, out_of_twelve] = Reduction::launch(device, twelve, shape);
  CHECK_THAT(with_twelve.count(shared_load_and_store_wavefronts), SpendsNoMoreThan(with_four));
  CHECK_THAT(with_twelve.count(&Counters::local_load_requests),
             AtMost(with_four.count(&Counters::local_load_requests).value(),
                    "local load requests with 12 elements per thread",
                    "as many as with 4: an array whose index the compiler does not know is in no register"));
  CHECK_THAT(out_of_twelve, Reduction::AreResultsOf(twelve));
}

// If the elements do not fill the blocks, the kernel chooses how to divide them: a thread may take four
// elements at once, and a few more than an even share, and a guard may split a warp. Four more are enough for
// who loads four at once: the last ones, too few for that, go to threads that have less.
template <class Reduction>
void one_tree_a_block_at_any_size() {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned grid = GENERATE(1u, 3u, 20u);
  const unsigned n = GENERATE_COPY(walking_sizes(grid * block));
  if (!is_drawn(n, block, grid) && n < 60 * grid * block) return;
  const auto in = random_integers(n, seed_of(n, block));
  const auto [run, out] = counted(device, Reduction::launch, in, LaunchShape{.grid = grid, .block = block});
  const unsigned most = ceil_div(n, grid * block) + 4;
  check_tree(run, 4 * most, branches_of_guards);
  CHECK_THAT(run, LoadsEachElementOnce(n));
  // Where a stretch begins inside a sector, 32 elements are in five; and each warp may have a few elements
  // more than it can load 32 at a time.
  CHECK_THAT(Measured(run.work.reads.contains("in") ? run.work.reads.at("in").sectors : 0),
             AtMost(5 * ceil_div(n, 32) + 2 * grid * block / 32,
                    "global load sectors for " + std::to_string(n) + " elements",
                    "neighbouring threads read neighbouring elements"));
  const ThreadCount& busiest = run.work.loaded;
  CHECK_THAT(Measured(busiest.count / sizeof(float)),
             AtMost(most,
                    "elements that thread " + std::to_string(busiest.number) + " of block " +
                        std::to_string(busiest.block) + " takes, of " + std::to_string(n) + " for " +
                        std::to_string(grid) + " blocks of " + std::to_string(block),
                    "four beyond an even share"));
  CHECK_THAT(out, Reduction::AreResultsOf(in));
}

template <class Reduction>
void grids_without_findings() {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned grid = GENERATE(1u, 3u, 20u);
  const unsigned n = GENERATE_COPY(walking_sizes(grid * block));
  const auto in = random_integers(n, seed_of(n, block));
  const auto [launch, out] = Reduction::launch(device, in, {.grid = grid, .block = block});
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, Reduction::AreResultsOf(in));
}

template <class Reduction>
bool register_grid_cases() {
  const std::string name(Reduction::kernel.text);
  const std::string technique = "[" + name + "][technique]", safety = "[" + name + "][safety]";
  REGISTER_TEST_CASE(each_block_reduces_its_own<Reduction>, name + ": each block reduces its own",
                     "[" + name + "][result]");
  REGISTER_TEST_CASE(one_tree_a_block<Reduction>, name + ": one tree a block", technique);
  REGISTER_TEST_CASE(combines_in_a_register<Reduction>, name + ": combines in a register", technique);
  REGISTER_TEST_CASE(one_tree_a_block_at_any_size<Reduction>, name + ": one tree a block, at any size",
                     technique);
  REGISTER_TEST_CASE(grids_without_findings<Reduction>, name + ": no findings", safety);
  return true;
}
[[maybe_unused]] const bool are_grid_cases_registered[] = {register_grid_cases<Sums>(),
                                                           register_grid_cases<Maxima>()};

// --- What the chapter shows of them -----------------------------------------------------------------------

Launch show_sums(Device& device, unsigned n) {
  const unsigned block = device.block_or(256);
  const auto in = random_integers(n, seed_of(n, block));
  auto [launch, out] = launch_sums(device, in, walking_grid(device, n, block));
  constexpr unsigned exact = 1u << 20;  // sums of so many fit into a float
  if (!launch.is_timed()) require(out, AreSumsOf(in).within(n <= exact ? 0 : sum_error_bound(in, exact)));
  return std::move(launch);
}
Launch show_maxima(Device& device, unsigned n) {
  const unsigned block = device.block_or(256);
  const auto in = random_integers(n, seed_of(n, block));
  auto [launch, out] = launch_maxima(device, in, walking_grid(device, n, block));
  if (!launch.is_timed()) require(out, AreMaximaOf(in));
  return std::move(launch);
}

const RegisterKernels grid_kernels({
    {.kernel = reduce_grid_stride,
     .technique = "grid-stride loop, any n",
     .task = "sum n elements with a grid of any size",
     .run = show_sums,
     .is_step = true,
     .comes_from = "reduce_first_add"},
    {.kernel = reduce_max,
     .technique = "grid-stride loop, max",
     .task = "find the largest of n elements with a grid of any size",
     .run = show_maxima},
});

}  // namespace
