#include "json.hpp"

#include <fstream>
#include <sstream>

#include "json_members.hpp"
#include "trace_file.hpp"

namespace warpwise::report {

Json json_from(std::string_view text, const std::string& what) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw ReportError(what + " is no JSON");
  return json;
}

Json json_from(std::string_view text, const std::string& what, const char* version_name,
               std::uint32_t version) {
  Json json = json_from(text, what);
  if (json.is_object() && json.contains(version_name) && json[version_name] != version)
    throw ReportError(what + " is of version " + json[version_name].dump() +
                      "; this Warpwise reads version " + std::to_string(version));
  return json;
}

void write_whole(const std::filesystem::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if (!(out << text << std::flush)) throw ReportError("cannot write " + file.string() + ".");
}

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) throw ReportError("cannot read " + file.string() + ".");
  return std::move(text).str();
}

std::string json_of(const Report& report) { return text_of(value_of(report)) + "\n"; }
std::string json_of(const Launch& launch) { return text_of(value_of(launch)); }

Report report_from(std::string_view text) {
  return document_from<Report>(text, "the report", "version", current_version);
}

void write_file(const std::filesystem::path& file, const Report& report) {
  write_whole(file, json_of(report));
}

Report read_file(const std::filesystem::path& file) { return read_whole(file, report_from); }

// --- A report that grows ----------------------------------------------------------------------------------

ReportFile::ReportFile(const std::filesystem::path& path) : file_(path, std::ios::binary | std::ios::trunc) {
  if (!file_) throw ReportError("cannot write the report " + path.string() + ".");
  if (file_.tellp() == std::ofstream::pos_type(-1))
    throw ReportError("cannot write the report " + path.string() + ": give a file that can be overwritten.");
  constexpr std::string_view list = "\"launches\": [";
  const std::string nothing = json_of(Report{});
  const std::size_t begin = nothing.find(list) + list.size();
  end_ = nothing.substr(begin);
  end_from_ = static_cast<std::streamoff>(begin);
  if (!(file_ << nothing << std::flush)) throw ReportError("cannot write the report " + path.string() + ".");
}

void ReportFile::add(const Launch& launch) {
  const std::string text = (is_empty_ ? "\n" : ",\n") + json_of(launch);
  file_.seekp(end_from_);
  file_ << text + end_ << std::flush;
  end_from_ += static_cast<std::streamoff>(text.size());
  is_empty_ = false;
}

// --- Traces -----------------------------------------------------------------------------------------------

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
  return document_from<TraceFile>(text, "the trace", "version", current_trace_version);
}

void write_file(const std::filesystem::path& file, const TraceFile& traces) {
  write_whole(file, json_of(traces));
}

TraceFile read_trace_file(const std::filesystem::path& file) { return read_whole(file, traces_from); }

PublishedTimes read_times(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return {};
  return read_whole(file, [](std::string_view text) {
    return document_from<PublishedTimes>(text, "the table of times", "version", current_times_version);
  });
}

}  // namespace warpwise::report
