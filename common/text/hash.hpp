#pragma once
/// \file FNV-1a, 64 bits (Fowler, Noll, Vo): tells texts apart, and needs no library. Anyone can make two
/// texts with the same hash; that does no harm here.

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace warpwise::text {

inline std::uint64_t hash_of(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

inline std::string hexadecimal(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

}  // namespace warpwise::text
