#include "source_lines.hpp"

#include <filesystem>
#include <fstream>

#include "../ptx/source_location.hpp"

namespace warpwise::simulator {

namespace {

/// As short as it can be and still be opened from here.
std::string short_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (error || path.empty()) return path;
  const std::filesystem::path relative = std::filesystem::path(path).lexically_proximate(here);
  return relative.empty() || *relative.begin() == ".." ? path : relative.string();
}

}  // namespace

SourcePlace SourcePlaces::of_location(std::int32_t location) {
  const ptx::SourceLine line = ptx::source_of(program_.module(), location);
  if (line.line == 0) return {};
  const auto [entry, is_new] = short_paths_.try_emplace(line.file);
  if (is_new) entry->second = short_path(line.file);
  return {entry->second, line.line};
}

SourcePlace place_of(const machine::Program& program, machine::Pc pc) {
  if (pc >= program.size()) return {};
  return SourcePlaces(program).of_location(program.text_of(pc).location);
}

const std::vector<std::string>& SourceTexts::file(const std::string& path) {
  const auto [entry, is_new] = files_.try_emplace(path);
  if (is_new) {
    std::ifstream file(path);
    for (std::string text; std::getline(file, text);) {
      if (!text.empty() && text.back() == '\r') text.pop_back();
      entry->second.push_back(text);
    }
  }
  return entry->second;
}

std::string SourceTexts::line(const SourcePlace& place) {
  if (place.file.empty() || place.line == 0) return {};
  const std::vector<std::string>& lines = file(place.file);
  return place.line <= lines.size() ? lines[place.line - 1] : std::string{};
}

}  // namespace warpwise::simulator
