#include "text_origin.hpp"

#include <algorithm>
#include <string>

namespace warpwise::simulator::ptx {
namespace {

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
  return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
}

/// The directives alone make a module, too: one function whose only instruction has the last location.
SourceLine last_location(const std::string& files, const std::string& locations) {
  const std::string text = ".version 7.0\n.target sm_75\n.address_size 64\n" + files + ".func lines()\n{\n" +
                           locations + "ret;\n}\n";
  try {
    const Module module = read_module(text, "locations");
    return source_of(module, module.functions.front().code.back().location);
  } catch (const Error&) {  // the directives themselves are what is wrong
    return {};
  }
}

/// The lines of a text on the way to the one that is asked for.
struct Reading {
  std::string files;
  std::string locations;
  std::string locations_behind;  ///< behind an asm statement: of what follows it
  bool is_in_asm = false;
  bool is_right_behind_asm = false;  ///< nothing but blank lines and locations since
  std::string_view last_of_asm;

  void pass(std::string_view line) {
    if (line.starts_with(".loc")) {
      (is_right_behind_asm ? locations_behind : locations).append(line).append("\n");
    } else if (line == "// end inline asm") {
      is_in_asm = false;
      is_right_behind_asm = true;
    } else if (!line.empty()) {
      if (is_in_asm) last_of_asm = line;
      if (line == "// begin inline asm") is_in_asm = true;
      is_right_behind_asm = false;
      locations += locations_behind;
      locations_behind.clear();
    }
  }
};

}  // namespace

TextOrigin origin_of(std::string_view text, std::uint32_t line) {
  Reading reading;
  TextOrigin origin;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view here = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (here.starts_with(".file")) reading.files.append(here).append("\n");
    if (number < line) reading.pass(here);
    if (number == line) origin.text = here;
  }
  origin.is_inline_asm = reading.is_in_asm || reading.is_right_behind_asm;
  if (!reading.is_in_asm && reading.is_right_behind_asm) origin.text = reading.last_of_asm;
  origin.source = last_location(reading.files, reading.locations);
  return origin;
}

}  // namespace warpwise::simulator::ptx
