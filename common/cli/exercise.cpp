#include "exercise.hpp"

#include <algorithm>
#include <cctype>

namespace warpwise::cli {
namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The place after a comment or a literal that starts at `at`; `at` where none does.
std::size_t after_comment_or_literal(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  if (text.substr(at, 2) == "/*") {
    const std::size_t end = text.find("*/", at + 2);
    return end == text.npos ? text.size() : end + 2;
  }
  if (text[at] != '"' && text[at] != '\'') return at;
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

/// The first of `wanted` at or after `at` that is neither in a comment nor in a literal.
std::size_t find_code(std::string_view text, std::string_view wanted, std::size_t at) {
  while (at < text.size()) {
    if (const std::size_t next = after_comment_or_literal(text, at); next != at) {
      at = next;
    } else if (wanted.find(text[at]) != wanted.npos) {
      return at;
    } else {
      ++at;
    }
  }
  return text.npos;
}

/// The place behind the brace that closes the one at `open`.
std::size_t after_body(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; (at = find_code(text, "{}", at)) != text.npos; ++at) {
    depth += text[at] == '{' ? 1 : -1;
    if (depth == 0) return at + 1;
  }
  return text.size();
}

/// The start of the line of `at`, or of the first of the `//` lines directly above it.
std::size_t start_with_comment(std::string_view text, std::size_t at) {
  std::size_t start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  while (start > 0) {
    const std::size_t above = start < 2 ? 0 : text.rfind('\n', start - 2) + 1;
    if (!text.substr(above, 2).starts_with("//")) break;
    start = above;
  }
  return start;
}

/// "__launch_bounds__(256) reduce" before the "(" of the parameters -> the last word, "reduce".
std::string last_word(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0 && !is_of_name(text[end - 1])) --end;
  std::size_t start = end;
  while (start > 0 && is_of_name(text[start - 1])) --start;
  return std::string(text.substr(start, end - start));
}

}  // namespace

std::vector<KernelText> kernels_in(std::string_view source) {
  constexpr std::string_view keyword = "__global__";
  std::vector<KernelText> kernels;
  for (std::size_t at = 0; (at = find_code(source, "_", at)) != source.npos;) {
    if (!source.substr(at).starts_with(keyword)) {
      while (at < source.size() && is_of_name(source[at])) ++at;
      continue;
    }
    const std::size_t after = at + keyword.size();
    const std::size_t end = find_code(source, "{;", after);
    if (end == source.npos || source[end] == ';') {  // a declaration
      at = end == source.npos ? source.size() : end;
      continue;
    }
    // The parameters' "(" is the last one at depth 0 before the body: attributes may have brackets too.
    std::size_t open = source.npos;
    int depth = 0;
    for (std::size_t i = after; (i = find_code(source, "()", i)) < end; ++i) {
      if (source[i] == '(' && depth++ == 0) open = i;
      if (source[i] == ')') --depth;
    }
    const std::size_t finish = after_body(source, end);
    if (open != source.npos) {
      const std::size_t start = start_with_comment(source, at);
      KernelText kernel;
      kernel.name = last_word(source.substr(after, open - after));
      kernel.definition = std::string(source.substr(start, finish - start));
      kernel.line =
          static_cast<std::size_t>(std::count(source.begin(), source.begin() + static_cast<long>(at), '\n')) +
          1;
      kernel.has_todo = source.substr(end, finish - end).find("TODO") != source.npos;
      kernels.push_back(std::move(kernel));
    }
    at = finish;
  }
  return kernels;
}

}  // namespace warpwise::cli
