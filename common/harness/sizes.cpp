#include "sizes.hpp"

#include <set>

#include "inputs.hpp"

namespace warpwise::harness {

std::vector<unsigned> awkward_sizes(unsigned stretch) {
  std::set<unsigned> sizes{1, 31, 32, 33, 1023, 1024, 1025};
  for (unsigned whole = 1; whole <= 3; ++whole) {
    sizes.insert({whole * stretch - 1, whole * stretch, whole * stretch + 1});
  }
  sizes.insert(5 * stretch + stretch / 2 + 3);  // several stretches, the last one half empty
  for (unsigned draw = 0; run_seed() != 0 && draw < 3; ++draw)
    sizes.insert(static_cast<unsigned>(seed_of(run_seed(), stretch, draw) % (6 * std::uint64_t{stretch})));
  sizes.erase(0);
  std::vector<unsigned> in_order(sizes.begin(), sizes.end());
  in_order.push_back(0);
  return in_order;
}

std::vector<Sizes> every_size_and_block(const std::vector<unsigned>& blocks) {
  std::vector<Sizes> all;
  for (const unsigned block : blocks)
    for (const unsigned n : awkward_sizes(block)) all.push_back({n, block});
  return all;
}

}  // namespace warpwise::harness
