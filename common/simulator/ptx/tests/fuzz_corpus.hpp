#pragma once
/// \file What fuzzers left, and what was added by hand: corpus.txt holds all texts, each under a line `===
/// NAME`.
///
/// A text ends before the line break that stands before the next `=== `. Bytes that are neither printable nor
/// a line break nor a tab are written `\x00`, a backslash `\\`.

#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::simulator::ptx::testing {

struct FuzzText {
  std::string name;
  std::string bytes;
};

/// The byte that the two letters behind `\x` stand for.
inline char byte_from(const std::string& digits) {
  std::size_t used = 0;
  const int value = digits.size() == 2 ? std::stoi(digits, &used, 16) : 0;
  if (used != 2) throw std::runtime_error("the corpus has no two digits after \\x: '" + digits + "'");
  return static_cast<char>(value);
}

inline std::string without_escapes(const std::string& line) {
  std::string bytes;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\') {
      bytes += line[i];
    } else if (line.compare(i, 2, "\\\\") == 0) {
      bytes += '\\';
      i += 1;
    } else if (line.compare(i, 2, "\\x") == 0) {
      bytes += byte_from(line.substr(i + 2, 2));
      i += 3;
    } else {
      throw std::runtime_error("the corpus has a lone backslash: " + line);
    }
  }
  return bytes;
}

/// Throws std::runtime_error where the file cannot be read or is not as above.
inline std::vector<FuzzText> read_fuzz_corpus(const std::string& path) {
  constexpr std::string_view mark = "=== ";
  std::ifstream file(path, std::ios::binary);
  std::vector<FuzzText> texts;
  bool is_first_line = true;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(mark)) {
      texts.push_back({line.substr(mark.size()), ""});
      is_first_line = true;
      continue;
    }
    if (texts.empty()) throw std::runtime_error(path + " does not begin with a line `=== NAME`");
    if (!is_first_line) texts.back().bytes += '\n';
    texts.back().bytes += without_escapes(line);
    is_first_line = false;
  }
  if (texts.empty()) throw std::runtime_error("there is no corpus in " + path);
  return texts;
}

}  // namespace warpwise::simulator::ptx::testing
