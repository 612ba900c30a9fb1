#pragma once
/// \file Builds a kernel file, and keeps what nvcc said of it: warnings are shown in every run, though only
/// the first after an edit compiles.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::cli {

struct ModuleBuild {
  bool is_built = false;
  std::string messages;  ///< where it is not built what the compiler said, else the warnings about the source
};

/// Builds `targets`, which make `module` of `source` and whatever else is needed to run it.
ModuleBuild build_module(const std::vector<std::string>& targets, const std::filesystem::path& module,
                         const std::filesystem::path& source);

/// The warnings about `file` in what nvcc said, each with its line of code and a blank line; those about
/// other files are left out.
std::string warnings_about(std::string_view messages, std::string_view file);

/// Without the warnings about what a skeleton declares and does not use yet: of `messages`, as
/// warnings_about() gives them, those of that kind in a function of `source` that has a TODO.
std::string without_unfinished(std::string_view messages, std::string_view source);

/// "the first error is the one to mend.", or where to look instead: of a missing brace the first errors are
/// about what stands behind it.
std::string error_to_mend(std::string_view messages);

}  // namespace warpwise::cli
