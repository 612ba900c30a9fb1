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

/// `path` as short as it can be and still be opened from here.
std::string short_path(const std::string& path);

/// Source lines of one program. Shortening a path asks the file system, so each file is asked for once.
class SourcePlaces {
 public:
  explicit SourcePlaces(const machine::Program& program) : program_(program) {}
  /// Of an index into Module::locations; line 0 where the module names none.
  SourcePlace of_location(std::int32_t location);

 private:
  const machine::Program& program_;
  std::map<std::string, std::string> short_paths_;
};

/// Where the instruction at `pc` comes from, out of the toolkit's headers.
SourcePlace place_of(const machine::Program& program, machine::Pc pc);

/// The same, and for an instruction for which the compiler names no line (`.loc 1 0 0`) that of the nearest
/// one of its function that has a line; of two as near, the one before it.
struct NearPlace {
  SourcePlace place;     ///< line 0 where no instruction of the function has one
  bool is_near = false;  ///< a neighbour's
};
NearPlace near_place_of(const machine::Program& program, machine::Pc pc);

/// Reads each file once.
class SourceTexts {
 public:
  /// Without its line end; empty where the file cannot be read or has no such line.
  std::string line(const SourcePlace& place);
  /// All lines, without their ends; none where the file cannot be read.
  const std::vector<std::string>& file(const std::string& path);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace warpwise::simulator
