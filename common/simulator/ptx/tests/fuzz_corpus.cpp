#include "fuzz_corpus.hpp"

#include <fstream>
#include <stdexcept>
#include <string_view>

namespace warpwise::simulator::ptx::testing {
namespace {

constexpr std::string_view mark = "=== ";

/// The byte that the two letters behind `\x` stand for.
char byte_from(const std::string& digits) {
  std::size_t used = 0;
  const int value = digits.size() == 2 ? std::stoi(digits, &used, 16) : 0;
  if (used != 2) throw std::runtime_error("the corpus has no two digits after \\x: '" + digits + "'");
  return static_cast<char>(value);
}

std::string without_escapes(const std::string& line) {
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

}  // namespace

std::vector<FuzzText> read_fuzz_corpus(const std::string& path) {
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
