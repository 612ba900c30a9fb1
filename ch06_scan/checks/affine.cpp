/// \file What chapter 6 requires of reduce_affine, whose operator does not commute: result, technique,
/// safety. Contract: kernels.hpp.

#include "ch06_scan/checks/launches.hpp"
#include "common/harness/check/chapter.hpp"

/// In the namespace of Affine, so that expectations find them.
inline bool operator==(Affine a, Affine b) { return a.scale == b.scale && a.shift == b.shift; }
inline std::string text_of(Affine map) {
  return std::to_string(map.scale) + " x + " + std::to_string(map.shift);
}

using namespace warpwise::harness;
using namespace warpwise::ch06;

namespace {

/// Scales are odd: an even one loses a bit of what came before, and 32 of them lose everything.
std::vector<Affine> random_maps(unsigned n, std::uint64_t seed) {
  const auto words = random_words(2 * n, seed_of(seed, 64));
  std::vector<Affine> maps(n);
  for (unsigned i = 0; i < n; ++i) maps[i] = {words[2 * i] | 1, words[2 * i + 1]};
  return maps;
}

/// For each of `blocks` blocks of `block` threads, its maps applied one after the other.
std::vector<Affine> composed_by_block(const std::vector<Affine>& maps, unsigned block, unsigned blocks) {
  std::vector<Affine> composed(blocks, Affine{1, 0});
  for (std::size_t i = 0; i < maps.size() && i / block < blocks; ++i) {
    Affine& all = composed[i / block];
    all = {all.scale * maps[i].scale, all.shift * maps[i].scale + maps[i].shift};
  }
  return composed;
}

/// The blocks wrote the maps of each block, applied in order.
Launch expect_composed(Device& device, const std::vector<Affine>& maps, LaunchShape shape,
                       const std::string& note = {}) {
  auto [launch, out] = run_in_out(device, reduce_affine, shape, maps, shape.grid.x);
  if (!launch.is_timed())
    expect_equal(out, composed_by_block(maps, shape.block.x, shape.grid.x),
                 case_of(static_cast<unsigned>(maps.size()), shape, note));
  return std::move(launch);
}
Launch run_affine(Device& device, unsigned n, unsigned block) {
  return expect_composed(device, random_maps(n, seed_of(n, block)), thread_for_each(n, block));
}

/// Multiplications, alone or with an addition: two per pair of maps, and those for indices.
bool is_multiplication(const warpwise::simulator::Program& program, warpwise::simulator::Pc pc) {
  using warpwise::simulator::ptx::Result;
  const Result result = program.text_of(pc).row->result;
  return result == Result::multiplied || result == Result::multiplied_and_added;
}

const RegisterKernels affine_kernel({
    {.kernel = reduce_affine,
     .technique = "neighbours combined, in order",
     .task = "apply each block's maps x -> a x + b one by one",
     .run = with_blocks<run_affine>,
     .largest_n = 1u << 24,
     .bytes_per_element = 8},
});

}  // namespace

WARPWISE_CHECK(reduce_affine, result) {
  for (Device& device : check.devices())
    for (const auto [n, block] : check.sizes()) run_affine(device, n, block);
}

WARPWISE_CHECK(reduce_affine, result, "any grid and any maps") {
  for (Device& device : check.devices()) {
    for (const unsigned more_blocks : {1u, 100u}) {
      LaunchShape shape = thread_for_each(100, 64);
      shape.grid.x += more_blocks;
      expect_composed(device, random_maps(100, 1), shape, "more blocks than n needs");
    }
    expect_composed(device, random_maps(70'001, 2), thread_for_each(70'001, 1024));
    expect_composed(device, std::vector<Affine>(1000, {1, 1}), thread_for_each(1000, 256), "x + 1, each");
    expect_composed(device, std::vector<Affine>(1000, {0, 7}), thread_for_each(1000, 256), "constants");
  }
}

WARPWISE_CHECK(reduce_affine, result, "whatever the lanes do") {
  check.under_every_schedule([](Device& device, const std::string& name) {
    expect_composed(device, random_maps(500, 3), thread_for_each(500, 128), name);
  });
}

WARPWISE_CHECK(reduce_affine, technique) {
  const auto count = [&](unsigned n, unsigned block) {
    const auto run = count_instructions(check.simulated(), is_multiplication, run_affine, n, block);
    const Work::Thread& busiest = run.work.busiest;
    expect_at_most("multiplications by thread " + std::to_string(busiest.number) + " in a block of " +
                       std::to_string(block),
                   Measured(busiest.count), 6 * tree_levels(block) + 6,
                   "two per pair of maps, and a thread combines one or two pairs per level of a tree: does "
                   "this one do other threads' work?");
    expect_block_barriers_at_most(run.launch, tree_levels(block) + 1, "one after the load and one per level");
    expect_no_atomics(run.launch);
    // A map is 8 bytes: 32 neighbours fill 8 sectors.
    expect_at_most("sectors of global loads", run.launch.count(&Counters::global_load_sectors),
                   ceil_div(n, 4), "neighbouring threads read neighbouring maps, each once");
  };
  for (const unsigned block : check.block_sizes()) {
    count(4 * block, block);
    for (const unsigned n : check.some_awkward_sizes(block)) count(n, block);
  }
}

WARPWISE_CHECK(reduce_affine, safety) {
  for (const auto [n, block] : check.sizes()) check.expect_safe(run_affine, n, block);
  check.under_every_schedule([&](Device&, const std::string&) { check.expect_safe(run_affine, 500, 128); });
}
