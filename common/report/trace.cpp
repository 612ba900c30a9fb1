#include "trace.hpp"

#include <fstream>
#include <sstream>

#include "json_members.hpp"

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
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw ReportError("the trace is no JSON");
  if (json.is_object() && json.contains("version") && json["version"] != current_trace_version)
    throw ReportError("the trace is of version " + json["version"].dump() + "; this Warpwise reads version " +
                      std::to_string(current_trace_version));
  TraceFile traces;
  read(json, "", traces);
  return traces;
}

void write_file(const std::filesystem::path& file, const TraceFile& traces) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if (!(out << json_of(traces) << std::flush)) throw ReportError("cannot write " + file.string() + ".");
}

TraceFile read_trace_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) throw ReportError("cannot read " + file.string() + ".");
  try {
    return traces_from(std::move(text).str());
  } catch (const ReportError& error) {
    throw ReportError(file.string() + ": " + error.what() + ".");
  }
}

}  // namespace warpwise::report
