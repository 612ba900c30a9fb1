#pragma once
/// \file What braces, parentheses and semicolons say of a source file: which lines are the body of which loop
/// or function, and behind which lines a statement can be put. It knows comments, literals and `#if`, and no
/// more of the language.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../program.hpp"

namespace warpwise::simulator::observe {

/// A pair of braces inside a function, or the body of a loop that has none. Lines count from 1.
struct CodeBlock {
  std::uint32_t begin = 0;  ///< where the loop, the condition or the function in front of it begins
  std::uint32_t open = 0;   ///< the body lies in (open, end]
  std::uint32_t end = 0;
  int parent = -1;  ///< of Statements::blocks(); -1: none
  bool is_loop = false;
  bool is_function = false;
  bool lacks_braces = false;

  bool spans(std::uint32_t line) const { return begin <= line && line <= end; }
  bool contains(std::uint32_t line) const { return open < line && line <= end; }
};

/// A place for a statement: behind the end of `line`, directly in `block`.
struct CodePosition {
  int block = -1;
  std::uint32_t line = 0;
  bool operator==(const CodePosition&) const = default;
};

class Statements {
 public:
  /// `has_code(line)`: the compiler has made instructions of the line. It tells which branch of an `#if` was
  /// compiled. Without lines all is one function.
  Statements(std::vector<std::string> lines, const std::function<bool(std::uint32_t)>& has_code);

  const std::vector<CodeBlock>& blocks() const { return blocks_; }
  /// The innermost one whose body has the line; -1: none.
  int block_of(std::uint32_t line) const;
  /// The function that has the line, its head included; -1: none.
  int function_of(std::uint32_t line) const;
  /// The innermost loop that has both lines, its head included, or else their function; -1: none.
  int round_of(std::uint32_t a, std::uint32_t b) const;
  /// The first place behind `line` that is directly in `block`; line 0: none.
  CodePosition behind(std::uint32_t line, int block) const;
  /// The last one in front of the statement of `block` that has `line`.
  CodePosition in_front_of(std::uint32_t line, int block) const;
  /// The last one in `block`.
  CodePosition end_of(int block) const;
  /// Whether a thread that was last seen at `line` may have left `block` by a `continue`, `break` or
  /// `return`.
  bool may_jump_out(std::uint32_t line, int block) const;
  /// Of an `if`, an `else` or a loop: its lines up to the body, and the last one of the body.
  struct Head {
    std::uint32_t begin = 0, open = 0, end = 0;
    bool is_loop = false;
  };
  /// Those around the line, the innermost first, that of a statement without braces too.
  std::vector<Head> heads_around(std::uint32_t line) const;
  /// The line of the innermost `if` or `else` of them; 0: none.
  std::uint32_t condition_of(std::uint32_t line) const;
  /// Where the statement begins that ends in the line, or that the line is in the middle of.
  std::uint32_t start_of(std::uint32_t line) const;
  /// Block `inner` lies in `outer`, or is the same.
  bool is_nested(int inner, int outer) const;

 private:
  class Scanner;
  struct Jump {
    std::uint32_t line = 0;
    bool leaves_function = false;
  };
  bool has_word(std::uint32_t line, const std::string& word) const;

  std::vector<std::string> lines_;     ///< without comments, literals and what was not compiled
  std::vector<CodeBlock> blocks_;      ///< outer ones first
  std::vector<int> at_end_;            ///< of each line: the innermost block there
  std::vector<bool> is_place_;         ///< a statement can be put behind the line
  std::vector<std::uint32_t> starts_;  ///< of each line: where the statement that it ends in begins
  std::vector<Jump> jumps_;
};

/// Those of a file that the program was compiled from. `reach`: instructions that tell which lines were.
Statements read_statements(const Program& program, PcRange reach, const std::string& path);

}  // namespace warpwise::simulator::observe
