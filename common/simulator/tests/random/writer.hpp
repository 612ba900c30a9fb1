#pragma once
/// \file Writes one random kernel as CUDA C++.
///
/// Free of races and the same in every run, by construction:
/// - shared memory is exchanged between two block barriers, in code that the whole block runs;
/// - what several threads change is changed by commutative atomics and read after the last barrier;
/// - a `*.sync` instruction names exactly the lanes that reach it: a vote before each branch and at the end
///   of each turn of a loop tells which, and no lane reads from a lane that is not named;
/// - no expression has undefined behaviour, and no function is approximate.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shape.hpp"

namespace warpwise::simulator::tests {

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

  // write_frame.cpp
  void functions();
  void declare_variables();
  void prologue();
  void epilogue();

  // write_statements.cpp: anywhere
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

  // write_statements.cpp: control flow
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
