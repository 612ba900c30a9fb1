#pragma once
/// \file Colour and lines for a terminal.

#include <string>
#include <string_view>

#include "../report/wrapping.hpp"

namespace warpwise::harness {

/// Wraps text in colours, or leaves it as it is where there is no terminal.
class Paint {
 public:
  explicit Paint(bool is_on) : is_on_(is_on) {}
  /// On where stdout is a terminal, unless NO_COLOR is set (no-color.org) or TERM is "dumb".
  static Paint for_stdout();

  std::string good(std::string_view text) const { return wrapped("\033[32m", text); }
  std::string bad(std::string_view text) const { return wrapped("\033[31m", text); }
  std::string faint(std::string_view text) const { return wrapped("\033[2m", text); }
  std::string strong(std::string_view text) const { return wrapped("\033[1m", text); }

 private:
  std::string wrapped(const char* code, std::string_view text) const {
    return is_on_ ? code + std::string(text) + "\033[0m" : std::string(text);
  }
  bool is_on_;
};

using report::columns_of;
using report::wrapped_text;

/// At most `width` columns, with "..." where something was left out.
std::string shortened(std::string_view text, std::size_t width);

/// Without the spaces and tabs at its start.
std::string_view unindented(std::string_view line);

/// Each line of `text` behind `indent` spaces; ends with a newline.
std::string indented(std::string_view text, std::size_t indent);

}  // namespace warpwise::harness
