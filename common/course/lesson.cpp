#include "lesson.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "../text/source.hpp"

namespace warpwise::course {
namespace {

/// The line of `text` that ends right before `at`.
std::string_view line_above(std::string_view text, std::size_t at) {
  text = text.substr(0, at);
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);
}

std::size_t line_number(std::string_view text, std::size_t at) {
  return static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n')) + 1;
}

/// "solution.cu" and "tree" of "<!-- code: solution.cu#tree -->"; empty where the line is another.
std::pair<std::string, std::string> file_and_anchor(std::string_view line) {
  constexpr std::string_view start = "<!-- code: ";
  constexpr std::string_view end = " -->";
  const std::size_t hash = line.find('#');
  if (!line.starts_with(start) || !line.ends_with(end) || hash == line.npos) return {};
  return {std::string(line.substr(start.size(), hash - start.size())),
          std::string(line.substr(hash + 1, line.size() - end.size() - hash - 1))};
}

std::string without_indent(std::string_view text, std::size_t indent) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    const bool is_indented = line.find_first_not_of(' ') >= indent && line.size() > indent;
    result += is_indented ? line.substr(indent) : line;
    text.remove_prefix(end);
  }
  return result;
}

std::string stripped(std::string text) {
  while (text.ends_with('\n') || text.ends_with(' ')) text.pop_back();
  return text.substr(std::min(text.find_first_not_of('\n'), text.size()));
}

}  // namespace

std::string anchored(std::string_view source, const std::string& anchor) {
  const std::string first = "// [" + anchor + "]\n";
  const std::string last = "// [/" + anchor + "]\n";
  const std::size_t begin = source.find(first);
  const std::size_t end = source.find(last);
  if (begin == source.npos || end == source.npos || end < begin) {
    const text::Source functions{std::string(source)};
    for (const text::Function& function : functions.functions())
      if (function.name == anchor) return function.code;
    throw std::runtime_error("there are no lines `// [" + anchor + "]` and `// [/" + anchor +
                             "]`, and no function of that name");
  }
  const std::size_t line = begin == 0 ? 0 : source.rfind('\n', begin - 1) + 1;
  const std::size_t body = begin + first.size();
  const std::size_t body_end = source.rfind('\n', end) + 1;
  return stripped(without_indent(text::without_anchors(source.substr(body, body_end - body)), begin - line));
}

std::size_t check_lesson(std::string_view lesson,
                         const std::function<std::string(const std::string& file)>& source) {
  constexpr std::string_view fence = "```cpp\n";
  std::size_t blocks = 0;
  for (std::size_t at = lesson.find(fence); at != lesson.npos; at = lesson.find(fence, at + 1)) {
    const std::string place = "line " + std::to_string(line_number(lesson, at)) + ": ";
    const auto [file, anchor] = file_and_anchor(line_above(lesson, at));
    if (file.empty())
      throw std::runtime_error(place + "a cpp block without `<!-- code: FILE#ANCHOR -->` above it");
    const std::size_t begin = at + fence.size();
    const std::string_view shown = lesson.substr(begin, lesson.find("\n```", begin) - begin);
    const std::string expected = anchored(source(file), anchor);
    if (shown != expected)
      throw std::runtime_error(place + file + "#" + anchor + " is shown as\n" + std::string(shown) +
                               "\n--- but the file says\n" + expected);
    ++blocks;
  }
  if (blocks == 0) throw std::runtime_error("the lesson shows no code: nothing was checked");
  return blocks;
}

std::string with_current_code(std::string_view lesson,
                              const std::function<std::string(const std::string& file)>& source) {
  constexpr std::string_view fence = "```cpp\n";
  std::string result;
  std::size_t at = 0;
  for (std::size_t block = lesson.find(fence); block != lesson.npos; block = lesson.find(fence, block + 1)) {
    const auto [file, anchor] = file_and_anchor(line_above(lesson, block));
    const std::string text = file.empty() ? "" : source(file);
    if (text.find("// [" + anchor + "]\n") == text.npos) continue;
    const std::size_t begin = block + fence.size();
    result += std::string(lesson.substr(at, begin - at)) + anchored(text, anchor);
    at = lesson.find("\n```", begin);
  }
  return result += lesson.substr(at);
}

void check_output(std::string_view lesson, const std::string& program, const ProcessOutput& output) {
  if (output.status != 0 || output.text.empty())
    throw std::runtime_error(program + " ended with " + std::to_string(output.status) + " and printed:\n" +
                             output.text);
  const std::string name = std::filesystem::path(program).filename().string();
  if (lesson.find("/" + name + "\n" + output.text + "```") == lesson.npos)
    throw std::runtime_error("the lesson does not show what " + program + " prints:\n" + output.text);
}

}  // namespace warpwise::course
