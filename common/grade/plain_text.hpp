#pragma once
/// \file Text that strangers wrote, made harmless for where it goes: a terminal, XML, a spreadsheet, a file's
/// name.

#include <string>
#include <string_view>

namespace warpwise::grade {

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

}  // namespace warpwise::grade
