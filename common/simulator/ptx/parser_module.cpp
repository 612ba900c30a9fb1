/// \file The module and its directives (PTX ISA 11.1, 11.5, 11.6).
#include <algorithm>
#include <charconv>
#include <utility>

#include "../host/host.hpp"
#include "parser.hpp"

namespace warpwise::simulator::ptx {

Parser::Parser(std::string_view text, std::string name) : lexer_(text, name) {
  module_.name = std::move(name);
}

Module Parser::read() {
  read_header();
  while (lexer_.peek().kind != Token::Kind::end) read_module_directive();
  check_uses();
  apply_aliases();
  validate(module_);
  return std::move(module_);
}

/// `.version 9.0`, `.target sm_90`, `.address_size 64`, in this order.
void Parser::read_header() {
  if (!lexer_.accept_directive("version")) lexer_.fail_expected(".version at the start of the module");
  const Token version = lexer_.take();
  const std::size_t dot = version.text.find('.');
  if (version.kind != Token::Kind::real || dot == std::string_view::npos || version.text.size() > 8 ||
      version.text.find_first_not_of("0123456789.") != std::string_view::npos)
    lexer_.fail_at(version.line, "expected a version such as 8.0, found " + in_quotes(version.text));
  module_.version_major = static_cast<std::uint32_t>(std::stoul(std::string(version.text.substr(0, dot))));
  module_.version_minor = static_cast<std::uint32_t>(std::stoul(std::string(version.text.substr(dot + 1))));
  if (!lexer_.accept_directive("target")) lexer_.fail_expected(".target after .version");
  module_.target = lexer_.expect_identifier("a target such as sm_75");
  while (lexer_.accept(",")) lexer_.expect_identifier("another property of the target");
}

void Parser::read_module_directive() {
  if (lexer_.accept_directive("address_size")) {
    if (lexer_.expect_integer("64 after .address_size") != 64)
      lexer_.fail("expected .address_size 64: pointers of 32 bits are not supported");
  } else if (lexer_.accept_directive("section")) {
    skip_section();
  } else if (lexer_.accept_directive("alias")) {
    read_alias();
  } else if (!read_common_directive()) {
    read_linkage_and_definition();
  }
}

bool Parser::read_common_directive() {
  if (lexer_.accept_directive("loc"))
    read_loc_directive();
  else if (lexer_.accept_directive("file"))
    read_file_directive();
  else if (lexer_.accept_directive("pragma"))
    read_pragma();
  else
    return false;
  return true;
}

/// `.visible .entry …`, `.extern .shared …`, `.weak .func …`
void Parser::read_linkage_and_definition() {
  bool is_extern = false;
  while (true) {
    if (lexer_.accept_directive("extern"))
      is_extern = true;
    else if (!lexer_.accept_directive("visible") && !lexer_.accept_directive("weak") &&
             !lexer_.accept_directive("common"))
      break;
  }
  if (lexer_.accept_directive("entry")) return read_function(true);
  if (lexer_.accept_directive("func")) return read_function(false);
  if (!at_space()) lexer_.fail_expected("a directive of a module, such as .entry, .func or .global");
  read_variables(is_extern);
}

/// DWARF for debuggers: `.section .debug_str { … }`. Nothing in it matters to execution.
void Parser::skip_section() {
  if (lexer_.peek().kind != Token::Kind::directive) lexer_.fail_expected("the name of a section");
  lexer_.take();
  const std::uint32_t line = lexer_.peek().line;
  lexer_.expect("{", "after the name of a section");
  std::uint64_t depth = 1;
  while (depth > 0) {
    const Token token = lexer_.take();
    if (token.kind == Token::Kind::end) lexer_.fail_at(line, "this section has no end: expected '}'");
    if (token.is("{")) ++depth;
    if (token.is("}")) --depth;
  }
}

/// Advice to the assembler, after `.pragma` (PTX ISA 11.5.1). All but the used bytes is read and forgotten.
void Parser::read_pragma() {
  constexpr std::string_view used_bytes = "used_bytes_mask ";
  do {
    const std::string_view text = lexer_.expect_string("a string after .pragma");
    if (text.starts_with(used_bytes)) read_used_bytes(text.substr(used_bytes.size()));
  } while (lexer_.accept(","));
  lexer_.expect(";", "after .pragma");
}

/// `4095`, `0xfff`: what the next instruction uses of the bytes that it loads.
void Parser::read_used_bytes(std::string_view text) {
  const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (is_hexadecimal) text.remove_prefix(2);
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, used_bytes_, is_hexadecimal ? 16 : 10);
  if (error != std::errc{} || rest != end)
    lexer_.fail("expected a mask of 32 bits after used_bytes_mask, found " + in_quotes(text));
}

