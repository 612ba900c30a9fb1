#include "chapter_template.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../../text/files.hpp"
#include "../../text/source.hpp"

namespace warpwise::course {

namespace {

namespace fs = std::filesystem;
using text::read_text;
using text::write_text;

bool is_plain_name(const std::string& name) {
  return !name.empty() && std::islower(static_cast<unsigned char>(name[0])) != 0 &&
         std::all_of(name.begin(), name.end(), [](char letter) {
           return std::islower(static_cast<unsigned char>(letter)) != 0 || text::is_digit(letter) ||
                  letter == '_';
         });
}

/// The chapters of the course, by their numbers.
std::vector<std::pair<int, std::string>> chapters_in(const fs::path& root) {
  std::vector<std::pair<int, std::string>> chapters;
  for (const auto& entry : fs::directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (text::begins_as_chapter(name)) chapters.emplace_back(std::stoi(name.substr(2, 2)), name);
  }
  return chapters;
}

std::string with_names(std::string text, const NewChapter& chapter) {
  const std::pair<const char*, std::string> names[] = {{"@chapter@", chapter.name},
                                                       {"@short@", report::short_name(chapter.name)},
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
  const bool has_number = text::begins_as_chapter(word);
  const std::string plain = has_number ? word.substr(5) : word;
  if (!is_plain_name(plain))
    throw std::invalid_argument(
        "'" + word +
        "' is not a name for a chapter: it begins with a lower-case letter, and lower-case "
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

namespace {

using Sentences = std::vector<std::string>;

/// The files in `folder`, ascending; none if it is not there.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (fs::is_directory(folder))
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void look_for_files(const text::ChapterFolder& chapter, Sentences& lacking) {
  for (const char* file : {"README.md", "kernels.hpp", "exercise.cu", "solution.cu", "CMakeLists.txt"})
    if (!fs::exists(chapter.folder / file)) lacking.push_back(std::string("There is no ") + file + ".");
  const std::string list = text::text_or_nothing(chapter.folder.parent_path() / "CMakeLists.txt");
  if (list.find("add_subdirectory(" + chapter.name + ")") == list.npos)
    lacking.push_back("The CMakeLists.txt beside the folder has no line add_subdirectory(" + chapter.name +
                      ").");
}

/// The code of a lesson is pulled from the sources, so that it cannot drift from them.
void look_at_lesson(const text::ChapterFolder& chapter, Sentences& lacking) {
  if (text::text_or_nothing(chapter.folder / "README.md").find("\n<!-- code: ") == std::string::npos)
    lacking.push_back("README.md shows no code: <!-- code: solution.cu#ANCHOR --> above a block of it.");
}

/// The lines of the template that nobody has replaced.
void look_for_template(const text::ChapterFolder& chapter, Sentences& lacking) {
  constexpr std::string_view mark = "TEMPLATE: ";
  for (const char* folder : {"", "checks", "kernels"})
    for (const fs::path& path : files_in(chapter.folder / folder)) {
      std::ifstream file(path);
      std::string line;
      for (unsigned number = 1; std::getline(file, line); ++number)
        if (const std::size_t at = line.find(mark); at != line.npos)
          lacking.push_back(path.lexically_relative(chapter.folder).string() + ":" + std::to_string(number) +
                            " is still the template's: " + line.substr(at + mark.size()));
    }
}

/// Judged together with others, under the name of one of them.
bool is_of_a_family(const report::Chapter& declared, const std::string& kernel) {
  return std::any_of(declared.kernels.begin(), declared.kernels.end(), [&](const report::Kernel& judged) {
    return judged.name != kernel &&
           std::find(judged.family.begin(), judged.family.end(), kernel) != judged.family.end();
  });
}

void look_at_checks(const report::Report& declared, const std::string& chapter, const std::string& kernel,
                    Sentences& lacking) {
  for (const report::Aspect aspect : report::all_aspects)
    if (declared.verdict(chapter, kernel, aspect) == nullptr)
      lacking.push_back("No test case has the tags [" + kernel + "][" + std::string(report::name_of(aspect)) +
                        "].");
}

/// Whether one of `implementations` is to write the kernel.
bool has_implementation(const std::vector<text::Implementation>& implementations, const std::string& kernel) {
  return std::any_of(
      implementations.begin(), implementations.end(), [&](const text::Implementation& implementation) {
        return implementation.kernel == kernel ||
               std::find(implementation.also_writes.begin(), implementation.also_writes.end(), kernel) !=
                   implementation.also_writes.end();
      });
}

void look_at_hints(const text::ChapterFolder& chapter, const std::string& kernel, Sentences& lacking) {
  std::size_t hints = 0;
  for (const text::KernelHints& each : chapter.hints())
    if (each.kernel == kernel) hints = each.hints.size();
  if (hints < 3)
    lacking.push_back("hints.md has " + std::to_string(hints) + (hints == 1 ? " hint" : " hints") + " for " +
                      kernel + ", not 3 or more.");
}

void look_at_ways(const text::ChapterFolder& chapter, const std::string& kernel, Sentences& lacking) {
  if (!has_implementation(chapter.attempts(), kernel))
    lacking.push_back("No page in kernels/ has a wrong attempt at " + kernel +
                      ", which a check must reject.");
  if (!has_implementation(chapter.accepted(), kernel))
    lacking.push_back("No page in kernels/ has another correct solution of " + kernel + ".");
}

void look_at_kernels(const text::ChapterFolder& chapter, const report::Report* declared, Sentences& lacking) {
  bool has_pages = true;
  try {
    chapter.hints();
    chapter.implementations();
  } catch (const text::PageError& error) {
    lacking.push_back(error.what());
    has_pages = false;
  }
  if (chapter.solution().kernels().empty()) lacking.push_back("solution.cu has no kernel.");
  for (const text::Function& kernel : chapter.solution().functions()) {
    if (!kernel.is_kernel) continue;
    const std::string& name = kernel.name;
    if (kernel.has_todo) lacking.push_back("The solution of " + name + " has a TODO.");
    if (!chapter.exercise().is_skeleton(name))
      lacking.push_back("exercise.cu has no skeleton of " + name + ": a kernel with a TODO in it.");
    if (chapter.contract(name).line == 0)
      lacking.push_back("kernels.hpp does not declare " + name + " with WARPWISE_KERNEL.");
    if (declared != nullptr && is_of_a_family(declared->chapters.at(0), name)) continue;
    if (declared != nullptr) look_at_checks(*declared, chapter.name, name, lacking);
    if (!has_pages) continue;
    look_at_hints(chapter, name, lacking);
    look_at_ways(chapter, name, lacking);
  }
}

}  // namespace

std::vector<std::string> what_it_lacks(const text::ChapterFolder& chapter, const report::Report* declared) {
  Sentences lacking;
  look_for_files(chapter, lacking);
  look_for_template(chapter, lacking);
  look_at_lesson(chapter, lacking);
  look_at_kernels(chapter, declared, lacking);
  return lacking;
}

}  // namespace warpwise::course
