#pragma once
/// \file From an instruction to the student's line and its text.

#include <map>
#include <string>
#include <vector>

#include "../machine/program.hpp"

namespace warpwise::simulator {

/// A line of a source file, in the order of reports: by file, then line.
struct SourcePlace {
  std::string file;  ///< below the current directory: relative to it; empty where unknown
  std::uint32_t line = 0;

  auto operator<=>(const SourcePlace&) const = default;
};

/// Where the instruction at `pc` comes from, out of the toolkit's headers.
SourcePlace place_of(const machine::Program& program, machine::Pc pc);

/// Reads each file once.
class SourceTexts {
 public:
  /// Without its line end; empty where the file cannot be read or has no such line.
  std::string line(const SourcePlace& place);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace warpwise::simulator
