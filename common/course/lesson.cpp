#include "lesson.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
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

/// "solution.cu" and "tree" of "<!-- code: solution.cu#tree -->"; empty if the line is another.
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

void check_output(std::string_view lesson, const std::string& program, const process::Result& result) {
  if (result.status != 0 || result.output.empty())
    throw std::runtime_error(program + " ended with " + std::to_string(result.status) + " and printed:\n" +
                             result.output);
  const std::string name = std::filesystem::path(program).filename().string();
  if (lesson.find("/" + name + "\n" + result.output + "```") == lesson.npos)
    throw std::runtime_error("the lesson does not show what " + program + " prints:\n" + result.output);
}

namespace {

using text::Function;
using text::Source;

/// The name of a function that is somebody's own work; empty if there is none.
std::string written_function(const Source& exercise, const Source& solution) {
  for (const Function& function : exercise.functions()) {
    const auto same = std::find_if(solution.functions().begin(), solution.functions().end(),
                                   [&](const Function& other) { return other.name == function.name; });
    if (same != solution.functions().end() && same->code != function.code && !function.has_todo)
      return function.name;
  }
  return {};
}

std::string_view line_at(std::string_view text, std::size_t at) {
  const std::size_t start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return text.substr(start, text.find('\n', start) - start);
}

std::string first_difference(std::string_view exercise, std::string_view solution) {
  const auto places = std::mismatch(exercise.begin(), exercise.end(), solution.begin(), solution.end());
  const auto at = static_cast<std::size_t>(places.first - exercise.begin());
  return "the exercise has\n  " + std::string(line_at(exercise, at)) + "\nand the solution\n  " +
         std::string(line_at(solution, at));
}

}  // namespace

std::string frame_of(const Source& source) {
  std::string frame;
  std::size_t at = 0;
  for (const Function& function : source.functions()) {
    const std::size_t body = function.start + function.body + 1;
    frame += source.text().substr(at, body - at);
    at = function.start + function.code.size() - 1;
  }
  return frame += source.text().substr(at);
}

std::string compare_frames(const Source& exercise, const Source& solution,
                           const std::function<std::string()>& committed) {
  const std::size_t bodies = exercise.functions().size();
  if (bodies == 0) throw std::runtime_error("the exercise has no function: nothing was checked");
  const std::string frame = frame_of(solution);
  if (frame_of(exercise) == frame) return std::to_string(bodies) + " bodies, the same frame";
  if (const std::string name = written_function(exercise, solution); !name.empty())
    return "no longer a skeleton: it has code for " + name;
  const std::string before = committed();
  if (!before.empty() && before != exercise.text() && frame_of(Source(before)) == frame)
    return "the exercise was changed; git's version of it has the solution's frame";
  throw std::runtime_error("exercise and solution differ outside the bodies of their functions: " +
                           first_difference(frame_of(exercise), frame));
}

namespace {

constexpr std::string_view comment_start = "<!-- picture: ", comment_end = " -->";

std::runtime_error problem(std::size_t line, const std::string& sentence) {
  return std::runtime_error("line " + std::to_string(line) + ": " + sentence);
}

/// "lesson/pictures/banks.svg" of "![words](lesson/pictures/banks.svg)"; empty for a line without a picture
/// of one of the folders.
std::string image_in(std::string_view line, std::size_t number) {
  const std::size_t start = line.find("!["), middle = line.find("](");
  if (start == line.npos || middle == line.npos) return {};
  const std::size_t begin = middle + 2;
  const std::string_view file = line.substr(begin, line.find(')', begin) - begin);
  const bool is_ours = std::any_of(std::begin(picture_folders), std::end(picture_folders),
                                   [&](std::string_view folder) { return file.starts_with(folder); });
  if (!is_ours) return {};
  if (middle == start + 2) throw problem(number, "the picture has no words for those who cannot see it");
  return std::string(file);
}

void check_command(const std::string& command, std::size_t line) {
  const auto has = [&](const char* option) { return command.find(option) != command.npos; };
  const bool is_program = command.starts_with("exec ");
  if ((!command.starts_with("show ") && !is_program) || !has(" --svg "))
    throw problem(line,
                  "a picture is drawn by `show CHAPTER KERNEL ... --svg VIEW` or `exec FILE --svg VIEW`");
  if (!is_program && !has(" --solution") && !has(" --attempt ") && !has(" --accepted "))
    throw problem(
        line, "a picture shows the solution, an attempt or what is accepted: the exercise is the student's");
  if (has(" --output")) throw problem(line, "the line below says where the picture goes, not --output");
}

}  // namespace

std::vector<Picture> pictures_in(std::string_view page) {
  std::vector<Picture> pictures;
  std::optional<Picture> open;
  bool is_fenced = false;  // a block of code shows how it is written
  for (std::size_t number = 1; !page.empty(); ++number) {
    const std::size_t end = page.find('\n');
    const std::string_view line = page.substr(0, end);
    page.remove_prefix(end == page.npos ? page.size() : end + 1);
    if (line.starts_with("```")) is_fenced = !is_fenced;
    if (is_fenced) continue;
    const std::string image = image_in(line, number);
    if (open && image.empty())
      throw problem(open->line, "no ![words](pictures/NAME.svg) is below the comment");
    if (!open && !image.empty())
      throw problem(number, image + " has no `<!-- picture: show ... -->` above it");
    if (open) {
      open->file = image;
      pictures.push_back(*open);
      open.reset();
    }
    if (!line.starts_with(comment_start) || !line.ends_with(comment_end)) continue;
    open.emplace();
    open->line = number;
    open->command =
        line.substr(comment_start.size(), line.size() - comment_start.size() - comment_end.size());
    check_command(open->command, number);
  }
  if (open) throw problem(open->line, "no ![words](pictures/NAME.svg) is below the comment");
  return pictures;
}

std::string command_in(std::string_view svg) {
  constexpr std::string_view start = "<metadata>./warpwise ";
  const std::size_t begin = svg.find(start), end = svg.find("</metadata>");
  if (begin == svg.npos || end == svg.npos || end < begin) return {};
  std::string command(svg.substr(begin + start.size(), end - begin - start.size()));
  const auto replace = [&](std::string_view what, std::string_view with) {
    for (std::size_t at = command.find(what); at != command.npos; at = command.find(what, at + with.size()))
      command.replace(at, what.size(), with);
  };
  replace("&lt;", "<");
  replace("&amp;", "&");
  return command;
}

}  // namespace warpwise::course
