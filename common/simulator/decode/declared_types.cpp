#include "declared_types.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "../host/host.hpp"

namespace warpwise::simulator::decode {

namespace {

using Tokens = std::vector<std::string_view>;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_one_of(std::string_view token, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), token) != words.end();
}

/// The end of what begins at `at` and is no code: a comment, a literal, a directive. `at` where it is code.
std::size_t end_of_other(std::string_view text, std::size_t at) {
  const auto behind = [&](std::string_view what, std::size_t from) {
    const std::size_t found = text.find(what, from);
    return found == text.npos ? text.size() : found + what.size();
  };
  if (text.substr(at).starts_with("//")) return behind("\n", at);
  if (text.substr(at).starts_with("/*")) return behind("*/", at + 2);
  if (text[at] == '#') {
    std::size_t end = at;
    do end = behind("\n", end);
    while (end < text.size() && end > 1 && text[end - 2] == '\\');
    return end;
  }
  if (text[at] != '"' && text[at] != '\'') return at;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != text[at] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

/// Words, `::`, and single characters.
Tokens tokens_of(std::string_view text) {
  Tokens tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t end = end_of_other(text, at); end != at) {
      at = end;
      continue;
    }
    std::size_t end = at + 1;
    if (is_word(text[at]))
      while (end < text.size() && is_word(text[end])) ++end;
    else if (text.substr(at).starts_with("::"))
      ++end;
    if (std::isspace(static_cast<unsigned char>(text[at])) == 0) tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

struct NamedType {
  std::string_view name;
  std::uint32_t bytes;
};
/// Behind which CUDA's vectors have a digit, 1 to 4 (vector_types.h).
constexpr NamedType vector_elements[] = {{"char", 1},     {"uchar", 1},     {"short", 2}, {"ushort", 2},
                                         {"int", 4},      {"uint", 4},      {"long", 8},  {"ulong", 8},
                                         {"longlong", 8}, {"ulonglong", 8}, {"float", 4}, {"double", 8}};
constexpr NamedType other_types[] = {
    {"int8_t", 1},   {"uint8_t", 1}, {"int16_t", 2},  {"uint16_t", 2},      {"int32_t", 4},
    {"uint32_t", 4}, {"int64_t", 8}, {"uint64_t", 8}, {"size_t", 8},        {"half", 2},
    {"__half", 2},   {"half2", 4},   {"__half2", 4},  {"__nv_bfloat16", 2}, {"__nv_bfloat162", 4}};

std::uint32_t bytes_of_name(std::string_view name) {
  for (const NamedType& each : other_types)
    if (each.name == name) return each.bytes;
  const std::uint32_t digit = static_cast<std::uint32_t>(name.back() - '0');
  if (digit < 1 || digit > 4) return 0;
  for (const NamedType& each : vector_elements)
    if (each.name == name.substr(0, name.size() - 1)) return digit * each.bytes;
  return 0;
}

std::uint32_t bytes_of_type(const Tokens& type) {
  std::string_view name;
  std::uint32_t bytes = 0;
  bool is_whole = false;
  for (const std::string_view token : type) {
    if (is_one_of(token, {"const", "volatile", "std", "::"})) continue;
    if (token == "*") {
      bytes = 8;
      is_whole = false;
      name = {};
      continue;
    }
    if (is_one_of(token, {"int", "signed", "unsigned"})) {
      is_whole = true;
      continue;
    }
    static constexpr NamedType words[] = {{"bool", 1}, {"char", 1},  {"short", 2},
                                          {"long", 8}, {"float", 4}, {"double", 8}};
    const auto* const word = std::find_if(std::begin(words), std::end(words),
                                          [&](const auto& each) { return each.name == token; });
    if (word != std::end(words)) {
      bytes = word->bytes;
    } else {
      if (!name.empty()) return 0;
      name = token;
    }
  }
  if (!name.empty()) return bytes == 0 && !is_whole ? bytes_of_name(name) : 0;
  return bytes == 0 && is_whole ? 4 : bytes;
}

std::optional<std::uint64_t> number_of(std::string_view token) {
  while (!token.empty() && is_one_of(token.substr(token.size() - 1), {"u", "U", "l", "L"}))
    token.remove_suffix(1);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error != std::errc{} || end != token.data() + token.size() || value == 0 || value >= 1u << 31 ||
      (token.size() > 1 && token[0] == '0'))
    return std::nullopt;
  return value;
}

bool has_space(std::string_view token) {
  return is_one_of(token, {"__shared__", "__device__", "__constant__", "__managed__"});
}

}  // namespace

std::uint32_t bytes_of_type(std::string_view type) { return bytes_of_type(tokens_of(type)); }

