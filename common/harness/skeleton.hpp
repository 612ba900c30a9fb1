#pragma once
/// \file Where a student starts: the TODOs of a kernel in its source.

#include <string>
#include <string_view>
#include <vector>

#include "../simulator/ptx.hpp"

namespace warpwise::harness {

struct Todo {
  unsigned line = 0;
  std::string text;  ///< "load (about 3 lines)": from behind TODO to the first colon or the end of the line
  /// Code stands below it, before the next TODO and the function's end: the comment has outlived its task. A
  /// `return`, which skeletons have, does not count.
  bool is_written = false;
};

/// The TODO comments in `kernel`, whose source is `text`, and in the functions that it names; ascending.
std::vector<Todo> todos_in(std::string_view text, std::string_view kernel);
/// The same for the file at `path`; none where it cannot be read.
std::vector<Todo> todos_in_file(const std::string& path, std::string_view kernel);

/// is_skeleton (functions.hpp) for the file at `path`; false where it cannot be read.
bool is_skeleton_in_file(const std::string& path, std::string_view kernel);

/// The .cu file that the module was compiled from, as its `.file` directives say; empty where they name none.
std::string source_of(const simulator::ptx::Module& module);

/// `path` as the user would type it: relative to the current folder where it lies below it.
std::string shown_path(const std::string& path);

}  // namespace warpwise::harness
