#pragma once
/// \file Kinds of characters in ASCII, whatever the language of the machine.

namespace warpwise::text {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// A character of a name of C++.
constexpr bool is_of_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

}  // namespace warpwise::text
