#pragma once
/// \file Files that strangers have put somewhere, and files that are whole or not there.

#include <cstdint>
#include <filesystem>
#include <string>

namespace warpwise::grade {

/// The text of a file, or the sentence why it is not read ("is a symbolic link, which is not followed").
struct FileText {
  std::string text;
  std::string problem;  ///< empty where it was read
};

/// Reads a plain file of at most `most_bytes`. Does not follow a link, wait for a pipe or open a device.
FileText read_plain_file(const std::filesystem::path& path, std::uint64_t most_bytes);

/// The same of a file that is to be compiled: text, without NUL bytes, and not much more of it than anybody
/// writes.
FileText read_source(const std::filesystem::path& path);

/// A source may be this long, and open as many braces; the longest of the course has a sixth of it. Looking
/// for functions in it takes time that grows with the square.
inline constexpr std::uint64_t most_source_bytes = 64 * 1024;
inline constexpr std::ptrdiff_t most_braces = 1200;

/// Puts `text` at `path`, all of it or nothing. Throws std::runtime_error, one sentence.
void write_whole(const std::filesystem::path& path, const std::string& text);

}  // namespace warpwise::grade
