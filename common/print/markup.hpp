#pragma once
/// \file Text as HTML and SVG write it.

#include <string>
#include <string_view>

namespace warpwise::print {

/// The content of an element that says `text`. XML has no control characters but tabs and ends of lines:
/// others are left out. Nor may content say "]]>", which ends a CDATA section.
inline std::string markup_of(std::string_view text) {
  std::string markup;
  for (const char c : text) {
    if (c == '&')
      markup += "&amp;";
    else if (c == '<')
      markup += "&lt;";
    else if (c == '>' && markup.ends_with("]]"))
      markup += "&gt;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n')
      markup += c;
  }
  return markup;
}

}  // namespace warpwise::print
