#pragma once
/// \file Where a page goes once it is made.

#include <filesystem>
#include <iosfwd>
#include <string>

namespace warpwise::cli {

/// Writes the page, says on `out` where `name` is drawn, and opens it where that is wished and there is a
/// desktop. Throws Failure (wrong usage) where the file cannot be written.
void present_page(std::ostream& out, const std::string& name, const std::string& page,
                  const std::filesystem::path& file, bool is_opened = true);

}  // namespace warpwise::cli
