#include "chapters.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include "failure.hpp"
#include "suggestion.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

bool is_chapter_name(std::string_view name) {
  return name.size() > 5 && name.starts_with("ch") && std::isdigit(static_cast<unsigned char>(name[2])) &&
         std::isdigit(static_cast<unsigned char>(name[3])) && name[4] == '_';
}

std::string title_of(const fs::path& readme, const std::string& fallback) {
  std::ifstream file(readme);
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("# ")) return line.substr(2);
  }
  return fallback;
}

/// "ch99", "99": another number is no misspelling.
bool is_number(std::string_view word) {
  if (word.starts_with("ch")) word.remove_prefix(2);
  return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
}

/// "ch01_naive" is also known as "ch01", "ch1", "01", "1" and "naive".
bool answers_to(const std::string& name, std::string_view word) {
  const std::string number = name.substr(2, 2);
  const std::string plain = number.starts_with('0') ? number.substr(1) : number;
  return word == name || word == name.substr(0, 4) || word == "ch" + plain || word == number ||
         word == plain || word == name.substr(5);
}

}  // namespace

fs::path root_folder() { return WARPWISE_ROOT; }
fs::path build_folder() { return WARPWISE_BUILD; }

std::vector<Chapter> find_chapters(const fs::path& root, const fs::path& build) {
  std::vector<Chapter> chapters;
  for (const auto& entry : fs::directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (!is_chapter_name(name) || !fs::exists(entry.path() / "kernels.hpp")) continue;
    chapters.push_back({name, title_of(entry.path() / "README.md", name), entry.path(), build / name});
  }
  std::sort(chapters.begin(), chapters.end(),
            [](const Chapter& a, const Chapter& b) { return a.name < b.name; });
  return chapters;
}

std::vector<Chapter> chapters_of_this_clone() {
  std::vector<Chapter> chapters = find_chapters(root_folder(), build_folder());
  // CMake leaves this file in the build tree of every folder that it was told of.
  std::erase_if(chapters,
                [](const Chapter& chapter) { return !fs::exists(chapter.built / "cmake_install.cmake"); });
  return chapters;
}

Chapter chapter_named(std::string_view word, const std::vector<Chapter>& chapters) {
  // A path ending in a slash is what a shell completes to.
  while (word.ends_with('/')) word.remove_suffix(1);
  std::vector<std::string> names;
  for (const Chapter& chapter : chapters) {
    if (answers_to(chapter.name, word)) return chapter;
    names.push_back(chapter.name.substr(0, 4));
    names.push_back(chapter.name);
  }
  const std::string near = is_number(word) ? "" : nearest(word, names);
  if (near.empty()) {  // list each chapter once
    names.clear();
    for (const Chapter& chapter : chapters) names.push_back(chapter.name);
  }
  throw Failure("there is no chapter '" + std::string(word) + "'" +
                    (near.empty() ? list_of(names) : "; did you mean " + near + "?"),
                wrong_usage);
}

Chapter chapter_named(std::string_view word) { return chapter_named(word, chapters_of_this_clone()); }

}  // namespace warpwise::cli
