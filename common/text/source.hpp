#pragma once
/// \file What a .cu file of a chapter says, as text: its functions, which of them a kernel calls, and what is
/// still to be written. It knows comments, literals and braces, and no more of the language.

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::text {

struct FunctionText {
  std::string name;
  std::string comment;    ///< the comment lines directly above the definition; each ends with a newline
  std::string code;       ///< the definition, from `template` or its first word to the closing brace
  std::size_t line = 0;   ///< where `code` begins, from 1
  std::size_t start = 0;  ///< where `code` begins, in bytes of the source
  std::size_t body = 0;   ///< where in `code` its opening brace stands
  bool is_kernel = false;

  /// Whether a comment in it says TODO.
  bool has_todo() const;
};

/// The functions that `source` defines outside of classes, in its order. Declarations are left out.
std::vector<FunctionText> functions_in(std::string_view source);

/// Those of them that are `__global__`.
std::vector<FunctionText> kernels_in(std::string_view source);

/// The kernel named `kernel` and the functions that it names, and those that they name: what has to be
/// written for it. A comment names a function, too: where code is still to be written, there is nothing else;
/// a name that may be an English word (no `_`) only with brackets or in backticks. Other kernels are left
/// out. In the order of `source`; empty where there is no such kernel.
std::vector<FunctionText> kernel_and_callees(std::string_view source, std::string_view kernel);

/// The names of the functions of `source`, no kernels, that `code` names, and of those that they name.
std::vector<std::string> names_reached(std::string_view code, std::string_view source);

/// `source` without its comments, each run of white space as one blank: the same for the same code.
std::string code_alone(std::string_view source);

/// Whether `kernel` of an exercise is still a skeleton: a comment says TODO in it, or in a function that it
/// names. The one definition: of `list`, of the screen and of the tests. (Of a kernel that is begun the
/// screen leaves out the TODOs with code below them.)
bool is_skeleton(std::string_view source, std::string_view kernel);

/// `source` without its lines `// [anchor]` and `// [/anchor]`, between which a lesson takes its code.
std::string without_anchors(std::string_view source);

struct Todo {
  unsigned line = 0;
  std::string text;  ///< "load (about 3 lines)": from behind TODO to the first colon or the end of the line
  /// Code stands below it, before the next TODO and the function's end: the comment has outlived its task. A
  /// `return`, which skeletons have, does not count.
  bool is_written = false;
};

/// The TODO comments in `kernel`, whose source is `text`, and in the functions that it names; ascending.
std::vector<Todo> todos_in(std::string_view text, std::string_view kernel);
/// The same for the file at `path`; none where there is no such file.
std::vector<Todo> todos_in_file(const std::string& path, std::string_view kernel);

/// is_skeleton for the file at `path`; false where there is none.
bool is_skeleton_in_file(const std::string& path, std::string_view kernel);

}  // namespace warpwise::text
