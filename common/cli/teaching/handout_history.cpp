// The last gate of a handout: what its repository holds, whoever put it there.

#include <algorithm>
#include <sstream>
#include <string_view>

#include "../failure.hpp"
#include "handout_course.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

/// One of those that `git cat-file --batch` prints: NAME KIND SIZE, a line's end, the content, a line's end.
struct GitObject {
  std::string name, kind;
  std::string_view content;
};

GitObject take_object(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  std::istringstream head{std::string(rest.substr(0, end))};
  GitObject object;
  std::size_t size = 0;
  if (!(head >> object.name >> object.kind >> size) || end + 1 + size > rest.size())
    throw Failure("git cat-file prints what was not expected.");
  object.content = rest.substr(end + 1, size);
  rest.remove_prefix(std::min(end + 1 + size + 1, rest.size()));
  return object;
}

/// Where students would read it: "ch01_naive/README.md of commit 1a2b3c4", "commit 1a2b3c4...".
std::string place_of(const fs::path& folder, const GitObject& object) {
  if (object.kind != "blob") return object.kind + " " + object.name;
  std::istringstream log(
      git(folder, {"-c", "core.quotePath=false", "log", "--all", "--max-count=1", "--format=%h",
                   "--name-only", "-m", "--diff-filter=d", "--find-object=" + object.name}));
  std::string commit, file;
  log >> commit >> std::ws;
  std::getline(log, file);
  return file.empty() ? "object " + object.name : file + " of commit " + commit;
}

}  // namespace

void expect_no_leak(const fs::path& folder, const course::SolutionLines& held_back) {
  const ProcessResult all = capture_process(
      {"git", "-C", folder.string(), "cat-file", "--batch-all-objects", "--batch"}, {}, false);
  grade::stop_if_interrupted();
  if (all.status != 0) throw Failure("git cat-file fails in " + folder.string() + ".");
  std::string_view rest = all.output;
  while (!rest.empty()) {
    const GitObject object = take_object(rest);
    if (object.kind == "tree") continue;  // names of files
    if (const auto leak = held_back.find_in(object.content))
      throw Failure(place_of(folder, object) + ", which every clone would have: line " + spelled(*leak) +
                    "; make a new handout without it.");
  }
}

}  // namespace warpwise::cli
