#include "course.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

#include "../harness/contract.hpp"
#include "../harness/hash.hpp"
#include "../harness/text_file.hpp"
#include "../report/json.hpp"
#include "characters.hpp"
#include "confined.hpp"

namespace warpwise::classroom {
namespace {

namespace fs = std::filesystem;

/// The number behind "ch" at the start; 0 where there is none.
unsigned number_in(const std::string& name) {
  if (name.size() < 3 || std::tolower(static_cast<unsigned char>(name[0])) != 'c' ||
      std::tolower(static_cast<unsigned char>(name[1])) != 'h')
    return 0;
  unsigned number = 0;
  for (std::size_t i = 2; i < name.size() && i < 4 && is_digit(name[i]); ++i)
    number = 10 * number + static_cast<unsigned>(name[i] - '0');
  return name.size() > 4 && is_digit(name[4]) ? 0 : number;
}

/// What `source` includes in quotes.
std::vector<std::string> includes_in(const std::string& source) {
  std::vector<std::string> names;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t mark = line.find_first_not_of(" \t");
    if (mark == line.npos || line.compare(mark, 8, "#include") != 0) continue;
    const std::size_t open = line.find('"', mark), close = line.find('"', open + 1);
    if (open != line.npos && close != line.npos) names.push_back(line.substr(open + 1, close - open - 1));
  }
  return names;
}

}  // namespace

const CourseChapter* Course::find(const std::string& name) const {
  const auto found = std::find_if(chapters.begin(), chapters.end(),
                                  [&](const CourseChapter& chapter) { return chapter.name == name; });
  return found == chapters.end() ? nullptr : &*found;
}

const CourseChapter* chapter_meant_by(const std::string& name, const Course& course) {
  const unsigned number = number_in(name);
  if (number == 0) return nullptr;
  const auto found =
      std::find_if(course.chapters.begin(), course.chapters.end(),
                   [&](const CourseChapter& chapter) { return number_in(chapter.name) == number; });
  return found == course.chapters.end() ? nullptr : &*found;
}

std::vector<std::string> exercises_of(const CourseChapter& chapter) {
  const ConfinedResult result =
      run_confined({{chapter.executable.string(), "--list"}, {"LC_ALL=C"}, "/"}, {});
  try {
    const report::Report list = report::report_from(result.output);
    std::vector<std::string> kernels;
    for (const report::Kernel& kernel : list.chapters.at(0).kernels)
      if (kernel.is_exercise) kernels.push_back(kernel.name);
    if (result.status == 0 && !kernels.empty()) return kernels;
  } catch (const std::exception&) {  // it is no report, or one without a chapter
  }
  throw std::runtime_error(chapter.executable.string() + " does not list its kernels: build it again.");
}

std::vector<std::string> declared_by(const CourseChapter& chapter) {
  return harness::kernels_declared_in(harness::text_or_nothing(chapter.folder / "kernels.hpp"));
}

std::vector<fs::path> headers_of(const CourseChapter& chapter, const fs::path& root) {
  std::set<fs::path> headers;
  std::vector<fs::path> to_read;
  for (const char* name : {"exercise.cu", "solution.cu", "kernels.hpp"})
    if (fs::exists(chapter.folder / name)) to_read.push_back(chapter.folder / name);
  headers.insert((chapter.folder / "kernels.hpp").lexically_relative(root));
  while (!to_read.empty()) {
    const fs::path file = to_read.back();
    to_read.pop_back();
    for (const std::string& name : includes_in(harness::text_or_nothing(file))) {
      for (const fs::path& folder : {file.parent_path(), root}) {
        const fs::path found = (folder / name).lexically_normal();
        const fs::path relative = found.lexically_relative(root);
        if (!fs::is_regular_file(found) || *relative.begin() == "..") continue;
        if (headers.insert(relative).second) to_read.push_back(found);
        break;
      }
    }
  }
  return {headers.begin(), headers.end()};
}

std::string version_of(const CourseChapter& chapter, const Course& course) {
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(chapter.folder))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp") files.insert(entry.path());
  for (const fs::path& header : headers_of(chapter, course.root)) files.insert(course.root / header);
  std::uint64_t hash = harness::hash_of(chapter.name);
  for (const fs::path& file : files)
    hash = harness::hash_of(harness::text_or_nothing(file),
                            harness::hash_of(file.lexically_relative(course.root).string(), hash));
  return harness::hexadecimal(hash);
}

}  // namespace warpwise::classroom
