/// \file Which room of the repository may include which: arrows go down only, no folder is in a circle, and
/// of the simulator nobody outside sees more than the headers at its root. And files can be told apart: by
/// their names, and a .cpp says by its own which header declares what it has.

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "common/testing/catch.hpp"

namespace {

namespace fs = std::filesystem;

/// A folder with all below it that has no row of its own, or one header; `ch*` stands for the folders of all
/// chapters.
struct Room {
  std::string_view folder;
  /// Rooms that it may include, and with them whatever those may. A row names rows before it alone, so that
  /// the table has no circle.
  std::vector<std::string_view> needs;
};

/// The lowest first. A new room, and one that moves, has its row here; a room needs as few others as it can.
const std::vector<Room> rooms = {
    {"common/simulator", {}},  // the public headers: the files of the folder itself
    {"common/simulator/host", {}},
    {"common/simulator/ptx", {"common/simulator", "common/simulator/host"}},
    {"common/simulator/decode/instructions", {"common/simulator/ptx"}},
    {"common/simulator/decode", {"common/simulator/decode/instructions"}},
    {"common/simulator/run", {"common/simulator/decode"}},
    {"common/simulator/values", {"common/simulator/decode"}},
    {"common/simulator/observe", {"common/simulator/run", "common/simulator/values"}},
    {"common/simulator/tests", {"common/simulator/observe"}},
    {"common/measuring", {}},
    {"common/process", {}},
    {"common/report", {"common/simulator"}},
    {"common/print", {"common/report"}},
    {"common/runtime", {"common/print"}},
    {"common/text", {"common/print"}},
    {"common/compile", {"common/process", "common/text"}},
    {"common/simulator/tests/cures_test.cpp", {"common/simulator/tests", "common/compile"}},
    {"common/harness", {"common/text"}},
    {"common/harness/device", {"common/simulator"}},
    {"common/testing/catch.hpp", {}},
    {"common/harness/check", {"common/harness/device", "common/harness", "common/testing/catch.hpp"}},
    {"common/testing", {"common/harness", "common/testing/catch.hpp"}},
    {"common/course", {"common/harness", "common/process"}},
    {"common/course/new_chapter/template", {"common/harness/check"}},  // a file of a chapter
    {"common/grade", {"common/course", "common/compile"}},
    {"common/cli", {"common/grade", "common/runtime"}},
    {"ch*", {"common/harness/check", "common/measuring"}},
    {"docs", {"common/harness/check"}},
    {"examples", {"ch*"}},
};

/// What tests may include beside what their room may.
constexpr std::string_view room_of_tests = "common/testing";
/// Catch2 itself, for tests and for the checks of kernels: a library, which needs nothing of ours.
constexpr std::string_view catch_header = "common/testing/catch.hpp";

const fs::path root = WARPWISE_ROOT;

bool is_source(const fs::path& file) {
  const fs::path extension = file.extension();
  return extension == ".cpp" || extension == ".hpp" || extension == ".cu" || extension == ".cuh";
}

std::vector<std::string> find_sources() {
  std::vector<std::string> files;
  for (const char* top : {"common", "docs", "examples", "setup"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top))
      if (is_source(entry.path())) files.push_back(entry.path().lexically_relative(root).generic_string());
  for (const fs::directory_entry& chapter : fs::directory_iterator(root)) {
    if (!chapter.is_directory() || !chapter.path().filename().string().starts_with("ch")) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(chapter))
      if (is_source(entry.path())) files.push_back(entry.path().lexically_relative(root).generic_string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

const std::vector<std::string>& sources() {
  static const std::vector<std::string> found = find_sources();
  return found;
}

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(root / file).rdbuf();
  return text.str();
}

struct Include {
  std::string file, included;
};

/// All includes by which one source names another, as paths from the repository's root.
const std::vector<Include>& includes() {
  static const std::vector<Include> found = [] {
    const std::set<std::string> known(sources().begin(), sources().end());
    std::vector<Include> result;
    for (const std::string& file : sources()) {
      std::istringstream text(text_of(file));
      for (std::string line; std::getline(text, line);) {
        char name[200];
        if (std::sscanf(line.c_str(), " # include \"%199[^\"]", name) != 1) continue;
        if (known.contains(name)) {
          result.push_back({file, name});
          continue;
        }
        const std::string beside = (fs::path(file).parent_path() / name).lexically_normal().generic_string();
        if (known.contains(beside)) result.push_back({file, beside});
      }
    }
    return result;
  }();
  return found;
}

bool lies_in(const std::string& file, std::string_view folder) {
  if (folder.ends_with('*')) {
    folder.remove_suffix(1);
    return file.starts_with(folder) && file.size() > folder.size() && std::isdigit(file[folder.size()]) != 0;
  }
  return file == folder ||
         (file.starts_with(folder) && file.size() > folder.size() && file[folder.size()] == '/');
}

/// Of several that hold the file the innermost; nullptr where none does.
const Room* room_of(const std::string& file) {
  const Room* innermost = nullptr;
  for (const Room& room : rooms)
    if (lies_in(file, room.folder) && (innermost == nullptr || room.folder.size() > innermost->folder.size()))
      innermost = &room;
  return innermost;
}

const Room* room_named(std::string_view folder) {
  const auto at =
      std::find_if(rooms.begin(), rooms.end(), [&](const Room& room) { return room.folder == folder; });
  return at == rooms.end() ? nullptr : &*at;
}

bool needs(const Room& room, std::string_view folder) {
  return std::any_of(room.needs.begin(), room.needs.end(), [&](std::string_view each) {
    return each == folder || needs(*room_named(each), folder);
  });
}

bool is_test(const std::string& file) { return file.find("/tests/") != file.npos; }

bool may_include(const std::string& file, const std::string& included) {
  const Room *from = room_of(file), *to = room_of(included);
  if (from == nullptr || to == nullptr) return false;
  if (is_test(included) && !is_test(file)) return false;
  if (included == catch_header) return true;
  if (from == to || needs(*from, to->folder)) return true;
  return is_test(file) && (to->folder == room_of_tests || needs(*room_named(room_of_tests), to->folder));
}

/// Whether `file` includes the header that it is called after: X.hpp declares what X.cpp has, and X_part.cpp.
bool has_header(const std::string& file) {
  const std::string name = fs::path(file).stem().string() + "_";
  return std::any_of(includes().begin(), includes().end(), [&](const Include& each) {
    return each.file == file && each.included.ends_with(".hpp") &&
           name.starts_with(fs::path(each.included).stem().string() + "_");
  });
}

/// Whether a table of its folder, or of the folder above, has a row for what the file defines:
/// COMMAND("new-chapter", ...), WARPWISE_OBSERVER(counting, ...).
bool is_row(const std::string& file) {
  const fs::path path(file);
  const std::string name = path.stem();
  std::string word = name;
  std::replace(word.begin(), word.end(), '_', '-');
  for (const fs::path& folder : {path.parent_path(), path.parent_path().parent_path()})
    for (const fs::directory_entry& entry : fs::directory_iterator(root / folder)) {
      if (entry.path().extension() != ".def") continue;
      const std::string text = text_of(entry.path().lexically_relative(root).generic_string());
      if (text.find("(" + name + ",") != text.npos || text.find("(\"" + word + "\",") != text.npos)
        return true;
    }
  return false;
}

/// Whether text that goes on after, or ends before, the word `opcode` compares it with something.
bool compares(std::string_view before, std::string_view after) {
  const auto skip_blanks = [](std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
  };
  const bool is_closed = after.starts_with(')');
  after.remove_prefix(is_closed ? 1 : 0);
  skip_blanks(after);
  if (after.starts_with("==") || after.starts_with("!=")) return true;
  if (after.starts_with('.') && !is_closed) {
    after.remove_prefix(1);
    skip_blanks(after);
    for (const std::string_view question : {"starts_with", "ends_with", "find", "compare", "substr"})
      if (after.starts_with(question)) return true;
  }
  const auto is_of_path = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_.()>-").find(c) != std::string_view::npos;
  };
  while (!before.empty() && is_of_path(before.back())) before.remove_suffix(1);
  before = before.substr(0, before.find_last_not_of(" \n") + 1);
  return before.ends_with("==") || before.ends_with("!=");
}

bool is_program(const std::string& file) { return text_of(file).find("\nint main(") != std::string::npos; }

using Folders = std::map<std::string, std::set<std::string>>;

std::string folder_of(const std::string& file) { return fs::path(file).parent_path().generic_string(); }

/// Whether `to` can be reached from the folders that `from` includes.
bool reaches(const Folders& folders, const std::string& from, const std::string& to) {
  std::set<std::string> seen;
  std::vector<std::string> open{from};
  while (!open.empty()) {
    const std::string folder = open.back();
    open.pop_back();
    const auto next = folders.find(folder);
    if (next == folders.end()) continue;
    for (const std::string& each : next->second) {
      if (each == to) return true;
      if (seen.insert(each).second) open.push_back(each);
    }
  }
  return false;
}

}  // namespace

