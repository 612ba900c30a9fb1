#pragma once
/// \file A file's text, written and read as a whole. Both throw ReportError with the file's name.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "json.hpp"

namespace warpwise::report {

inline void write_whole(const std::filesystem::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if (!(out << text << std::flush)) throw ReportError("cannot write " + file.string() + ".");
}

/// What `from` makes of the text; a ReportError of its own is given the file's name.
template <class From>
auto read_whole(const std::filesystem::path& file, From from) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) throw ReportError("cannot read " + file.string() + ".");
  try {
    return from(std::move(text).str());
  } catch (const ReportError& error) {
    throw ReportError(file.string() + ": " + error.what() + ".");
  }
}

}  // namespace warpwise::report
