#pragma once
/// \file A page that is walked through: its reader runs programs, is told what is wrong with them, and mends
/// them as a difference on the page says:
///
///     <!-- mends: mine/2_twice.cu -->
///     ```diff
///     -  values[i] = 2 * values[i];
///     +  if (i < n) values[i] = 2 * values[i];
///     ```
///
/// From there on the commands of the page run the mended program.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../text/difference.hpp"
#include "commands.hpp"

namespace warpwise::course {

struct Mending {
  std::string file;  ///< "mine/2_twice.cu"
  text::Difference difference;
};

/// `path`: of the page, for messages. Throws std::runtime_error for a difference without its comment, and for
/// a comment without its difference.
std::vector<Mending> mendings_in(std::string_view page, const std::string& path);

/// Goes through the page from top to bottom: runs the commands as check_commands() does, and between them
/// mends the files below `folder`. Throws std::runtime_error with all outputs that are not the ones shown,
/// for a difference that does not fit, and for a page without differences. Returns the number of its steps.
std::size_t check_walk(std::string_view page, const std::string& path, const std::filesystem::path& folder,
                       const std::function<ProcessOutput(const std::string& command)>& run, Figures figures);

}  // namespace warpwise::course
