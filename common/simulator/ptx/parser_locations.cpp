/// \file `.file` and `.loc` (PTX ISA 11.5).

#include <algorithm>

#include "parser.hpp"

namespace warpwise::simulator::ptx {
namespace {

std::uint32_t small_number(Lexer& lexer, std::string_view what) {
  const std::uint64_t value = lexer.expect_integer(what);
  if (value > 0x7FFFFFFF) lexer.fail("expected a number below 2^31 as " + std::string(what));
  return static_cast<std::uint32_t>(value);
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

/// The path that `quoted` stands for: nvcc writes a backslash before quotes and backslashes, and the bytes of
/// what is not ASCII as three octal digits each, `\303\274` for an u with two dots in UTF-8.
std::string path_of(std::string_view quoted) {
  std::string path;
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    const std::string_view next = quoted.substr(i + 1, 3);
    if (quoted[i] != '\\' || next.empty()) {
      path += quoted[i];
    } else if (next.size() == 3 && std::all_of(next.begin(), next.end(), is_octal)) {
      path += static_cast<char>((next[0] - '0') * 64 + (next[1] - '0') * 8 + (next[2] - '0'));
      i += 3;
    } else if (next[0] == '"' || next[0] == '\\') {
      path += next[0];
      i += 1;
    } else {
      path += quoted[i];
    }
  }
  return path;
}

}  // namespace

/// `.file 1 "path"` with an optional `, timestamp, size`.
void Parser::read_file_directive() {
  const std::uint32_t line = lexer_.peek().line;
  File file;
  file.id = small_number(lexer_, "the number of a file");
  file.path = path_of(lexer_.expect_string("the path of a file in quotes"));
  if (lexer_.accept(",")) {
    lexer_.expect_integer("the time of the file");
    lexer_.expect(",", "between time and size of the file");
    lexer_.expect_integer("the size of the file");
  }
  const auto [known, is_new] = files_.emplace(file.id, module_.files.size());
  if (is_new)
    module_.files.push_back(std::move(file));
  else if (module_.files[known->second].path != file.path)
    lexer_.fail_at(line, "file " + std::to_string(file.id) + " has another path already");
}

/// `.loc 1 12 5` or `.loc 2 518 5, function_name $L__info_string0, inlined_at 1 12 5`.
/// The place after `inlined_at` was a `.loc` before (the compiler writes the outer one first); it may itself
/// be inlined, and of several with the same place the latest is meant.
void Parser::read_loc_directive() {
  Location location;
  const std::uint32_t line = lexer_.peek().line;
  location.file = small_number(lexer_, "the number of a file");
  location.line = small_number(lexer_, "a line");
  location.column = small_number(lexer_, "a column");
  file_uses_.emplace(location.file, line);
  while (lexer_.accept(",")) {
    const std::string_view attribute = lexer_.expect_identifier("function_name or inlined_at");
    if (attribute == "function_name") {
      lexer_.expect_identifier("the label of the function's name");
      if (lexer_.accept("+")) lexer_.expect_integer("an offset from the label");
    } else if (attribute == "inlined_at") {
      Location outer;
      outer.file = small_number(lexer_, "the number of a file");
      outer.line = small_number(lexer_, "a line");
      outer.column = small_number(lexer_, "a column");
      file_uses_.emplace(outer.file, line);
      const auto latest = latest_location_.find({outer.file, outer.line, outer.column});
      location.inlined_at = latest != latest_location_.end() ? latest->second : location_of(outer);
    } else {
      lexer_.fail_at(line, "expected function_name or inlined_at, found " + quoted(attribute));
    }
  }
  location_ = location_of(location);
  latest_location_[{location.file, location.line, location.column}] = location_;
}

/// Equal locations share one index. A location's `inlined_at` is always below its own index: chains end.
std::int32_t Parser::location_of(const Location& location) {
  const auto next = static_cast<std::int32_t>(module_.locations.size());
  const auto [found, is_new] =
      locations_.try_emplace({location.file, location.line, location.column, location.inlined_at}, next);
  if (is_new) module_.locations.push_back(location);
  return found->second;
}

}  // namespace warpwise::simulator::ptx
