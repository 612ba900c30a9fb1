#pragma once
/// \file A report as JSON, the one form in which it leaves a process: docs/report.schema.json, which is made
/// of the same lists as this (describe.hpp).

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "report.hpp"

namespace warpwise::report {

/// One sentence about a file or a text that is no report, or that cannot be read or written.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The whole document, which ends with a newline. Bytes that are no UTF-8 (a student's printf or file name)
/// become U+FFFD; everything else comes back from report_from unchanged.
std::string json_of(const Report& report);
/// One member of the document's list `launches`.
std::string json_of(const Launch& launch);

/// Throws ReportError, "/launches/0/kernel is missing", for anything that is not a report of this version.
/// Members that it does not know are left out, save counters: a number must not get lost.
Report report_from(std::string_view json);

/// These two throw ReportError with the file's name.
void write_file(const std::filesystem::path& file, const Report& report);
Report read_file(const std::filesystem::path& file);

/// The published times; without the file there are none. Throws ReportError for what is no such file.
PublishedTimes read_times(const std::filesystem::path& file);

/// A file that is a whole document from the start and after every launch: a program that crashes later, or
/// ends without a word, leaves all that was known.
class ReportFile {
 public:
  /// Empties the file. Throws ReportError where it cannot be written, or not be rewritten (a pipe).
  explicit ReportFile(const std::filesystem::path& path);
  /// Puts the launch after the others, in one write.
  void add(const Launch& launch);

 private:
  std::ofstream file_;
  std::string end_;                   ///< what stands after the last launch
  std::ofstream::pos_type end_from_;  ///< and where
  bool is_empty_ = true;
};

}  // namespace warpwise::report
