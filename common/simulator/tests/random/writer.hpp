#pragma once
/// \file The writer of one kernel, behind write_kernel: its parts stand in write_frame, write_statements and
/// write_control.cpp.

#include <string>
#include <string_view>

#include "expression_writer.hpp"
#include "shape.hpp"

namespace warpwise::simulator::tests {

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

  // write_control.cpp
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
