#pragma once
/// \file Reads tests/data/h200_memory_patterns.csv: what an H200's counters said of single instructions.

#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../observer.hpp"

namespace warpwise::simulator::testing {

struct MemoryPattern {
  std::string instruction;  ///< "ld.shared" ...
  std::string title;
  std::uint32_t bytes = 0;
  LaneMask lanes = 0;
  std::uint32_t first = 0;   ///< wavefronts (shared) or sectors (global)
  std::uint32_t second = 0;  ///< bank conflicts (shared) or requests (global)
  std::array<std::uint64_t, warp_size> address{};

  bool is_shared() const { return instruction.ends_with("shared"); }
  AccessKind kind() const;
};

inline MemoryPattern read_pattern(const std::string& line) {
  std::istringstream columns(line);
  std::array<std::string, 7> column;
  for (std::string& text : column) {
    if (!std::getline(columns, text, ';')) throw std::runtime_error("too few columns: " + line);
  }
  MemoryPattern pattern;
  pattern.instruction = column[0];
  pattern.bytes = static_cast<std::uint32_t>(std::stoul(column[1]));
  pattern.lanes = static_cast<LaneMask>(std::stoul(column[2], nullptr, 16));
  pattern.title = column[3];
  pattern.first = static_cast<std::uint32_t>(std::stoul(column[4]));
  pattern.second = static_cast<std::uint32_t>(std::stoul(column[5]));
  std::istringstream offsets(column[6]);
  for (std::uint64_t& offset : pattern.address) {
    if (!(offsets >> offset)) throw std::runtime_error("fewer than 32 offsets: " + line);
  }
  return pattern;
}

inline AccessKind MemoryPattern::kind() const {
  if (instruction.starts_with("ld")) return AccessKind::load;
  if (instruction.starts_with("st")) return AccessKind::store;
  return instruction.starts_with("red") ? AccessKind::reduction : AccessKind::atomic;
}

/// Throws std::runtime_error where the file is missing or a line of it is not as its header says.
inline std::vector<MemoryPattern> read_memory_patterns(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<MemoryPattern> patterns;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') patterns.push_back(read_pattern(line));
  }
  return patterns;
}

/// Those from which the rules were found.
inline std::vector<MemoryPattern> read_memory_patterns() {
  return read_memory_patterns(WARPWISE_SOURCE_DIR "/tests/data/h200_memory_patterns.csv");
}

}  // namespace warpwise::simulator::testing
