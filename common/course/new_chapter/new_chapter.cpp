#include "new_chapter.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../../text/files.hpp"

namespace warpwise::course {
namespace {

namespace fs = std::filesystem;
using text::read_text;
using text::write_text;

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

/// "ch08_"
bool begins_as_chapter(const std::string& name) {
  return name.size() >= 5 && name.starts_with("ch") && is_digit(name[2]) && is_digit(name[3]) &&
         name[4] == '_';
}

bool is_plain_name(const std::string& name) {
  return !name.empty() && std::islower(static_cast<unsigned char>(name[0])) != 0 &&
         std::all_of(name.begin(), name.end(), [](char letter) {
           return std::islower(static_cast<unsigned char>(letter)) != 0 || is_digit(letter) || letter == '_';
         });
}

/// The chapters of the course, by their numbers.
std::vector<std::pair<int, std::string>> chapters_in(const fs::path& root) {
  std::vector<std::pair<int, std::string>> chapters;
  for (const auto& entry : fs::directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (begins_as_chapter(name)) chapters.emplace_back(std::stoi(name.substr(2, 2)), name);
  }
  return chapters;
}

std::string with_names(std::string text, const NewChapter& chapter) {
  const std::pair<const char*, std::string> names[] = {{"@chapter@", chapter.name},
                                                       {"@short@", chapter.name.substr(0, 4)},
                                                       {"@number@", chapter.number},
                                                       {"@kernel@", chapter.kernel}};
  for (const auto& [mark, name] : names)
    for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + name.size()))
      text.replace(at, std::string(mark).size(), name);
  return text;
}

/// The root's CMakeLists.txt with one more line, behind the last of its kind.
std::string with_line(const std::string& list, const NewChapter& chapter) {
  const std::size_t last = list.rfind("add_subdirectory(ch");
  if (last == list.npos)
    throw std::runtime_error("CMakeLists.txt lists no chapter: it has no add_subdirectory(ch...).");
  const std::size_t end = list.find('\n', last);
  const std::string line = "\nadd_subdirectory(" + chapter.name + ")";
  return list.substr(0, end) + line + (end == list.npos ? "\n" : list.substr(end));
}

}  // namespace

NewChapter name_chapter(const std::string& word, const fs::path& root) {
  const bool has_number = begins_as_chapter(word);
  const std::string plain = has_number ? word.substr(5) : word;
  if (!is_plain_name(plain))
    throw std::invalid_argument(
        "'" + word +
        "' is no name for a chapter: it begins with a lower-case letter, and lower-case "
        "letters, digits and '_' follow, as in stencil or ch12_stencil.");
  const auto chapters = chapters_in(root);
  int number = 1;
  for (const auto& [used, name] : chapters) number = std::max(number, used + 1);
  if (has_number) number = std::stoi(word.substr(2, 2));
  for (const auto& [used, name] : chapters)
    if (used == number || name.substr(5) == plain)
      throw std::invalid_argument("there is a chapter " + name + " already; choose another name or number.");
  if (number > 99) throw std::invalid_argument("chapters have two digits, and there is one with 99 already.");
  const std::string digits = std::to_string(number);
  return {"ch" + std::string(digits.size() < 2 ? "0" : "") + digits + "_" + plain, digits, plain + "_kernel"};
}

void make_chapter(const NewChapter& chapter, const fs::path& root) {
  const fs::path folder = root / chapter.name, list = root / "CMakeLists.txt",
                 templates = WARPWISE_TEMPLATE_DIR;
  if (fs::exists(folder)) throw std::runtime_error(chapter.name + " exists already.");
  const std::string listed = with_line(read_text(list), chapter);
  for (const auto& entry : fs::recursive_directory_iterator(templates)) {
    if (!entry.is_regular_file() || entry.path().filename().string().starts_with('.')) continue;
    const fs::path path = with_names(entry.path().lexically_relative(templates).string(), chapter);
    fs::create_directories((folder / path).parent_path());
    write_text(folder / path, with_names(read_text(entry.path()), chapter));
  }
  write_text(list, listed);
}

}  // namespace warpwise::course
