#pragma once
/// \file What generator, GPU runner and simulator runner must agree on: how kernel `random_SEED` is launched,
/// what it is given, and how its result becomes one number. And the generator, which writes the kernel as
/// CUDA C++.
///
///     extern "C" __global__ void random_SEED(const u32* in, u32* out)
///
/// `in` has input_words words. `out` has words_per_thread words for each thread of the grid, zero at first,
/// and behind them total_words words that all threads change by atomics, random at first.
///
/// Free of races and the same in every run, by construction:
/// - shared memory is exchanged between two block barriers, in code that the whole block runs;
/// - what several threads change is changed by commutative atomics and read after the last barrier;
/// - a `*.sync` instruction names exactly the lanes that reach it: a vote before each branch and at the end
///   of each turn of a loop tells which, and no lane reads from a lane that is not named;
/// - no expression has undefined behaviour, and no function is approximate.

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>
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

/// Source text of the device functions and of the kernel `random_SEED`.
std::string write_kernel(std::uint64_t seed);

/// The types of a random kernel's variables, spelled as in prelude.cuh, and how many of each it has: u32_0,
/// u32_1 ...
inline constexpr std::string_view value_types[] = {"u8",  "u16", "u32", "u64", "s8",
                                                   "s16", "s32", "s64", "f32", "f64"};
inline constexpr std::uint32_t variables_per_type = 2;

inline bool is_float(std::string_view type) { return type[0] == 'f'; }
inline bool is_signed(std::string_view type) { return type[0] == 's'; }
inline std::string_view random_type(Random& random) { return value_types[random.below(10)]; }

/// Fills the places of `text` from left to right: `$u32` stands for an expression of that type, `@u32` for a
/// variable,
/// `$?` for a condition, `$#` for a number from 0 to 255. Expressions have at most `depth` productions one
/// inside the other (productions.cpp). All that is random about a text is drawn here, place by place: the
/// operands of C++'s `+` are evaluated in an order of the compiler's choice, and a seed must give the same
/// kernel everywhere.
std::string random_text(Random& random, std::string_view text, std::uint32_t depth);

/// `text` with every `from` as `to`.
std::string replace_all(std::string text, std::string_view from, std::string_view to);

/// What is known about the lanes that run a statement.
struct Context {
  std::string mask;         ///< an expression: exactly the lanes of the warp that are here
  std::uint32_t group = 0;  ///< lanes come in whole, aligned groups of this many; 0: any lanes
  bool is_block_uniform = false;
  std::uint32_t depth = 0;  ///< of nested control flow
  std::uint32_t indent = 1;
};

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : seed_(seed), shape_(shape_of(seed)), random_(seed) {}
  std::string write();

 private:
  using Statement = void (Writer::*)(const Context&);

  /// Adds a line in the notation of random_text; `MASK` and `SEED` are replaced first.
  void line(const Context& context, std::string_view text, std::uint32_t depth = 2);
  std::string fresh(const char* stem) { return stem + std::to_string(++names_); }
  std::string_view one_of(std::initializer_list<std::string_view> texts) {
    return texts.begin()[random_.below(static_cast<std::uint32_t>(texts.size()))];
  }

  // the frame
  void functions();
  void declare_variables();
  void prologue();
  void epilogue();

  // anywhere
  void assign(const Context& context);
  void local_array(const Context& context);
  void call(const Context& context);
  void own_atomic(const Context& context);
  void shared_total(const Context& context);
  void global_total(const Context& context);
  void vote(const Context& context);
  void match(const Context& context);
  void reduce(const Context& context);
  void shuffle(const Context& context);
  void load(const Context& context);
  // where the whole block is
  void exchange(const Context& context);
  void exchange_vectors(const Context& context);
  void block_vote(const Context& context);

  // control flow
  void statements(const Context& context, std::uint32_t count);
  void branch(const Context& context);
  void split_by_lane(const Context& context);
  void loop(const Context& context);
  void counted_loop(const Context& context);
  void choose(const Context& context);

  std::uint64_t seed_;
  Shape shape_;
  Random random_;
  std::string text_;
  std::uint32_t names_ = 0;
};

}  // namespace warpwise::simulator::tests
