#pragma once
/// \file Reads tests/data/h200_memory_patterns.csv: what an H200's counters said of single instructions.

#include <array>
#include <cstdint>
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

/// Throws std::runtime_error where the file is missing or a line of it is not as its header says.
std::vector<MemoryPattern> read_memory_patterns();
/// Likewise, from another file in the same format.
std::vector<MemoryPattern> read_memory_patterns(const std::string& path);

}  // namespace warpwise::simulator::testing
