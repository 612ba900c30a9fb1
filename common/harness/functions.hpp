#pragma once
/// \file What a .cu file of a chapter says, as text: its functions, which of them a kernel calls, and what is
/// still to be written. It knows comments, literals and braces, and no more of the language.

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::harness {

struct FunctionText {
  std::string name;
  std::string comment;   ///< the comment lines directly above the definition; each ends with a newline
  std::string code;      ///< the definition, from `template` or its first word to the closing brace
  std::size_t line = 0;  ///< where `code` begins, from 1
  bool is_kernel = false;

  bool has_todo() const { return code.find("TODO") != code.npos; }
};

/// The functions that `source` defines outside of classes, in its order. Declarations are left out.
std::vector<FunctionText> functions_in(std::string_view source);

/// Those of them that are `__global__`.
std::vector<FunctionText> kernels_in(std::string_view source);

/// The kernel named `kernel` and the functions that it names, and those that they name: what has to be
/// written for it. A comment names a function, too: where code is still to be written, there is nothing else.
/// Other kernels are left out. In the order of `source`; empty where there is no such kernel.
std::vector<FunctionText> kernel_and_callees(std::string_view source, std::string_view kernel);

}  // namespace warpwise::harness
