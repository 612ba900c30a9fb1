#include "source.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "difference.hpp"
#include "files.hpp"

namespace warpwise::text {
namespace {

/// The place after a comment or a literal that starts at `at`; `at` where none does.
std::size_t after_comment_or_literal(std::string_view text, std::size_t at) {
  const char first = text[at];  // every character of every source comes by here
  if (first != '/' && first != '"' && first != '\'') return at;
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  if (text.substr(at, 2) == "/*") {
    const std::size_t end = text.find("*/", at + 2);
    return end == text.npos ? text.size() : end + 2;
  }
  const bool is_in_name = at > 0 && is_of_name(text[at - 1]);  // 1'000, and what begins a literal as in u8'a'
  if (first == '/' || (first == '\'' && is_in_name)) return at;
  for (++at; at < text.size() && text[at] != first; ++at) {
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

/// The first place at or after `at` that is neither white space nor in a comment.
std::size_t first_code(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const bool is_comment = text[at] == '/' && after_comment_or_literal(text, at) != at;
    if (is_comment)
      at = after_comment_or_literal(text, at);
    else if (std::isspace(static_cast<unsigned char>(text[at])) != 0)
      ++at;
    else
      break;
  }
  return at;
}

/// The name in the head of a function: the word before the parameters, whose "(" is the last one at depth 0,
/// since attributes may have brackets too. Empty if there is none: no function.
std::string name_in(std::string_view head) {
  std::size_t open = head.npos;
  int depth = 0;
  for (std::size_t at = 0; (at = find_code(head, "()", at)) != head.npos; ++at) {
    if (head[at] == '(' && depth++ == 0) open = at;
    if (head[at] == ')') --depth;
  }
  return open == head.npos ? "" : last_word(head.substr(0, open));
}

bool names(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !is_of_name(text[at - 1])) && (end == text.size() || !is_of_name(text[end]))) return true;
  }
  return false;
}

/// The comments of `text`, or all but them, white space folded.
std::string part_of(std::string_view text, bool wants_comments) {
  std::string part;
  bool is_directive = false;  // its end is that of its line
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::max(after_comment_or_literal(text, at), at + 1);
    if (text[at] == '#') is_directive = true;
    if (text[at] == '\n' && std::exchange(is_directive, false)) {
      while (part.ends_with(' ')) part.pop_back();
      part += '\n';
    }
    const bool is_comment = end - at > 1 && text[at] == '/';
    const bool is_space = std::isspace(static_cast<unsigned char>(text[at])) != 0;
    if (is_space || is_comment != wants_comments) {
      const bool has_blank = part.empty() || part.back() == ' ' || part.back() == '\n';
      if (!has_blank && (is_space || is_comment)) part += ' ';
    } else {
      part += text.substr(at, end - at);
    }
    at = end;
  }
  while (part.ends_with(' ')) part.pop_back();
  return part;
}

/// What is searched for the names of functions.
struct Searched {
  std::string code, comments;
  explicit Searched(std::string_view text) : code(part_of(text, false)), comments(part_of(text, true)) {}

  /// A word of plain English in a comment names a function only with brackets: `then(...)`.
  bool has(std::string_view word) const {
    if (names(code, word)) return true;
    if (word.find('_') != word.npos) return names(comments, word);
    for (std::size_t at = 0; (at = comments.find(word, at)) != comments.npos; ++at) {
      const char next = at + word.size() < comments.size() ? comments[at + word.size()] : ' ';
      if ((at == 0 || !is_of_name(comments[at - 1])) && (next == '(' || next == '<' || next == '`'))
        return true;
    }
    return false;
  }
};

/// "reduce_unrolled_64" -> "reduce_unrolled_"
std::string_view without_number(std::string_view name) {
  while (!name.empty() && is_digit(name.back())) name.remove_suffix(1);
  return name;
}

bool has_todo(std::string_view code) {
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = after_comment_or_literal(code, at);
    const bool is_comment = end != at && code[at] == '/';
    if (is_comment && code.substr(at, end - at).find("TODO") != code.npos) return true;
    at = std::max(end, at + 1);
  }
  return false;
}

Function function_of(std::string_view source, std::size_t start, std::size_t open, std::size_t finish,
                     std::string name) {
  const std::size_t comment = start_with_comment(source, start);
  const std::size_t line_start = start == 0 ? 0 : source.rfind('\n', start - 1) + 1;
  Function function;
  function.name = std::move(name);
  function.comment = std::string(source.substr(comment, line_start - comment));
  function.code = std::string(source.substr(start, finish - start));
  function.start = start;
  function.body = open - start;
  function.has_todo = has_todo(function.code);
  function.line =
      static_cast<std::size_t>(std::count(source.begin(), source.begin() + static_cast<long>(start), '\n')) +
      1;
  return function;
}

std::string todo_text(std::string_view line) {
  std::string_view text = line.substr(line.find("TODO") + 4);
  while (!text.empty() && (text.front() == ' ' || text.front() == ':')) text.remove_prefix(1);
  return std::string(text.substr(0, text.find(':')));
}

