#include "report_file.hpp"

#include <string_view>

#include "json.hpp"

namespace warpwise::report {

ReportFile::ReportFile(const std::filesystem::path& path) : file_(path, std::ios::binary | std::ios::trunc) {
  constexpr std::string_view list = "\"launches\": [";
  const std::string nothing = json_of(Report{});
  const std::size_t begin = nothing.find(list) + list.size();
  file_ << nothing.substr(0, begin);
  end_from_ = file_.tellp();
  end_ = nothing.substr(begin);
  file_ << end_ << std::flush;
  if (!file_ || end_from_ == std::ofstream::pos_type(-1))
    throw ReportError("cannot write the report " + path.string() + ".");
}

void ReportFile::add(const Launch& launch) {
  const std::string text = (is_empty_ ? "\n" : ",\n") + json_of(launch);
  file_.seekp(end_from_);
  file_ << text + end_ << std::flush;
  end_from_ += static_cast<std::streamoff>(text.size());
  is_empty_ = false;
}

}  // namespace warpwise::report
