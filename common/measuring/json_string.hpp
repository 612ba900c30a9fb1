#pragma once
/// \file Text in JSON, for programs that have no library for it. C++17, for nvcc's programs too.

#include <cstdio>
#include <string>
#include <string_view>

namespace warpwise::measuring {

/// `text` as a string of JSON, in its quotes (RFC 8259, section 7).
inline std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    char code[8] = {c, 0};
    if (c == '"' || c == '\\')
      std::snprintf(code, sizeof code, "\\%c", c);
    else if (static_cast<unsigned char>(c) < 0x20)
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
    quoted += code;
  }
  return quoted + '"';
}

}  // namespace warpwise::measuring
