#include "pictures.hpp"

#include <optional>
#include <stdexcept>

namespace warpwise::course {
namespace {

constexpr std::string_view comment_start = "<!-- picture: ", comment_end = " -->";

std::runtime_error problem(std::size_t line, const std::string& sentence) {
  return std::runtime_error("line " + std::to_string(line) + ": " + sentence);
}

/// "pictures/banks.svg" of "![words](pictures/banks.svg)"; empty for any other line.
std::string image_in(std::string_view line, std::size_t number) {
  constexpr std::string_view before = "](pictures/";
  const std::size_t start = line.find("!["), middle = line.find(before);
  if (start == line.npos || middle == line.npos) return {};
  if (middle == start + 2) throw problem(number, "the picture has no words for those who cannot see it");
  const std::size_t begin = middle + 2;
  return std::string(line.substr(begin, line.find(')', begin) - begin));
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
      throw problem(open->line, "no ![words](pictures/NAME.svg) stands below the comment");
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
  if (open) throw problem(open->line, "no ![words](pictures/NAME.svg) stands below the comment");
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
