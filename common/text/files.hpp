#pragma once
/// \file Files of text, in one piece and as they are.

#include <filesystem>
#include <string>

namespace warpwise::text {

/// Throws std::runtime_error: "PATH cannot be read."
std::string read_text(const std::filesystem::path& path);
/// The same; empty where there is no such file.
std::string text_or_nothing(const std::filesystem::path& path);

/// Throws std::runtime_error: "PATH cannot be written."
void write_text(const std::filesystem::path& path, const std::string& text);

/// `path` as the user would type it: relative to the current folder where it lies below it.
std::string shown_path(const std::filesystem::path& path);

}  // namespace warpwise::text
