#include "assignment.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "../text/chapter_folder.hpp"
#include "../text/files.hpp"
#include "../text/source.hpp"
#include "similarity.hpp"

namespace warpwise::grade {
namespace {

namespace fs = std::filesystem;

/// The number behind "ch" at the start; 0 if there is none.
unsigned number_in(const std::string& name) {
  if (name.size() < 3 || std::tolower(static_cast<unsigned char>(name[0])) != 'c' ||
      std::tolower(static_cast<unsigned char>(name[1])) != 'h')
    return 0;
  unsigned number = 0;
  for (std::size_t i = 2; i < name.size() && i < 4 && text::is_digit(name[i]); ++i)
    number = 10 * number + static_cast<unsigned>(name[i] - '0');
  return name.size() > 4 && text::is_digit(name[4]) ? 0 : number;
}

/// The folder of the course.
fs::path root_of(const text::ChapterFolder& chapter) { return chapter.folder.parent_path(); }

/// What the chapter's files include, and what that includes.
std::vector<Header> headers_from(const text::ChapterFolder& chapter) {
  const fs::path root = root_of(chapter);
  struct ToRead {
    fs::path folder;
    std::string text;
  };
  std::map<fs::path, std::string> headers;
  headers[chapter.contract_file().lexically_relative(root)] = chapter.contract_text();
  std::vector<ToRead> to_read = {{chapter.folder, chapter.exercise().text()},
                                 {chapter.folder, chapter.solution().text()},
                                 {chapter.folder, chapter.contract_text()}};
  while (!to_read.empty()) {
    const ToRead file = std::move(to_read.back());
    to_read.pop_back();
    for (const std::string& name : text::includes_in(file.text)) {
      for (const fs::path& folder : {file.folder, root}) {
        const fs::path found = (folder / name).lexically_normal();
        const fs::path relative = found.lexically_relative(root);
        if (!fs::is_regular_file(found) || *relative.begin() == "..") continue;
        if (!headers.contains(relative)) {
          const std::string& text = headers[relative] = text::read_text(found);
          to_read.push_back({found.parent_path(), text});
        }
        break;
      }
    }
  }
  std::vector<Header> all;
  for (auto& [name, text] : headers) all.push_back({name, std::move(text)});
  return all;
}

}  // namespace

struct Assignment::Read {
  text::Once<std::vector<Header>> headers;
  text::Once<PublicWork> public_work;
};

Assignment::Assignment(text::ChapterFolder of, std::vector<std::string> exercises)
    : chapter(std::move(of)), kernels(std::move(exercises)), read_(std::make_shared<Read>()) {}

const std::vector<Header>& Assignment::headers() const {
  return read_->headers.get([&] { return headers_from(chapter); });
}

const PublicWork& Assignment::public_work() const {
  return read_->public_work.get([&] {
    if (!chapter.solution().text().empty()) return public_work_of({chapter.solution()}, *this);
    return parse_public_work(text::text_or_nothing(chapter.folder / PublicWork::file));
  });
}

std::string Assignment::version() const {
  std::map<fs::path, std::string> files;
  for (const Header& header : headers()) files[header.name] = header.text;
  for (const auto& entry : fs::directory_iterator(chapter.checks_folder()))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(root_of(chapter))] = text::read_text(entry.path());
  std::uint64_t hash = text::hash_of(chapter.name);
  for (const auto& [name, text] : files) hash = text::hash_of(text, text::hash_of(name.string(), hash));
  return text::hexadecimal(hash);
}

const Assignment* Course::find(const std::string& chapter) const {
  const auto found = std::find_if(assignments.begin(), assignments.end(),
                                  [&](const Assignment& each) { return each.name() == chapter; });
  return found == assignments.end() ? nullptr : &*found;
}

const Assignment* assignment_meant_by(const std::string& name, const Course& course) {
  const unsigned number = number_in(name);
  if (number == 0) return nullptr;
  const auto found = std::find_if(course.assignments.begin(), course.assignments.end(),
                                  [&](const Assignment& each) { return number_in(each.name()) == number; });
  return found == course.assignments.end() ? nullptr : &*found;
}

}  // namespace warpwise::grade
