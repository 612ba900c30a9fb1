#pragma once
/// \file Files of text, in one piece and as they are.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace warpwise::harness {

/// Empty where the file cannot be read.
inline std::string text_or_nothing(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Throws std::runtime_error: "PATH cannot be read."
inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + " cannot be read.");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Throws std::runtime_error: "PATH cannot be written."
inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << text) || !file.flush()) throw std::runtime_error(path.string() + " cannot be written.");
}

}  // namespace warpwise::harness
