#include "inputs.hpp"

#include <set>

namespace warpwise::harness {

namespace {
/// SplitMix64 (G. Steele, D. Lea, C. Flood: "Fast splittable pseudorandom number generators", 2014): a good
/// mixture of 64 bits, and unlike the distributions of <random> the same on every machine.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

std::uint64_t& seed_of_run() {
  static std::uint64_t seed = 0;
  return seed;
}

/// n values made by `value_of` of a random word each: element i depends on i, not only on how often the
/// generator was asked.
template <class MakeValue>
auto random_values(unsigned n, std::uint64_t seed, MakeValue value_of) {
  const std::uint64_t base = mixed(seed) ^ (run_seed() == 0 ? 0 : mixed(run_seed()));
  std::vector<decltype(value_of(std::uint64_t{}))> values(n);
  for (unsigned i = 0; i < n; ++i) values[i] = value_of(mixed(base ^ mixed(i)));
  return values;
}
}  // namespace

void set_run_seed(std::uint64_t seed) { seed_of_run() = seed; }
std::uint64_t run_seed() { return seed_of_run(); }

std::uint64_t seed_of(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return mixed(mixed(mixed(a) ^ b) + c);
}

std::vector<unsigned> drawn_sizes(std::uint64_t most) {
  std::vector<unsigned> sizes;
  for (unsigned draw = 0; run_seed() != 0 && draw < 3; ++draw)
    sizes.push_back(static_cast<unsigned>(seed_of(run_seed(), most, draw) % most));
  return sizes;
}

std::vector<unsigned> awkward(unsigned stretch) {
  std::set<unsigned> sizes{1, 31, 32, 33, 1023, 1024, 1025};
  for (unsigned whole = 1; whole <= 3; ++whole) {
    sizes.insert({whole * stretch - 1, whole * stretch, whole * stretch + 1});
  }
  sizes.insert(5 * stretch + stretch / 2 + 3);  // several stretches, the last one half empty
  // The same where pairs and rows of 32 are whole: more than a half, for whoever guards both halves by one.
  sizes.insert(2 * stretch + stretch / 2 + stretch / 4);
  for (const unsigned drawn : drawn_sizes(6 * std::uint64_t{stretch})) sizes.insert(drawn);
  sizes.erase(0);
  std::vector<unsigned> in_order(sizes.begin(), sizes.end());
  in_order.push_back(0);
  return in_order;
}

std::vector<float> random_integers(unsigned n, std::uint64_t seed, int low, int high) {
  const auto range = static_cast<std::uint64_t>(std::int64_t{high} - low + 1);
  return random_values(n, seed, [=](std::uint64_t word) {
    return static_cast<float>(low + static_cast<std::int64_t>(word % range));
  });
}

std::vector<float> random_denormals(unsigned n, std::uint64_t seed) {
  std::vector<float> values = random_integers(n, seed);
  for (float& value : values) value *= 0x1p-149f;
  return values;
}

std::vector<float> one_rounding() { return {1.0f, 0x1.8p-24f}; }

std::vector<float> random_floats(unsigned n, std::uint64_t seed) {
  return random_values(n, seed, [](std::uint64_t word) {
    const auto mantissa = static_cast<std::int32_t>(word >> 39);  // 25 bits: [0, 2^25)
    return static_cast<float>(mantissa - (1 << 24)) * 0x1p-24f;
  });
}

std::vector<std::uint32_t> random_words(unsigned n, std::uint64_t seed) {
  return random_values(n, seed, [](std::uint64_t word) { return static_cast<std::uint32_t>(word); });
}

}  // namespace warpwise::harness
