#include "dialogue.hpp"

#include <unistd.h>

#include <iostream>

namespace warpwise::cli {

Dialogue Dialogue::of_this_process() { return {std::cin, std::cout, isatty(STDIN_FILENO) != 0}; }

std::optional<std::string> Dialogue::ask(const std::string& prompt) {
  out_ << prompt << ' ' << std::flush;
  std::string line;
  if (!std::getline(in_, line)) {
    out_ << '\n';
    return std::nullopt;
  }
  constexpr const char* blanks = " \t\r";
  line.erase(line.find_last_not_of(blanks) + 1);
  line.erase(0, line.find_first_not_of(blanks));
  if (!is_typed_) out_ << line << '\n';
  return line;
}

}  // namespace warpwise::cli
