#include <sstream>

#include "../host/host.hpp"
#include "../program.hpp"

namespace warpwise::simulator {

SourcePlace SourcePlaces::of_location(std::int32_t location) {
  const ptx::SourceLine line = ptx::source_of(program_.module(), location);
  if (line.line == 0) return {};
  const auto [entry, is_new] = short_paths_.try_emplace(line.file);
  if (is_new) entry->second = host::short_path(line.file);
  return {entry->second, line.line};
}

SourcePlace place_of(const Program& program, Pc pc) {
  if (pc >= program.size()) return {};
  return SourcePlaces(program).of_location(program.text_of(pc).location);
}

NearPlace near_place_of(const Program& program, Pc pc) {
  if (pc >= program.size()) return {};
  SourcePlaces places(program);
  if (const SourcePlace own = places.of_location(program.text_of(pc).location); own.line != 0) return {own};
  const std::vector<ptx::Instruction>& code = program.function_of(pc).code;
  std::size_t here = 0;
  while (here < code.size() && &code[here] != &program.text_of(pc)) ++here;
  for (std::size_t distance = 1; distance < code.size(); ++distance) {
    for (const std::size_t index : {here - distance, here + distance}) {  // below 0 it wraps round
      if (index >= code.size()) continue;
      const SourcePlace place = places.of_location(code[index].location);
      if (place.line != 0) return {place, true};
    }
  }
  return {};
}

const std::vector<std::string>& SourceTexts::file(const std::string& path) {
  const auto [entry, is_new] = files_.try_emplace(path);
  if (is_new) {
    std::istringstream file(host::read_file(path).value_or(""));
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
