#include "inputs.hpp"

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

/// The random word of one position: element i depends on i, not only on how often the generator was asked.
std::uint64_t word_at(std::uint64_t seed, std::uint64_t i) {
  const std::uint64_t run = run_seed() == 0 ? 0 : mixed(run_seed());
  return mixed(mixed(seed) ^ mixed(i) ^ run);
}
}  // namespace

void set_run_seed(std::uint64_t seed) { seed_of_run() = seed; }
std::uint64_t run_seed() { return seed_of_run(); }

std::uint64_t seed_of(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return mixed(mixed(mixed(a) ^ b) + c);
}

std::vector<float> random_integers(unsigned n, std::uint64_t seed, int low, int high) {
  const auto range = static_cast<std::uint64_t>(std::int64_t{high} - low + 1);
  std::vector<float> values(n);
  for (unsigned i = 0; i < n; ++i) {
    values[i] = static_cast<float>(low + static_cast<std::int64_t>(word_at(seed, i) % range));
  }
  return values;
}

std::vector<float> random_floats(unsigned n, std::uint64_t seed) {
  std::vector<float> values(n);
  for (unsigned i = 0; i < n; ++i) {
    const auto mantissa = static_cast<std::int32_t>(word_at(seed, i) >> 39);  // 25 bits: [0, 2^25)
    values[i] = static_cast<float>(mantissa - (1 << 24)) * 0x1p-24f;
  }
  return values;
}

std::vector<std::uint32_t> random_words(unsigned n, std::uint64_t seed) {
  std::vector<std::uint32_t> values(n);
  for (unsigned i = 0; i < n; ++i) values[i] = static_cast<std::uint32_t>(word_at(seed, i));
  return values;
}

}  // namespace warpwise::harness
