#pragma once
/// \file What a .cu file of a chapter says, as text: its functions, which of them a kernel calls, and what is
/// still to be written. It knows comments, literals and braces, and no more of the language.

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::text {

// Kinds of characters in ASCII, whatever the language of the machine.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// A character of a name of C++.
constexpr bool is_of_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

struct Function {
  std::string name;
  std::string comment;    ///< the comment lines directly above the definition; each ends with a newline
  std::string code;       ///< the definition, from `template` or its first word to the closing brace
  std::size_t line = 0;   ///< where `code` begins, from 1
  std::size_t start = 0;  ///< where `code` begins, in bytes of the source
  std::size_t body = 0;   ///< where in `code` its opening brace stands
  bool is_kernel = false;
  bool has_todo = false;  ///< a comment in it says TODO
};

struct Todo {
  unsigned line = 0;
  std::string text;  ///< "load (about 3 lines)": from behind TODO to the first colon or the end of the line
  /// Code stands below it, before the next TODO and the function's end: the comment has outlived its task. A
  /// `return`, which skeletons have, does not count.
  bool is_written = false;
};

/// A .cu file, or a part of one.
class Source {
 public:
  Source() = default;  ///< an empty one: the file is not there
  explicit Source(std::string text);

  const std::string& text() const { return text_; }
  /// The functions that it defines outside of classes, in its order. Declarations are left out.
  const std::vector<Function>& functions() const& { return functions_; }
  const std::vector<Function>& functions() const&& = delete;  ///< of a value that is gone behind the line
  /// The names of those that are `__global__`.
  std::vector<std::string> kernels() const;

  /// The kernel named `kernel` and the functions that it names, and those that they name: what has to be
  /// written for it. A comment names a function, too: where code is still to be written, there is nothing
  /// else; a name that may be an English word (no `_`) only with brackets or in backticks. Other kernels are
  /// left out. In the order of the file; empty if there is no such kernel.
  std::vector<Function> kernel_and_callees(std::string_view kernel) const;
  /// The names of its functions, no kernels, that `code` names, and of those that they name.
  std::vector<std::string> names_reached(std::string_view code) const;
  /// The file without the other kernels and the functions that only they call. What stands outside of
  /// functions may call one, as macros do.
  std::string own_text(std::string_view kernel) const;
  /// The text with blanks for the other kernels, so that each line is where it was. Kernels whose names
  /// differ from `kernel` in the number at the end alone stay: a family is judged together. Empty if there is
  /// no such kernel.
  std::string with_kernel_alone(std::string_view kernel) const;

  /// Whether `kernel` is still a skeleton: a comment says TODO in it, or in a function that it names. The one
  /// definition: of `list`, of the screen and of the tests. (Of a kernel that is begun the screen leaves out
  /// the TODOs with code below them.)
  bool is_skeleton(std::string_view kernel) const;
  /// The TODO comments in `kernel` and in the functions that it names; ascending.
  std::vector<Todo> todos_of(std::string_view kernel) const;

 private:
  std::string text_;
  std::vector<Function> functions_;
};

/// The file at `path`; an empty source if there is none.
Source read_source(const std::string& path);

/// What it includes by a name in quotes, in its order.
std::vector<std::string> includes_in(std::string_view source);

/// `source` without its comments, each run of white space as one blank: the same for the same code.
std::string code_alone(std::string_view source);

/// `source` without its lines `// [anchor]` and `// [/anchor]`, between which a lesson takes its code.
std::string without_anchors(std::string_view source);

}  // namespace warpwise::text
