#pragma once
/// \file Affine maps for the checks of reduce_affine: inputs, launches and expected results.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ch06_scan/checks/launches.hpp"

/// In the namespace of Affine, so that expectations find them.
inline bool operator==(Affine a, Affine b) { return a.scale == b.scale && a.shift == b.shift; }
inline std::string text_of(Affine map) {
  return std::to_string(map.scale) + " x + " + std::to_string(map.shift);
}

namespace warpwise::ch06 {

/// Scales are odd: an even one loses a bit of what came before, and 32 of them lose everything.
inline std::vector<Affine> random_maps(unsigned n, std::uint64_t seed) {
  const auto words = harness::random_words(2 * n, harness::seed_of(seed, 64));
  std::vector<Affine> maps(n);
  for (unsigned i = 0; i < n; ++i) maps[i] = {words[2 * i] | 1, words[2 * i + 1]};
  return maps;
}

/// For each of `blocks` blocks of `block` threads, its maps applied one after the other.
inline std::vector<Affine> composed_by_block(const std::vector<Affine>& maps, unsigned block,
                                             unsigned blocks) {
  std::vector<Affine> composed(blocks, Affine{1, 0});
  for (std::size_t i = 0; i < maps.size() && i / block < blocks; ++i) {
    Affine& all = composed[i / block];
    all = {all.scale * maps[i].scale, all.shift * maps[i].scale + maps[i].shift};
  }
  return composed;
}

inline Launch run_affine(Device& device, unsigned n, unsigned block) {
  const LaunchShape shape = thread_for_each(n, block);
  const auto maps = random_maps(n, harness::seed_of(n, block));
  auto [launch, out] = run_in_out(device, reduce_affine, shape, maps, shape.grid.x);
  if (device.is_simulated())
    harness::expect_equal(out, composed_by_block(maps, block, shape.grid.x), case_of(n, shape));
  return std::move(launch);
}

}  // namespace warpwise::ch06