TEST_CASE("the table of rooms goes from the lowest to the highest, and names no folder that is gone") {
  for (const Room& room : rooms) {
    INFO(room.folder);
    CHECK((room.folder == "ch*" || fs::exists(root / room.folder)));
    for (const std::string_view need : room.needs) {
      INFO(need);
      const Room* const below = room_named(need);
      REQUIRE(below != nullptr);
      CHECK(below < &room);
    }
  }
}

TEST_CASE("nobody includes a room that stands above, or beside, the own one") {
  REQUIRE(includes().size() > 500);
  for (const Include& each : includes()) {
    INFO(each.file << " includes " << each.included);
    CHECK(may_include(each.file, each.included));
  }
}

TEST_CASE("no folder is in a circle") {
  Folders folders;
  for (const Include& each : includes())
    if (folder_of(each.file) != folder_of(each.included))
      folders[folder_of(each.file)].insert(folder_of(each.included));
  for (const auto& [folder, included] : folders) {
    INFO(folder);
    CHECK_FALSE(reaches(folders, folder, folder));
  }
}

TEST_CASE("the simulator shows at most nine headers, which need nothing behind them") {
  const auto is_public = [](const std::string& file) {
    return folder_of(file) == "common/simulator" && file.ends_with(".hpp");
  };
  CHECK(std::count_if(sources().begin(), sources().end(), is_public) <= 9);
  for (const Include& each : includes()) {
    INFO(each.file << " includes " << each.included);
    if (is_public(each.file)) CHECK(is_public(each.included));
    if (!each.file.starts_with("common/simulator/") && each.included.starts_with("common/simulator/"))
      CHECK(is_public(each.included));
  }
}

