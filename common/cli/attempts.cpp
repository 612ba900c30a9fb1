#include "attempts.hpp"

#include <algorithm>
#include <ostream>

#include "failure.hpp"
#include "suggestion.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

std::string painted(const std::string& line, bool is_difference, const harness::Paint& paint) {
  if (is_difference && line.starts_with('+')) return paint.good(line);
  if (is_difference && line.starts_with('-')) return paint.bad(line);
  return is_difference ? paint.faint(line) : line;
}

}  // namespace

std::vector<harness::AttemptText> attempts_of(const Chapter& chapter, const std::string& folder) {
  std::vector<harness::AttemptText> attempts;
  if (!fs::exists(chapter.folder / folder)) return attempts;
  for (const auto& entry : fs::directory_iterator(chapter.folder / folder)) {
    if (entry.path().extension() != ".md") continue;
    try {
      const harness::AttemptPage page = harness::parse_attempts(read_text(entry.path()), shown(entry.path()));
      attempts.insert(attempts.end(), page.attempts.begin(), page.attempts.end());
    } catch (const harness::AttemptError& error) {
      throw Failure(error.what());
    }
  }
  std::sort(attempts.begin(), attempts.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return attempts;
}

harness::AttemptText attempt_named(const std::string& name, const Chapter& chapter,
                                   const std::string& folder) {
  std::vector<std::string> names;
  for (const harness::AttemptText& attempt : attempts_of(chapter, folder)) {
    if (attempt.name == name) return attempt;
    names.push_back(attempt.name);
  }
  throw Failure((folder == "accepted" ? "nothing accepted is called '" : "there is no attempt '") + name +
                    "' in " + chapter.name + suggestion(name, names),
                wrong_usage);
}

void print_attempt(std::ostream& out, const harness::AttemptText& attempt, const std::string& whole_file,
                   const harness::Paint& paint) {
  out << whole_file
      << (attempt.is_difference ? " differs from the solution in this:\n\n"
                                : " has this in place of the solution's:\n\n");
  for (const std::string& line : attempt.block) {
    if (line.starts_with("@@"))
      out << "    ...\n";
    else
      out << (line.empty() ? "" : "  ") << painted(line, attempt.is_difference, paint) << '\n';
  }
  out << '\n';
}

}  // namespace warpwise::cli
