#include "json.hpp"

#include <fstream>
#include <sstream>

#include "json_members.hpp"

namespace warpwise::report {

std::string json_of(const Report& report) { return text_of(value_of(report)) + "\n"; }
std::string json_of(const Launch& launch) { return text_of(value_of(launch)); }

Report report_from(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) refuse("", "is no JSON");
  if (json.is_object() && json.contains("version") && json["version"] != current_version)
    refuse("", "is of version " + json["version"].dump() + "; this Warpwise reads version " +
                   std::to_string(current_version));
  Report report;
  read(json, "", report);
  return report;
}

void write_file(const std::filesystem::path& file, const Report& report) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if (!(out << json_of(report) << std::flush)) throw ReportError("cannot write " + file.string() + ".");
}

Report read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) throw ReportError("cannot read " + file.string() + ".");
  try {
    return report_from(std::move(text).str());
  } catch (const ReportError& error) {
    throw ReportError(file.string() + ": " + error.what() + ".");
  }
}

}  // namespace warpwise::report
