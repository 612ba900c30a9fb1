#pragma once
/// \file `--report FILE`: what the chapters' executables tell in lines (harness/report_lines.hpp), as JSON.

#include <filesystem>
#include <string>
#include <vector>

#include "../harness/report_lines.hpp"

namespace warpwise::cli {

/// {"launches": [{"kernel", "device", "grid", "block", "shared_bytes", "completed", "seconds", "counters":
/// {...},
///   "lines": [{"file", "line", "counters"}], "findings": [{"kind", "file", "line", "message", ...}]}],
///  "checks": [{"chapter", "kernel", "aspect", "outcome", "failures": [{"test", "message", "findings"}]}]}
std::string json_of(const std::vector<harness::Report>& reports);

/// Throws Failure where a file cannot be read or written, or is not a report.
harness::Report read_report_file(const std::filesystem::path& lines);
void write_json(const std::filesystem::path& file, const std::vector<std::filesystem::path>& lines);

}  // namespace warpwise::cli
