/// \file What chapter 6 asks of reduce_affine, whose operator does not commute. Contract: kernels.hpp.

#include <optional>
#include <vector>

#include "ch06_scan/checks/launches.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"

/// In the namespace of Affine, so that matchers find them.
inline bool operator==(Affine a, Affine b) { return a.scale == b.scale && a.shift == b.shift; }
inline std::string text_of(Affine map) {
  return std::to_string(map.scale) + " x + " + std::to_string(map.shift);
}

using namespace warpwise::harness;
using namespace warpwise::ch06;

namespace {

/// out[b] is what the maps of block b come to, applied one after the other; the identity if it has none.
Requirement<Buffer<Affine>> EqualsComposedMaps(const std::vector<Affine>& maps, unsigned block) {
  const auto require_maps = [block](const Buffer<Affine>& out, const std::vector<unsigned>& words) {
    std::vector<Affine> expected(out.size(), Affine{1, 0});
    for (std::size_t i = 0; 2 * i < words.size() && i / block < out.size(); ++i) {
      const Affine one{words[2 * i], words[2 * i + 1]};
      Affine& all = expected[i / block];
      all = {all.scale * one.scale, all.shift * one.scale + one.shift};
    }
    require(out, Holds(expected).where(case_of(out.memory(), words.size() / 2, 0)));
  };
  std::vector<unsigned> words;
  for (const Affine& map : maps) words.insert(words.end(), {map.scale, map.shift});
  return {"holds the maps of each block, one after the other",
          [require_maps, words = std::move(words)](const Buffer<Affine>& out) {
            ask_with_other_values<unsigned>(out.memory(), {words},
                                            [&](const auto& values) { require_maps(out, values); });
          }};
}

Written<Affine> compose(Device& device, const std::vector<Affine>& maps, const LaunchShape& shape) {
  return run_in_out(device, reduce_affine, shape, maps, shape.grid.x);
}

}  // namespace

TEST_CASE("reduce_affine: each block's maps, at awkward sizes", "[reduce_affine][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = random_maps(n, seed_of(n, block));
  const auto out = compose(device, in, thread_for_each(n, block)).out;
  CHECK_THAT(out, EqualsComposedMaps(in, block));
}

TEST_CASE("reduce_affine: any grid and any maps", "[reduce_affine][result]") {
  Device& device = GENERATE(devices());
  auto in = random_maps(100, 1);
  LaunchShape shape = thread_for_each(100, 64);
  SECTION("more blocks than n needs") { shape.grid.x += GENERATE(1u, 100u); }
  SECTION("x + 1, each") { in.assign(1000, {1, 1}), shape = thread_for_each(1000, 256); }
  SECTION("constants") { in.assign(1000, {0, 7}), shape = thread_for_each(1000, 256); }
  SECTION("large") { in = random_maps(70'001, 2), shape = thread_for_each(70'001, 1024); }
  const auto out = compose(device, in, shape).out;
  CHECK_THAT(out, EqualsComposedMaps(in, shape.block.x));
}

TEST_CASE("reduce_affine: whatever the lanes do", "[reduce_affine][result]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto in = random_maps(500, 3);
  const auto out = compose(device, in, thread_for_each(500, 128)).out;
  CHECK_THAT(out, EqualsComposedMaps(in, 128));
}

TEST_CASE("reduce_affine: a tree that keeps the order", "[reduce_affine][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(4 * block, some_awkward_sizes(block));
  const auto in = random_maps(n, seed_of(n, block));
  const auto [run, out] = counted(device, compose, in, thread_for_each(n, block));
  const Launch& launch = run.launch;
  CHECK_THAT(run,
             JoinsFewValues(6 * tree_levels(block) + 6,
                            "three for a pair of maps, and a thread combines one or two pairs per level of "
                            "a tree"));
  CHECK_THAT(launch.count(&Counters::block_barriers).per_block(),
             AtMost(tree_levels(block) + 1, "block barriers per block of " + std::to_string(block),
                    "one after the load and one per level"));
  CHECK_THAT(launch, HasNoAtomics());
  // A map is 8 bytes: 32 neighbours fill 8 sectors.
  CHECK_THAT(launch.count(&Counters::global_load_sectors),
             AtMost(ceil_div(n, 4), "sectors of global loads",
                    "neighbouring threads read neighbouring maps, each once"));
  CHECK_THAT(out, EqualsComposedMaps(in, block));
}

TEST_CASE("reduce_affine: no findings, at awkward sizes", "[reduce_affine][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = random_maps(n, seed_of(n, block));
  const auto [launch, out] = compose(device, in, thread_for_each(n, block));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsComposedMaps(in, block));
}

TEST_CASE("reduce_affine: no findings, whatever the lanes do", "[reduce_affine][safety]") {
  SimulatedDevice& device = GENERATE(every_order());
  const auto in = random_maps(500, seed_of(500, 128));
  const auto [launch, out] = compose(device, in, thread_for_each(500, 128));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsComposedMaps(in, 128));
}

namespace {

/// The launch that is counted, drawn and, on a GPU, timed.
Launch show_affine(Device& device, unsigned n) {
  const unsigned block = device.block_or(256);
  const auto in = random_maps(n, seed_of(n, block));
  auto [launch, out] = compose(device, in, thread_for_each(n, block));
  if (!launch.is_timed()) require(out, EqualsComposedMaps(in, block));
  return std::move(launch);
}

const RegisterKernels affine_kernel({{.kernel = reduce_affine,
                                      .technique = "neighbours combined, in order",
                                      .task = "apply each block's maps x -> a x + b one by one",
                                      .run = show_affine,
                                      .largest_n = 1u << 24,
                                      .bytes_per_element = 8}});

}  // namespace
