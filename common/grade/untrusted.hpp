#pragma once
/// \file Untrusted text made harmless for where it goes (a terminal, XML, a spreadsheet, a file's
/// name), and files that are not to be trusted.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace warpwise::grade {

// --- Text --------------------------------------------------------------------------------------------------

/// Characters that move a cursor, change colours or turn the direction of writing become `\x1b`, `\u202e`;
/// bytes that are no UTF-8 become U+FFFD. New lines and tabs stay.
std::string visible(std::string_view text);
/// The same in one line: a new line becomes `\n`, a tab a space.
std::string visible_line(std::string_view text);

/// `text` between tags or quotes of XML 1.0; it has gone through visible().
std::string xml_escaped(std::string_view text);
/// A cell of a CSV file (RFC 4180). What a spreadsheet would compute (it begins with = + - @) begins with
/// `'`.
std::string csv_cell(std::string_view text);

/// A file's name for `name`, another one for each: other bytes than letters, digits, `_`, `-` and `.` become
/// `%0a`, and what is too long for a file ends in a hash.
std::string file_name_for(std::string_view name);

/// At most `bytes` of `text`, cut at the end of a line, and a line that says so.
std::string at_most(std::size_t bytes, std::string text);

// --- Files -------------------------------------------------------------------------------------------------

/// The text of a file, or the sentence why it is not read ("is a symbolic link, which is not followed").
struct FileText {
  std::string text;
  std::string problem;  ///< empty if it was read
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

}  // namespace warpwise::grade
