#include "json.hpp"

#include "json_members.hpp"
#include "whole_file.hpp"

namespace warpwise::report {

std::string json_of(const Report& report) { return text_of(value_of(report)) + "\n"; }
std::string json_of(const Launch& launch) { return text_of(value_of(launch)); }

Report report_from(std::string_view text) {
  return document_from<Report>(text, "the report", current_version);
}

void write_file(const std::filesystem::path& file, const Report& report) {
  write_whole(file, json_of(report));
}

Report read_file(const std::filesystem::path& file) { return read_whole(file, report_from); }

}  // namespace warpwise::report
