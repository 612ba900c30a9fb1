#include "sizes.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "inputs.hpp"
#include "other_orders.hpp"

namespace warpwise::harness {

namespace {
constexpr unsigned all_block_sizes[] = {32, 64, 128, 256, 512, 1024}, few_block_sizes[] = {32, 256};
}

const unsigned* EveryBlockSize::begin() const {
  return other_order() ? std::begin(few_block_sizes) : std::begin(all_block_sizes);
}
const unsigned* EveryBlockSize::end() const {
  return other_order() ? std::end(few_block_sizes) : std::end(all_block_sizes);
}

std::vector<unsigned> awkward_sizes(unsigned stretch) {
  if (other_order()) return {3 * stretch - 5, stretch / 2 + 3};
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

std::vector<unsigned> some_awkward_sizes(unsigned stretch, unsigned count) {
  const std::vector<unsigned> all = awkward_sizes(stretch);
  std::vector<unsigned> some;
  for (unsigned draw = 0; draw < count; ++draw)
    some.push_back(all[seed_of(run_seed(), stretch, 100 + draw) % all.size()]);
  return some;
}

std::vector<Sizes> every_size_and_block(const std::vector<unsigned>& blocks) {
  std::vector<Sizes> all;
  const unsigned most = *std::max_element(blocks.begin(), blocks.end(), [](unsigned a, unsigned b) {
    return (a <= 256 ? a : 0) < (b <= 256 ? b : 0);
  });
  for (const unsigned block : blocks) {
    if (other_order() && block != blocks.front() && block != most) continue;
    for (const unsigned n : awkward_sizes(block)) all.push_back({n, block});
  }
  return all;
}

}  // namespace warpwise::harness
