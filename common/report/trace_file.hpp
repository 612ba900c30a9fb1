#pragma once
/// \file What launches did step by step, as a file says it: docs/trace.schema.json.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "../simulator/trace.hpp"
#include "json.hpp"
#include "report.hpp"

namespace warpwise::report {

/// A launch and its steps. Counters and findings are those of its report.
struct TracedLaunch {
  Launch launch;
  simulator::Trace trace;
  std::vector<Failure> rejected = {};  ///< why a check rejects it, without its findings; none, or one
  bool operator==(const TracedLaunch&) const = default;
};

inline constexpr std::uint32_t current_trace_version = 1;

struct TraceFile {
  std::uint32_t version = current_trace_version;
  std::uint64_t launches_left_out = 0;  ///< after those that were recorded
  std::vector<TracedLaunch> launches;
  bool operator==(const TraceFile&) const = default;
};

/// All that the recorder has by now, each launch for `chapter` and `elements`, where they are known.
TraceFile traces_of(const simulator::TraceRecorder& recorder, const std::string& chapter = {},
                    std::uint64_t elements = 0);

/// The whole document, without blanks, on one line. As for reports, bytes that are no UTF-8 become U+FFFD.
std::string json_of(const TraceFile& traces);
/// These throw ReportError, as their like for reports do.
TraceFile traces_from(std::string_view json);
void write_file(const std::filesystem::path& file, const TraceFile& traces);
TraceFile read_trace_file(const std::filesystem::path& file);

}  // namespace warpwise::report
