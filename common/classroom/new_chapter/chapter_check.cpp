#include "chapter_check.hpp"

#include <algorithm>
#include <fstream>
#include <set>

#include "../../harness/attempt_file.hpp"
#include "../../harness/functions.hpp"
#include "../../harness/text_file.hpp"

namespace warpwise::classroom {
namespace {

namespace fs = std::filesystem;

/// The chapter as it was read: what is not there is an empty text.
class ChapterFiles {
 public:
  explicit ChapterFiles(const fs::path& folder) : folder_(folder) {
    for (const fs::path& file : files_in(folder))
      if (file.extension() == ".cpp") checks_ += text(file.filename().string());
  }
  const fs::path& folder() const { return folder_; }
  std::string text(const std::string& name) const { return harness::text_or_nothing(folder_ / name); }
  /// All .cpp files of the chapter, one behind the other.
  const std::string& checks() const { return checks_; }

  /// The files in `folder`, ascending; none where it is not there.
  static std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    if (fs::is_directory(folder))
      for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
  }

 private:
  fs::path folder_;
  std::string checks_;
};

using Sentences = std::vector<std::string>;

void look_for_files(const ChapterFiles& chapter, Sentences& lacking) {
  for (const char* file :
       {"README.md", "kernels.hpp", "exercise.cu", "solution.cu", "hints.md", "CMakeLists.txt"})
    if (!fs::exists(chapter.folder() / file)) lacking.push_back(std::string("There is no ") + file + ".");
  const std::string name = chapter.folder().filename().string();
  const fs::path list = chapter.folder().parent_path() / "CMakeLists.txt";
  const std::string text = harness::text_or_nothing(list);
  if (text.find("add_subdirectory(" + name + ")") == text.npos)
    lacking.push_back("The CMakeLists.txt beside the folder has no line add_subdirectory(" + name + ").");
}

/// The code of a lesson is pulled from the sources, so that it cannot drift from them.
void look_at_lesson(const ChapterFiles& chapter, Sentences& lacking) {
  if (chapter.text("README.md").find("\n<!-- code: ") == std::string::npos)
    lacking.push_back("README.md shows no code: <!-- code: solution.cu#ANCHOR --> above a block of it.");
}

/// The lines of the template that nobody has replaced.
void look_for_template(const ChapterFiles& chapter, Sentences& lacking) {
  constexpr std::string_view mark = "TEMPLATE: ";
  for (const char* folder : {"", "attempts", "accepted"})
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

std::size_t hints_for(const std::string& hints, const std::string& kernel) {
  std::size_t count = 0;
  bool is_its_own = false;
  for (const std::string& line : harness::lines_of(hints)) {
    if (line.starts_with("## ")) is_its_own = line == "## " + kernel;
    count += is_its_own && line.starts_with(std::to_string(count + 1) + ". ");
  }
  return count;
}

/// The kernels that `pages` (of attempts, or of accepted ways) are about; a page that cannot be read is said
/// so.
std::set<std::string> kernels_on(const std::vector<fs::path>& pages, Sentences& lacking) {
  std::set<std::string> kernels;
  for (const fs::path& page : pages) {
    if (page.extension() != ".md" || !fs::exists(page)) continue;
    try {
      for (const harness::AttemptText& text : harness::read_attempts(page.string()).attempts)
        kernels.insert(text.kernel);
    } catch (const harness::PageError& error) {
      lacking.push_back(error.what());
    }
  }
  return kernels;
}

/// accepted/NAME.cu has all kernels of the chapter.
bool has_whole_files(const ChapterFiles& chapter) {
  const auto files = ChapterFiles::files_in(chapter.folder() / "accepted");
  return std::any_of(files.begin(), files.end(),
                     [](const fs::path& file) { return file.extension() == ".cu"; });
}

void look_at_checks(const ChapterFiles& chapter, const std::string& kernel, Sentences& lacking) {
  if (has_checks_in_a_table(chapter, kernel)) return;
  for (const char* aspect : {"result", "technique", "safety"}) {
    const std::string check = "WARPWISE_CHECK(" + kernel + ", " + aspect;
    if (chapter.checks().find(check) == std::string::npos) lacking.push_back("No check says " + check + ").");
  }
}

void look_at_kernels(const ChapterFiles& chapter, Sentences& lacking) {
  const std::string exercise = chapter.text("exercise.cu"), hints = chapter.text("hints.md");
  const std::string contract = chapter.text("kernels.hpp");
  const auto attempted = kernels_on(ChapterFiles::files_in(chapter.folder() / "attempts"), lacking);
  const auto accepted = kernels_on({chapter.folder() / "accepted.md"}, lacking);
  const bool has_accepted_files = has_whole_files(chapter);
  const auto kernels = harness::kernels_in(chapter.text("solution.cu"));
  if (kernels.empty()) lacking.push_back("solution.cu has no kernel.");
  for (const harness::FunctionText& kernel : kernels) {
    const std::string& name = kernel.name;
    if (kernel.has_todo()) lacking.push_back("The solution of " + name + " has a TODO.");
    if (!harness::is_skeleton(exercise, name))
      lacking.push_back("exercise.cu has no skeleton of " + name + ": a kernel with a TODO in it.");
    if (contract.find("WARPWISE_KERNEL(" + name + ",") == contract.npos)
      lacking.push_back("kernels.hpp does not declare " + name + " with WARPWISE_KERNEL.");
    const bool is_judged = chapter.checks().find("WARPWISE_CHECK(" + name + ",") != std::string::npos;
    if (!is_judged && is_of_a_family(chapter, name)) continue;
    look_at_checks(chapter, name, lacking);
    if (const std::size_t count = hints_for(hints, name); count < 3)
      lacking.push_back("hints.md has " + std::to_string(count) + (count == 1 ? " hint" : " hints") +
                        " for " + name + ", not 3 or more.");
    if (!attempted.contains(name))
      lacking.push_back("attempts/ has no wrong way to write " + name + ", which a check must reject.");
    if (!accepted.contains(name) && !has_accepted_files)
      lacking.push_back("accepted.md has no other right way to write " + name + ".");
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

}  // namespace warpwise::classroom
