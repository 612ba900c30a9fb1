#pragma once
/// \file Builds what a command needs, in silence where that is quick.

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::cli {

/// Builds `targets` with Ninja. Returns an empty string, or what the compiler said.
std::string build_targets(const std::vector<std::string>& targets);

/// What a compiler said in the output of Ninja: without Ninja's own lines, without the command lines, with
/// paths relative to `root`.
std::string compiler_messages(std::string_view output, std::string_view root);

/// The path of nvcc in the toolkit for which this build tree was configured.
const char* nvcc();

}  // namespace warpwise::cli
