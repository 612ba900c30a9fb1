#pragma once
/// \file The report of a program while it runs.

#include <filesystem>
#include <fstream>
#include <string>

#include "report.hpp"

namespace warpwise::report {

/// A file that is a whole document from the start and after every launch: a program that crashes later, or
/// ends without a word, leaves all that was known.
class ReportFile {
 public:
  /// Empties the file. Throws ReportError where it cannot be written, or not be rewritten (a pipe).
  explicit ReportFile(const std::filesystem::path& path);
  /// Puts the launch behind the others, in one write.
  void add(const Launch& launch);

 private:
  std::ofstream file_;
  std::string end_;                   ///< what stands behind the last launch
  std::ofstream::pos_type end_from_;  ///< and where
  bool is_empty_ = true;
};

}  // namespace warpwise::report
