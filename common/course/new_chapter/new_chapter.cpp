#include "new_chapter.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../../text/chapter.hpp"
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

namespace fs = std::filesystem;

/// The chapter as it was read.
class ChapterFiles {
 public:
  explicit ChapterFiles(const fs::path& folder) : chapter_(folder.filename().string(), folder) {
    for (const fs::path& file : files_in(chapter_.checks_folder()))
      if (file.extension() == ".cpp") checks_ += text::read_text(file);
  }
  const text::ChapterFolder& chapter() const { return chapter_; }
  const fs::path& folder() const { return chapter_.folder; }
  /// All .cpp files of the checks, one behind the other.
  const std::string& checks() const { return checks_; }

  /// The files in `folder`, ascending; none if it is not there.
  static std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    if (fs::is_directory(folder))
      for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
  }

 private:
  text::ChapterFolder chapter_;
  std::string checks_;
};

using Sentences = std::vector<std::string>;

void look_for_files(const ChapterFiles& chapter, Sentences& lacking) {
  for (const char* file : {"README.md", "kernels.hpp", "exercise.cu", "solution.cu", "CMakeLists.txt"})
    if (!fs::exists(chapter.folder() / file)) lacking.push_back(std::string("There is no ") + file + ".");
  const std::string name = chapter.folder().filename().string();
  const fs::path list = chapter.folder().parent_path() / "CMakeLists.txt";
  const std::string text = text::text_or_nothing(list);
  if (text.find("add_subdirectory(" + name + ")") == text.npos)
    lacking.push_back("The CMakeLists.txt beside the folder has no line add_subdirectory(" + name + ").");
}

/// The code of a lesson is pulled from the sources, so that it cannot drift from them.
void look_at_lesson(const ChapterFiles& chapter, Sentences& lacking) {
  if (text::text_or_nothing(chapter.folder() / "README.md").find("\n<!-- code: ") == std::string::npos)
    lacking.push_back("README.md shows no code: <!-- code: solution.cu#ANCHOR --> above a block of it.");
}

/// The lines of the template that nobody has replaced.
void look_for_template(const ChapterFiles& chapter, Sentences& lacking) {
  constexpr std::string_view mark = "TEMPLATE: ";
  for (const char* folder : {"", "checks", "kernels"})
    for (const fs::path& path : ChapterFiles::files_in(chapter.folder() / folder)) {
      std::ifstream file(path);
      std::string line;
      for (unsigned number = 1; std::getline(file, line); ++number)
        if (const std::size_t at = line.find(mark); at != line.npos)
          lacking.push_back(path.lexically_relative(chapter.folder()).string() + ":" +
                            std::to_string(number) +
                            " is still the template's: " + line.substr(at + mark.size()));
    }
}

/// Judged together with others, under the name of one of them.
bool is_of_a_family(const ChapterFiles& chapter, const std::string& kernel) {
  const std::string& checks = chapter.checks();
  for (std::size_t at = checks.find("family[] = {"); at != checks.npos;
       at = checks.find("family[] = {", at + 1)) {
    const std::string family = checks.substr(at, checks.find("};", at) - at);
    if (family.find(kernel + ",") != family.npos || family.ends_with(kernel)) return true;
  }
  return false;
}

/// Its checks stand in its row of a table: `.checks = ` before the row or the table ends.
bool has_checks_in_a_table(const ChapterFiles& chapter, const std::string& kernel) {
  const std::string& checks = chapter.checks();
  const std::size_t row = checks.find(".kernel = " + kernel + ",");
  if (row == checks.npos) return false;
  const std::size_t end = std::min(checks.find(".kernel = ", row + 1), checks.find("});", row));
  return checks.substr(row, end - row).find(".checks = ") != checks.npos;
}

void look_at_checks(const ChapterFiles& chapter, const std::string& kernel, Sentences& lacking) {
  if (has_checks_in_a_table(chapter, kernel)) return;
  for (const char* aspect : {"result", "technique", "safety"}) {
    const std::string check = "WARPWISE_CHECK(" + kernel + ", " + aspect;
    if (chapter.checks().find(check) == std::string::npos) lacking.push_back("No check says " + check + ").");
  }
}

/// Whether one of `ways` is to write the kernel.
bool has_way(const std::vector<text::Way>& ways, const std::string& kernel) {
  return std::any_of(ways.begin(), ways.end(), [&](const text::Way& way) {
    return way.kernel == kernel ||
           std::find(way.also_writes.begin(), way.also_writes.end(), kernel) != way.also_writes.end();
  });
}

void look_at_page(const text::ChapterFolder& chapter, const std::string& kernel, Sentences& lacking) {
  const std::string page = "kernels/" + kernel + ".md";
  std::size_t hints = 0;
  for (const text::KernelPage& each : chapter.pages())
    if (each.kernel == kernel) hints = each.hints.size();
  if (hints < 3)
    lacking.push_back(page + " has " + std::to_string(hints) + (hints == 1 ? " hint" : " hints") +
                      ", not 3 or more.");
  if (!has_way(chapter.attempts(), kernel))
    lacking.push_back(page + " has no wrong attempt, which a check must reject.");
  if (!has_way(chapter.accepted(), kernel)) lacking.push_back(page + " has no other correct solution.");
}

void look_at_kernels(const ChapterFiles& files, Sentences& lacking) {
  const text::ChapterFolder& chapter = files.chapter();
  bool has_pages = true;
  try {
    chapter.pages();
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
    const bool is_judged = files.checks().find("WARPWISE_CHECK(" + name + ",") != std::string::npos;
    if (!is_judged && is_of_a_family(files, name)) continue;
    look_at_checks(files, name, lacking);
    if (has_pages) look_at_page(chapter, name, lacking);
  }
}

}  // namespace

std::vector<std::string> what_it_lacks(const fs::path& folder) {
  const ChapterFiles chapter(folder);
  Sentences lacking;
  look_for_files(chapter, lacking);
  look_for_template(chapter, lacking);
  look_at_lesson(chapter, lacking);
  look_at_kernels(chapter, lacking);
  return lacking;
}

}  // namespace warpwise::course
