// The files of this clone, handed out with the solutions of some chapters: nothing of the others is shown.
// What is searched for, and where, is found here without the code that is tested.
#include "../../../testing/catch.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <unordered_map>

#include "../../../process/process.hpp"
#include "../../../text/files.hpp"
#include "../handout.hpp"

namespace {

using namespace warpwise;
namespace fs = std::filesystem;

const fs::path root = WARPWISE_ROOT_DIR;

/// Those that git has and that a pattern names; none where this is no clone.
std::set<std::string> files_of(const std::string& pattern) {
  const process::Result listed =
      process::run({{"git", "ls-files", "--", pattern}, root, process::Keeps::output});
  std::istringstream lines(listed.output);
  std::set<std::string> files;
  for (std::string line; std::getline(lines, line);)
    if (fs::exists(root / line)) files.insert(line);
  return files;
}

std::string without_blanks(std::string text) {
  for (const auto& [written, meant] :
       {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
    for (std::size_t at = text.find(written); at != text.npos; at = text.find(written, at + 1))
      text.replace(at, std::string(written).size(), meant);
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\t'; });
  return text;
}

/// The lines of a solution without blanks, and without comments behind code, that `given` does not have. The
/// anchors of lessons are none.
std::vector<std::string> lines_of(const std::string& chapter, const std::string& given) {
  std::istringstream in(text::read_text(root / chapter / "solution.cu"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    std::string code = without_blanks(line);
    if (code.starts_with("//[")) continue;
    if (!code.starts_with("//")) code = without_blanks(line.substr(0, line.find("//")));
    if (code.size() >= 12 && given.find(code) == given.npos) lines.push_back(code);
  }
  return lines;
}

/// What a student has anyway, and what any kernel may have.
std::string given_to(const std::vector<std::string>& solved) {
  std::string given;
  for (const std::string& file : files_of("ch*/*.hpp")) given += text::read_text(root / file);
  for (const std::string& file : files_of("ch*/*.cuh")) given += text::read_text(root / file);
  for (const std::string& file : files_of("ch*/exercise.cu")) given += text::read_text(root / file);
  for (const std::string& chapter : solved) given += text::read_text(root / chapter / "solution.cu");
  given += text::read_text(root / "common/course/handout/handout_solution_lines.cpp");
  return without_blanks(given);
}

/// Most texts are the same in all handouts.
const std::string& without_blanks(const std::string& file, const std::string& text) {
  static std::map<std::string, std::pair<std::string, std::string>> known;
  auto& [written, squeezed] = known[file];
  if (written != text || text.empty()) written = text, squeezed = without_blanks(text);
  return squeezed;
}

std::size_t two_at(const char* text) {
  return static_cast<unsigned char>(text[0]) * 256u + static_cast<unsigned char>(text[1]);
}

std::uint64_t eight_at(const char* text) {
  std::uint64_t eight = 0;
  std::memcpy(&eight, text, sizeof eight);
  return eight;
}

/// "ch03_bank_conflicts/README.md shows for(...){ of ch01_naive"; empty where nothing does.
std::string leak_in(const course::HandoutFiles& files, const course::HandoutPlan& plan) {
  const std::string given = given_to(plan.solved);
  // By their first 8 characters: a line, and whose.
  std::unordered_multimap<std::uint64_t, std::pair<std::string, std::string>> lines;
  for (const std::string& chapter : plan.chapters)
    if (std::find(plan.solved.begin(), plan.solved.end(), chapter) == plan.solved.end())
      for (const std::string& line : lines_of(chapter, given))
        lines.emplace(eight_at(line.data()), std::pair(line, chapter));
  REQUIRE_FALSE(lines.empty());
  const std::unique_ptr<bool[]> beginnings(new bool[1 << 16]());
  for (const auto& line : lines) beginnings[two_at(line.second.first.data())] = true;
  for (const auto& [file, written] : files) {
    const std::string& text = without_blanks(file, written);
    const bool* const begins = beginnings.get();  // half a million characters a handout, and no optimisation
    const char* const characters = text.data();
    const std::size_t end = text.size() < 12 ? 0 : text.size() - 11;
    for (std::size_t at = 0; at < end; ++at) {
      if (!begins[two_at(characters + at)]) continue;
      const auto [first, last] = lines.equal_range(eight_at(characters + at));
      for (auto line = first; line != last; ++line)
        if (text.compare(at, line->second.first.size(), line->second.first) == 0)
          return file + " shows " + line->second.first + " of " + line->second.second;
    }
  }
  return "";
}

}  // namespace

TEST_CASE("the solutions of some chapters show nothing of the others, and are all there") {
  course::CourseFiles course{root, files_of(":/"), files_of(":(attr:-handout)"),
                             files_of(":(attr:handout=later)"), files_of(":(attr:autograder)")};
  course::HandoutPlan plan;
  for (const std::string& file : files_of("ch*/solution.cu"))
    plan.chapters.push_back(file.substr(0, file.find('/')));
  if (plan.chapters.empty()) return;  // no clone
  const std::vector<std::vector<std::size_t>> choices = {
      {1},    {2},       {3},       {4},       {5},          {6},          {7},
      {1, 2}, {1, 3},    {2, 5},    {2, 7},    {3, 4},       {4, 5},       {4, 6},
      {6, 7}, {1, 2, 3}, {2, 4, 6}, {2, 5, 7}, {1, 2, 3, 4}, {3, 5, 6, 7}, {1, 4, 5, 6, 7}};
  for (const std::vector<std::size_t>& choice : choices) {
    plan.solved.clear();
    for (const std::size_t number : choice) plan.solved.push_back(plan.chapters.at(number - 1));
    const course::HandoutFiles files = course::files_handed_out(course, plan, course::Purpose::student,
                                                                course::lines_held_back(course, plan));
    std::string names;
    for (const std::string& chapter : plan.solved) {
      names += chapter + " ";
      CHECK(files.contains(chapter + "/solution.cu"));
      const std::string pages = chapter + "/kernels/";
      CHECK(std::any_of(files.begin(), files.end(), [&](const auto& file) {
        return file.first.starts_with(pages) &&
               file.second.find("\n## Other correct solutions\n") != std::string::npos;
      }));
      CHECK(files.at(chapter + "/README.md").find("comes with the solutions") == std::string::npos);
    }
    INFO("with the solutions of " << names);
    CHECK(leak_in(files, plan) == "");
  }
}
