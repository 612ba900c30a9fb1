#include "chapter.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <utility>

#include "files.hpp"

namespace warpwise::text {
namespace {

namespace fs = std::filesystem;

std::string title_of(const fs::path& readme, const std::string& fallback) {
  std::ifstream file(readme);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("# ")) return line.substr(2);
  return fallback;
}

std::vector<KernelPage> pages_in(const fs::path& folder) {
  std::vector<KernelPage> pages;
  if (!fs::exists(folder)) return pages;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".md")
      pages.push_back(parse_kernel_page(read_text(entry.path()), shown_path(entry.path())));
  return pages;
}

/// Those of all pages that are right, or those that are not; by name.
std::vector<Way> ways_on(const std::vector<KernelPage>& pages, bool are_right) {
  std::vector<Way> ways;
  for (const KernelPage& page : pages)
    for (const Way& way : page.ways)
      if (way.is_right() == are_right) ways.push_back(way);
  std::sort(ways.begin(), ways.end(), [](const Way& a, const Way& b) { return a.name < b.name; });
  return ways;
}

bool is_chapter_name(std::string_view name) {
  return name.size() > 5 && name.starts_with("ch") && std::isdigit(static_cast<unsigned char>(name[2])) &&
         std::isdigit(static_cast<unsigned char>(name[3])) && name[4] == '_';
}

}  // namespace

struct Chapter::Read {
  Once<std::string> title, contract;
  Once<Source> exercise, solution;
  Once<std::vector<Contract>> contracts;
  Once<std::vector<KernelPage>> pages;
  Once<std::vector<Way>> attempts, accepted;
};

Chapter::Chapter(std::string chapter_name, fs::path chapter_folder, fs::path built_folder)
    : name(std::move(chapter_name)),
      folder(std::move(chapter_folder)),
      built(std::move(built_folder)),
      read_(std::make_shared<Read>()) {}

const std::string& Chapter::title() const {
  return read_->title.get([&] { return title_of(folder / "README.md", name); });
}

const Source& Chapter::exercise() const {
  return read_->exercise.get([&] { return Source(text_or_nothing(exercise_file())); });
}

const Source& Chapter::solution() const {
  return read_->solution.get([&] { return Source(text_or_nothing(solution_file())); });
}

const std::string& Chapter::contract_text() const {
  return read_->contract.get([&] { return text_or_nothing(contract_file()); });
}

const std::vector<Contract>& Chapter::contracts() const {
  return read_->contracts.get([&] { return contracts_in(contract_text()); });
}

const std::vector<KernelPage>& Chapter::pages() const {
  return read_->pages.get([&] {
    std::vector<KernelPage> all = pages_in(folder / "kernels");
    const auto place_of = [&](const KernelPage& page) {
      const unsigned line = contract(page.kernel).line;
      return std::pair(line == 0, std::pair(line, page.kernel));
    };
    std::sort(all.begin(), all.end(),
              [&](const KernelPage& a, const KernelPage& b) { return place_of(a) < place_of(b); });
    return all;
  });
}

const std::vector<Way>& Chapter::attempts() const {
  return read_->attempts.get([&] { return ways_on(pages(), false); });
}

const std::vector<Way>& Chapter::accepted() const {
  return read_->accepted.get([&] { return ways_on(pages(), true); });
}

std::vector<Chapter> find_chapters(const fs::path& root, const fs::path& build) {
  std::vector<Chapter> chapters;
  for (const auto& entry : fs::directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (is_chapter_name(name) && fs::exists(entry.path() / "kernels.hpp"))
      chapters.emplace_back(name, entry.path(), build / name);
  }
  std::sort(chapters.begin(), chapters.end(),
            [](const Chapter& a, const Chapter& b) { return a.name < b.name; });
  return chapters;
}

}  // namespace warpwise::text