std::vector<std::uint32_t> pointee_bytes(const std::string& name) {
  if (!name.starts_with("_Z")) return {};
  int status = -1;
  char* const demangled = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  const std::string text = status == 0 ? demangled : "";
  std::free(demangled);
  const Tokens tokens = tokens_of(text);
  if (tokens.empty() || tokens.back() != ")") return {};
  std::size_t first = tokens.size() - 1;
  for (int depth = 1; depth != 0 && first > 0;) {
    --first;
    depth += tokens[first] == ")" ? 1 : tokens[first] == "(" ? -1 : 0;
  }
  std::vector<std::uint32_t> result;
  Tokens type;
  int depth = 0;
  for (std::size_t i = first + 1; i < tokens.size(); ++i) {
    const bool is_end = depth == 0 && (tokens[i] == "," || i + 1 == tokens.size());
    depth += is_one_of(tokens[i], {"<", "(", "[", "{"}) ? 1 : 0;
    depth -= !is_end && is_one_of(tokens[i], {">", ")", "]", "}"}) ? 1 : 0;
    if (!is_end) {
      if (tokens[i] != "__restrict") type.push_back(tokens[i]);
      continue;
    }
    const bool is_pointer = !type.empty() && type.back() == "*";
    if (is_pointer) type.pop_back();
    result.push_back(is_pointer ? bytes_of_type(type) : 0);
    type.clear();
  }
  return result;
}

Declarations::Declarations(const ptx::Module& module) {
  for (const ptx::File& file : module.files)
    if (!ptx::is_toolkit_file(file.path)) read(host::read_file(file.path).value_or(""));
}

void Declarations::read(std::string_view text) {
  const Tokens tokens = tokens_of(text);
  std::size_t start = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (is_one_of(tokens[i], {";", "{", "}", ":"})) start = i + 1;
    if (!has_space(tokens[i])) continue;
    Tokens statement;
    for (i = start; i < tokens.size() && !is_one_of(tokens[i], {";", "{", "}", "="}); ++i) {
      if (!is_one_of(tokens[i], {"__align__", "alignas"})) {
        statement.push_back(tokens[i]);
        continue;
      }
      while (i + 1 < tokens.size() && tokens[i] != ")") ++i;
    }
    read_statement(statement);
    start = i + 1;
  }
}

/// `extern __shared__ unsigned long long a[64], *b;` without what aligns it, its initial value and its end.
void Declarations::read_statement(const Tokens& tokens) {
  Tokens type, declarator;
  const auto add = [&] {
    std::size_t end = 0;
    while (end < declarator.size() && declarator[end] != "[") ++end;
    if (end == 0) return;
    Tokens own(type);
    own.insert(own.end(), declarator.begin(), declarator.begin() + static_cast<std::ptrdiff_t>(end) - 1);
    Declaration declaration{bytes_of_type(own)};
    for (std::size_t i = end; i < declarator.size();) {
      std::size_t close = i;
      while (close < declarator.size() && declarator[close] != "]") ++close;
      declaration.is_open |= close == i + 1;
      declaration.elements *= close == i + 2 ? number_of(declarator[i + 1]).value_or(0) : 0;
      i = close + 1;
    }
    by_name_.emplace(declarator[end - 1], declaration);
  };
  int depth = 0;
  bool is_first = true;
  for (const std::string_view token : tokens) {
    if (has_space(token) || is_one_of(token, {"extern", "static", "inline", "constexpr", "thread_local"}))
      continue;
    if (token == "(") {
      if (depth == 0) return;  // a function
      continue;
    }
    depth += is_one_of(token, {"<", "["}) ? 1 : is_one_of(token, {">", "]"}) ? -1 : 0;
    if (depth != 0 || token != ",") {
      declarator.push_back(token);
      continue;
    }
    if (is_first) {  // what stands in front of the first name, but for its stars, is the type of all
      std::size_t name = 0;
      while (name < declarator.size() && declarator[name] != "[") ++name;
      std::size_t end = name == 0 ? 0 : name - 1;
      while (end > 0 && declarator[end - 1] == "*") --end;
      type.assign(declarator.begin(), declarator.begin() + static_cast<std::ptrdiff_t>(end));
      declarator.erase(declarator.begin(), declarator.begin() + static_cast<std::ptrdiff_t>(end));
      is_first = false;
    }
    add();
    declarator.clear();
  }
  add();
}

std::uint32_t Declarations::element_bytes(std::string_view name, std::uint64_t bytes) const {
  std::optional<std::uint64_t> known;
  const auto [first, last] = by_name_.equal_range(name);
  for (auto at = first; at != last; ++at) {
    const Declaration& each = at->second;
    std::uint64_t element = each.type_bytes;
    if (bytes == 0) {
      if (!each.is_open) continue;
    } else if (each.elements != 0 && element == 0) {
      if (bytes % each.elements != 0) continue;
      element = bytes / each.elements;
    } else if (each.elements != 0 ? bytes != element * each.elements : element != 0 && bytes % element != 0) {
      continue;  // not this one
    }
    if (known.value_or(element) != element) return 0;
    known = element;
  }
  return static_cast<std::uint32_t>(known.value_or(0));
}

}  // namespace warpwise::simulator::decode