/// `.alias name, function;` (PTX ISA 11.4): calls of the one are calls of the other.
void Parser::read_alias() {
  const std::uint32_t line = lexer_.peek().line;
  const std::string alias(lexer_.expect_identifier("the name of an alias"));
  lexer_.expect(",", "after the name of an alias");
  const std::string target(lexer_.expect_identifier("the function that the alias stands for"));
  lexer_.expect(";", "after .alias");
  const auto declared = functions_.find(alias);
  if (declared == functions_.end() || !module_.functions[declared->second].is_declaration)
    lexer_.fail_at(line, "expected a declared function without a body as alias, found " + in_quotes(alias));
  const auto found = functions_.find(target);
  if (found == functions_.end() || module_.functions[found->second].is_declaration)
    lexer_.fail_at(line, "expected a defined function after the alias, found " + in_quotes(target));
  if (!aliases_.emplace(alias, target).second)
    lexer_.fail_at(line, in_quotes(alias) + " is an alias already");
}

/// Writes the function for its alias wherever the alias is used.
void Parser::apply_aliases() {
  if (aliases_.empty()) return;
  const auto replace = [this](std::string& symbol) {
    const auto found = aliases_.find(symbol);
    if (found != aliases_.end()) symbol = found->second;
  };
  for (Function& function : module_.functions)
    for (Instruction& instruction : function.code)
      for (Operand& operand : instruction.operands)
        if (operand.kind == Operand::Kind::function) replace(operand.symbol);
  for (Variable& variable : module_.variables)
    for (Relocation& relocation : variable.relocations) replace(relocation.symbol);
}

/// What could only be checked when every directive had been read.
void Parser::check_uses() {
  for (const NamedUse& use : called_)
    if (!functions_.contains(use.name))
      lexer_.fail_at(use.line, "expected the name of a function, found " + in_quotes(use.name) +
                                   ", which nothing declares");
  for (const NamedUse& use : initialisers_)
    if (!functions_.contains(use.name) && !variables_.contains(use.name))
      lexer_.fail_at(use.line, "expected a variable or a function in this initialiser, found " +
                                   in_quotes(use.name) + ", which nothing declares");
  for (const auto& [id, line] : file_uses_)
    if (!files_.contains(id))
      lexer_.fail_at(line, "expected a .file directive with number " + std::to_string(id) + " for this .loc");
}

Module read_module(std::string_view text, std::string name) {
  // The driver wants PTX to end in NUL, and files written for it do.
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  if (text.size() > limits::text_bytes) throw Error(std::move(name), 0, "the text is longer than 256 MiB");
  return Parser(text, std::move(name)).read();
}

Module read_module_file(const std::string& path) {
  const std::optional<std::string> text = host::read_file(path);
  if (!text) throw Error(path, 0, "cannot read this file");
  return read_module(*text, path);
}

// `.file` and `.loc` (PTX ISA 11.5).

namespace {

std::uint32_t small_number(Lexer& lexer, std::string_view what) {
  const std::uint64_t value = lexer.expect_integer(what);
  if (value > 0x7FFFFFFF) lexer.fail("expected a number below 2^31 as " + std::string(what));
  return static_cast<std::uint32_t>(value);
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

/// The path that `quoted` stands for: the compiler writes a backslash before quotes and backslashes, and the
/// bytes of what is not ASCII as three octal digits each, `\303\274` for an u with two dots in UTF-8.
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
      lexer_.fail_at(line, "expected function_name or inlined_at, found " + in_quotes(attribute));
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
