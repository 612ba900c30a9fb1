#include "trace.hpp"

#include "json_members.hpp"
#include "whole_file.hpp"

namespace warpwise::report {

TraceFile traces_of(const simulator::TraceRecorder& recorder, const std::string& chapter,
                    std::uint64_t elements) {
  TraceFile traces;
  traces.launches_left_out = recorder.launches_left_out();
  for (const simulator::RecordedLaunch& recorded : recorder.launches())
    traces.launches.push_back(
        {{.report = recorded.report, .chapter = chapter, .elements = elements}, recorded.trace});
  return traces;
}

std::string json_of(const TraceFile& traces) {
  return value_of(traces).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

TraceFile traces_from(std::string_view text) {
  return document_from<TraceFile>(text, "the trace", current_trace_version);
}

void write_file(const std::filesystem::path& file, const TraceFile& traces) {
  write_whole(file, json_of(traces));
}

TraceFile read_trace_file(const std::filesystem::path& file) { return read_whole(file, traces_from); }

}  // namespace warpwise::report
