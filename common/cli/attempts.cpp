#include "attempts.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

#include "failure.hpp"
#include "suggestion.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

std::string painted(const std::string& line, bool is_difference, const print::Paint& paint) {
  if (is_difference && line.starts_with('+')) return paint.good(line);
  if (is_difference && line.starts_with('-')) return paint.bad(line);
  return is_difference ? paint.faint(line) : line;
}

std::vector<harness::AttemptText> read_page(const fs::path& page) {
  try {
    return harness::parse_attempts(read_text(page), shown(page)).attempts;
  } catch (const harness::AttemptError& error) {
    throw Failure(error.what());
  }
}

harness::AttemptText named(const std::string& name, const std::vector<harness::AttemptText>& attempts,
                           const std::string& nothing) {
  std::vector<std::string> names;
  for (const harness::AttemptText& attempt : attempts) {
    if (attempt.name == name) return attempt;
    names.push_back(attempt.name);
  }
  throw Failure(nothing + suggestion(name, names), wrong_usage);
}

}  // namespace

std::vector<harness::AttemptText> attempts_of(const Chapter& chapter) {
  std::vector<harness::AttemptText> attempts;
  if (!fs::exists(chapter.folder / "attempts")) return attempts;
  for (const auto& entry : fs::directory_iterator(chapter.folder / "attempts")) {
    if (entry.path().extension() != ".md") continue;
    for (harness::AttemptText& attempt : read_page(entry.path())) attempts.push_back(std::move(attempt));
  }
  std::sort(attempts.begin(), attempts.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return attempts;
}

harness::AttemptText attempt_named(const std::string& name, const Chapter& chapter) {
  return named(name, attempts_of(chapter), "there is no attempt '" + name + "' in " + chapter.name);
}

harness::AttemptText accepted_named(const std::string& name, const Chapter& chapter) {
  const fs::path page = chapter.folder / "accepted.md";
  return named(name, fs::exists(page) ? read_page(page) : std::vector<harness::AttemptText>(),
               "nothing accepted is called '" + name + "' in " + chapter.name);
}

void print_attempt(std::ostream& out, const harness::AttemptText& attempt, const std::string& whole_file,
                   const print::Paint& paint, print::Lines lines) {
  const std::string what =
      attempt.is_difference ? " differs from the solution in this:" : " has this in place of the solution's:";
  out << print::fitted(whole_file + what, 0, 2, lines) << "\n\n";
  for (const std::string& line : attempt.block) {
    const std::size_t code = std::min(line.find_first_not_of(" +-"), line.size());
    const std::string fitted =
        line.substr(0, code) + print::fitted(line.substr(code), 2 + code, 2 + code + 4, lines);
    if (line.starts_with("@@"))
      out << "    ...\n";
    else
      out << (line.empty() ? "" : "  ") << painted(fitted, attempt.is_difference, paint) << '\n';
  }
  out << '\n';
}

}  // namespace warpwise::cli