/// Whether the first line of `code` that says anything is a statement that a skeleton would not have there.
bool begins_with_statement(std::string_view code) {
  while (!code.empty()) {
    std::string_view line = code.substr(0, code.find('\n'));
    code.remove_prefix(std::min(line.size() + 1, code.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty() || (line.starts_with("//") && line.find("TODO") == line.npos)) continue;
    return !line.starts_with("//") && !line.starts_with("}") && !line.starts_with("return");
  }
  return false;
}

std::vector<Function> functions_in(std::string_view source) {
  std::vector<Function> functions;
  std::size_t start = 0;  // of what stands before the next brace
  for (std::size_t at = 0; (at = find_code(source, "{};#", at)) != source.npos;) {
    if (source[at] == '#') {  // a directive: to the end of its line
      at = start = std::min(source.find('\n', at), source.size());
      continue;
    }
    if (source[at] != '{') {
      start = ++at;
      continue;
    }
    const std::size_t first = first_code(source, start);
    const std::string_view head = source.substr(first, at - first);
    std::string name = name_in(head);
    if (name.empty() && (names(head, "namespace") || head.starts_with("extern"))) {  // look inside
      start = ++at;
      continue;
    }
    const std::size_t finish = after_body(source, at);
    if (!name.empty()) {
      functions.push_back(function_of(source, first, at, finish, std::move(name)));
      functions.back().is_kernel = names(head, "__global__");
    }
    at = start = finish;
  }
  return functions;
}

}  // namespace

Source::Source(std::string text) : text_(std::move(text)), functions_(functions_in(text_)) {}

std::vector<std::string> Source::kernels() const {
  std::vector<std::string> kernels;
  for (const Function& function : functions_)
    if (function.is_kernel) kernels.push_back(function.name);
  return kernels;
}

std::vector<Function> Source::kernel_and_callees(std::string_view kernel) const {
  const auto found = std::find_if(functions_.begin(), functions_.end(), [&](const Function& function) {
    return function.is_kernel && function.name == kernel;
  });
  if (found == functions_.end()) return {};
  const std::vector<std::string> callees = names_reached(found->code);
  std::vector<Function> needed;
  for (const Function& function : functions_)
    if (function.is_kernel ? function.name == kernel
                           : std::find(callees.begin(), callees.end(), function.name) != callees.end())
      needed.push_back(function);
  return needed;
}

std::vector<std::string> Source::names_reached(std::string_view code) const {
  std::vector<std::string> reached;
  std::set<std::string_view> known;
  std::vector<Searched> callers{Searched(code)};
  for (std::size_t next = 0; next < callers.size(); ++next) {
    for (const Function& function : functions_) {
      if (function.is_kernel || known.count(function.name) != 0 || !callers[next].has(function.name))
        continue;
      known.insert(function.name);
      reached.push_back(function.name);
      callers.emplace_back(function.code);
    }
  }
  return reached;
}

std::string Source::own_text(std::string_view kernel) const {
  std::string own;
  std::size_t at = 0;
  for (const Function& function : functions_) {
    own += text_.substr(at, function.start - at);
    at = function.start + function.code.size();
    if (function.is_kernel && function.name == kernel) own += function.code;
  }
  own += text_.substr(at);
  const std::vector<std::string> called = names_reached(own);
  for (const Function& function : functions_)
    if (!function.is_kernel && std::find(called.begin(), called.end(), function.name) != called.end())
      own += function.code;
  return own;
}

std::string Source::with_kernel_alone(std::string_view kernel) const {
  const std::vector<std::string> all = kernels();
  if (std::find(all.begin(), all.end(), kernel) == all.end()) return {};
  std::string alone = text_;
  for (const Function& function : functions_) {
    if (!function.is_kernel || without_number(function.name) == without_number(kernel)) continue;
    const auto start = alone.begin() + static_cast<std::ptrdiff_t>(function.start);
    std::replace_if(
        start, start + static_cast<std::ptrdiff_t>(function.code.size()), [](char c) { return c != '\n'; },
        ' ');
  }
  return alone;
}

bool Source::is_skeleton(std::string_view kernel) const {
  const std::vector<Function> needed = kernel_and_callees(kernel);
  return std::any_of(needed.begin(), needed.end(),
                     [](const Function& function) { return function.has_todo; });
}

std::vector<Todo> Source::todos_of(std::string_view kernel) const {
  std::vector<Todo> todos;
  for (const Function& function : kernel_and_callees(kernel)) {
    std::string_view code = function.code;
    for (auto number = static_cast<unsigned>(function.line); !code.empty(); ++number) {
      const std::string_view line = code.substr(0, code.find('\n'));
      code.remove_prefix(std::min(line.size() + 1, code.size()));
      const auto comment = line.find("//");
      if (comment != line.npos && line.find("TODO", comment) != line.npos)
        todos.push_back({number, todo_text(line), begins_with_statement(code)});
    }
  }
  return todos;
}

Source read_source(const std::string& path) { return Source(text_or_nothing(path)); }

std::string code_alone(std::string_view source) { return part_of(source, false); }

std::string without_anchors(std::string_view source) {
  std::string text;
  while (!source.empty()) {
    const std::string_view line = source.substr(0, std::min(source.find('\n'), source.size() - 1) + 1);
    const std::size_t first = line.find_first_not_of(' ');
    const bool is_anchor =
        first != line.npos && line.substr(first).starts_with("// [") && line.ends_with("]\n");
    if (!is_anchor) text += line;
    source.remove_prefix(line.size());
  }
  return text;
}

std::vector<std::string> includes_in(std::string_view source) {
  std::vector<std::string> names;
  for (const std::string& line : lines_of(source)) {
    const std::size_t mark = line.find_first_not_of(" \t");
    if (mark == line.npos || line.compare(mark, 8, "#include") != 0) continue;
    const std::size_t open = line.find('"', mark), close = line.find('"', open + 1);
    if (open != line.npos && close != line.npos) names.push_back(line.substr(open + 1, close - open - 1));
  }
  return names;
}

}  // namespace warpwise::text