TEST_CASE("nobody asks for an instruction by the name of its opcode: what it is stands in its row") {
  constexpr std::string_view word = "opcode";
  for (const std::string& file : sources()) {
    if (is_test(file)) continue;
    const std::string text = text_of(file);
    INFO(file);
    for (std::size_t at = 0; (at = text.find(word, at)) != text.npos; at += word.size())
      CHECK_FALSE(
          compares(std::string_view(text).substr(0, at), std::string_view(text).substr(at + word.size())));
  }
}

TEST_CASE("a .cpp begins with the name of the header that declares what it has") {
  const std::vector<std::string_view> declared_elsewhere = {
      "common/runtime/cuda_runtime_",           // CUDA's cuda_runtime_api.h
      "common/simulator/decode/instructions/",  // a row each in the table, instruction_rows.hpp
      "common/course/new_chapter/template/"};   // a file of a chapter
  std::size_t looked_at = 0;
  for (const std::string& file : sources()) {
    const bool is_elsewhere = std::any_of(declared_elsewhere.begin(), declared_elsewhere.end(),
                                          [&](std::string_view folder) { return file.starts_with(folder); });
    if (!file.starts_with("common/") || !file.ends_with(".cpp") || is_test(file) || is_elsewhere) continue;
    ++looked_at;
    INFO(file);
    CHECK((has_header(file) || is_row(file) || is_program(file)));
  }
  CHECK(looked_at > 100);
}

TEST_CASE("no two files under common/ have the same name") {
  // Each program has a main.cpp; kernels.hpp and others are the parts of a chapter; and the corpus has a
  // wrong and a right file for a subject.
  const auto is_alike = [](const std::string& file) {
    return file.ends_with("/main.cpp") || file.find("/new_chapter/template/") != file.npos ||
           file.find("/tests/kernels.") != file.npos || file.find("/corpus/right/") != file.npos;
  };
  std::map<std::string, std::string> files;
  for (const std::string& file : sources()) {
    if (!file.starts_with("common/") || is_alike(file)) continue;
    const auto [other, is_new] = files.emplace(fs::path(file).filename().string(), file);
    INFO(file << " and " << other->second);
    CHECK(is_new);
  }
}
