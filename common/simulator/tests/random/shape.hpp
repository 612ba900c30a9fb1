#pragma once
/// \file What generator, GPU runner and simulator runner must agree on: how kernel `random_SEED` is launched,
/// what it is given, and how its result becomes one number.
///
///     extern "C" __global__ void random_SEED(const u32* in, u32* out)
///
/// `in` has input_words words. `out` has words_per_thread words for each thread of the grid, zero at first,
/// and behind them total_words words that all threads change by atomics, random at first.

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace warpwise::simulator::tests {

/// SplitMix64 (Steele, Lea, Flood 2014): one multiplication chain a number, the same on every platform.
class Random {
 public:
  /// The seed is mixed first: else the numbers of seed + 1 would be those of seed, one place on.
  explicit Random(std::uint64_t seed) : state_(mixed(seed + 0x632BE59BD9B4E019ull)) {}
  std::uint64_t next() { return mixed(state_ += 0x9E3779B97F4A7C15ull); }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() >> 33) % n; }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

 private:
  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

inline constexpr std::uint32_t input_words = 1024;
inline constexpr std::uint32_t words_per_thread = 10;
inline constexpr std::uint32_t total_words = 32;

struct Shape {
  std::uint32_t grid = 1, block = 32;
  std::uint32_t out_words() const { return grid * block * words_per_thread + total_words; }
};

/// Three kernels of four have whole warps; the fourth has a last warp in which lanes are missing (8 at least
/// are there: they set up the totals).
inline Shape shape_of(std::uint64_t seed) {
  Random random(seed ^ 0x5348415045ull);
  Shape shape;
  shape.grid = 1 + random.below(3);
  shape.block = 32 * (1 + random.below(4));
  if (random.chance(25)) shape.block -= 1 + random.below(24);
  return shape;
}

/// A third each: any bits; small numbers; the patterns at which conversions and comparisons go wrong.
inline std::uint32_t input_word(Random& random) {
  static constexpr std::uint32_t corners[] = {
      0u,          1u,          0x7fffffffu, 0x80000000u, 0xffffffffu, 0x3f800000u, 0xbf800000u, 0x7f800000u,
      0xff800000u, 0x7fc00000u, 0x00000001u, 0x807fffffu, 0x4f000000u, 0xcf000001u, 0x477fe000u};
  const std::uint32_t kind = random.below(3);
  if (kind == 0) return static_cast<std::uint32_t>(random.next());
  if (kind == 1) return random.below(64);
  return corners[random.below(15)];
}

inline std::vector<std::uint32_t> input_of(std::uint64_t seed) {
  Random random(seed ^ 0x494e505554ull);
  std::vector<std::uint32_t> words(input_words);
  for (std::uint32_t& word : words) word = input_word(random);
  return words;
}

inline std::vector<std::uint32_t> output_before(std::uint64_t seed) {
  Random random(seed ^ 0x544f54414cull);
  std::vector<std::uint32_t> words(shape_of(seed).out_words(), 0);
  for (std::size_t i = words.size() - total_words; i < words.size(); ++i) words[i] = input_word(random);
  return words;
}

/// FNV-1a, 64 bits, over the bytes of the words, low bytes first.
inline std::uint64_t hash_of(const std::vector<std::uint32_t>& words) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const std::uint32_t word : words) {
    for (int shift = 0; shift < 32; shift += 8) hash = (hash ^ ((word >> shift) & 0xff)) * 0x100000001b3ull;
  }
  return hash;
}

inline std::string kernel_name(std::uint64_t seed) { return "random_" + std::to_string(seed); }

// Keeps the output of a kernel, so that two runs can be compared word by word (`cmp -l`).

/// Writes FOLDER/SEED.words: the words as they lie in memory. Says so on stderr where that fails.
inline void save_words(const std::vector<std::uint32_t>& words, const std::string& folder,
                       std::uint64_t seed) {
  const std::string path = folder + "/" + std::to_string(seed) + ".words";
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool is_written = file != nullptr && std::fwrite(words.data(), 4, words.size(), file) == words.size();
  if (file != nullptr) std::fclose(file);
  if (!is_written) std::fprintf(stderr, "cannot write %s\n", path.c_str());
}

}  // namespace warpwise::simulator::tests
