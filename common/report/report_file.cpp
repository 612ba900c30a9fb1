#include "report_file.hpp"

#include <string_view>

#include "json.hpp"

namespace warpwise::report {

ReportFile::ReportFile(const std::filesystem::path& path) : file_(path, std::ios::binary | std::ios::trunc) {
  if (!file_) throw ReportError("cannot write the report " + path.string() + ".");
  if (file_.tellp() == std::ofstream::pos_type(-1))
    throw ReportError("cannot write the report " + path.string() + ": name a file, which can be rewritten.");
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

}  // namespace warpwise::report
