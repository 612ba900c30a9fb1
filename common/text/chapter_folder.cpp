#include "chapter_folder.hpp"

#include <algorithm>
#include <fstream>
#include <utility>
#include <vector>

#include "files.hpp"

namespace warpwise::text {
namespace {

namespace fs = std::filesystem;

std::string title_of(const fs::path& readme, const std::string& fallback) {
  std::ifstream file(readme);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("# ")) return line.substr(2);
  return fallback;
}

/// Those of all pages in `folder`, by name.
std::vector<Implementation> implementations_in(const fs::path& folder) {
  std::vector<Implementation> implementations;
  if (!fs::exists(folder)) return implementations;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".md") continue;
    const auto more = implementations_on_page(read_text(entry.path()), shown_path(entry.path()));
    implementations.insert(implementations.end(), more.begin(), more.end());
  }
  std::sort(implementations.begin(), implementations.end(),
            [](const Implementation& a, const Implementation& b) { return a.name < b.name; });
  return implementations;
}

std::vector<Implementation> those(std::vector<Implementation> implementations, bool are_right) {
  std::erase_if(implementations,
                [&](const Implementation& implementation) { return implementation.is_right() != are_right; });
  return implementations;
}

}  // namespace

struct ChapterFolder::Read {
  Once<std::string> title, contract;
  Once<Source> exercise, solution;
  Once<std::vector<Contract>> contracts;
  Once<std::vector<KernelHints>> hints;
  Once<std::vector<Implementation>> implementations, attempts, accepted;
};

ChapterFolder::ChapterFolder(std::string chapter_name, fs::path chapter_folder, fs::path built_folder)
    : name(std::move(chapter_name)),
      folder(std::move(chapter_folder)),
      built(std::move(built_folder)),
      read_(std::make_shared<Read>()) {}

ChapterFolder ChapterFolder::read_anew() const {
  ChapterFolder anew = *this;
  anew.read_ = std::make_shared<Read>();
  return anew;
}

const std::string& ChapterFolder::title() const {
  return read_->title.get([&] { return title_of(folder / "README.md", name); });
}

const Source& ChapterFolder::exercise() const {
  return read_->exercise.get([&] { return Source(text_or_nothing(exercise_file())); });
}

const Source& ChapterFolder::solution() const {
  return read_->solution.get([&] { return Source(text_or_nothing(solution_file())); });
}

const std::string& ChapterFolder::contract_text() const {
  return read_->contract.get([&] { return text_or_nothing(contract_file()); });
}

const std::vector<Contract>& ChapterFolder::contracts() const {
  return read_->contracts.get([&] { return contracts_in(contract_text()); });
}

const std::vector<KernelHints>& ChapterFolder::hints() const {
  return read_->hints.get(
      [&] { return parse_hints(text_or_nothing(hints_file()), shown_path(hints_file())); });
}

const std::vector<Implementation>& ChapterFolder::implementations() const {
  return read_->implementations.get([&] { return implementations_in(course / "kernels"); });
}

const std::vector<Implementation>& ChapterFolder::attempts() const {
  return read_->attempts.get([&] { return those(implementations(), false); });
}

const std::vector<Implementation>& ChapterFolder::accepted() const {
  return read_->accepted.get([&] { return those(implementations(), true); });
}

bool begins_as_chapter(std::string_view name) {
  return name.size() >= 5 && name.starts_with("ch") && is_digit(name[2]) && is_digit(name[3]) &&
         name[4] == '_';
}

std::vector<ChapterFolder> find_chapters(const fs::path& root, const fs::path& build) {
  std::vector<ChapterFolder> chapters;
  for (const auto& entry : fs::directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (begins_as_chapter(name) && fs::exists(entry.path() / "kernels.hpp"))
      chapters.emplace_back(name, entry.path(), build / name);
  }
  std::sort(chapters.begin(), chapters.end(),
            [](const ChapterFolder& a, const ChapterFolder& b) { return a.name < b.name; });
  return chapters;
}

// --- Contracts --------------------------------------------------------------------------------------------

namespace {

constexpr std::string_view declaration_start = "WARPWISE_KERNEL(";

bool is_comment(std::string_view line) { return line.starts_with("//"); }

/// What stands in a line of a comment, without its marks.
std::string_view words_of(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of("/- "), line.size()));
  return line;
}

/// The comment that ends right above line `end`, as one line of text.
std::string comment_above(const Lines& lines, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && is_comment(lines[begin - 1])) --begin;
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    if (!text.empty()) text += ' ';
    text += words_of(lines[i]);
  }
  return text;
}

/// From line `begin` to the one that ends in a semicolon.
std::string declaration_at(const Lines& lines, std::size_t begin) {
  std::string text;
  for (std::size_t i = begin; i < lines.size(); ++i) {
    if (!text.empty()) text += ' ';
    text += lines[i].substr(std::min(lines[i].find_first_not_of(' '), lines[i].size()));
    if (text.ends_with(';')) break;
  }
  return text;
}

/// Behind "Technique:" or "Technique of the four:", up to where a book is named.
std::string technique_in(const std::string& comment) {
  const std::size_t word = comment.find("Technique");
  const std::size_t colon = word == comment.npos ? word : comment.find(": ", word);
  if (colon == comment.npos) return {};
  const std::size_t begin = colon + 2;
  std::string technique = comment.substr(begin, comment.find(" Book:", begin) - begin);
  while (technique.ends_with(' ')) technique.pop_back();
  return technique;
}

Contract contract_at(const Lines& lines, std::size_t place) {
  const std::string name = lines[place].substr(declaration_start.size());
  Contract contract{name.substr(0, name.find(',')), static_cast<unsigned>(place) + 1,
                    declaration_at(lines, place), technique_in(comment_above(lines, place))};
  // A group's comment is none of the documentation of one declaration (`///`).
  for (std::size_t end = place; end > 0 && contract.technique.empty(); --end) {
    const std::string_view last = lines[end - 1];
    if (is_comment(last) && !last.starts_with("///"))
      contract.technique = technique_in(comment_above(lines, end));
  }
  return contract;
}

}  // namespace

std::vector<Contract> contracts_in(std::string_view text) {
  const Lines lines = lines_of(text);
  std::vector<Contract> contracts;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].starts_with(declaration_start)) contracts.push_back(contract_at(lines, i));
  return contracts;
}

std::vector<Contract> read_contracts(const std::string& path) { return contracts_in(text_or_nothing(path)); }

Contract contract_of(const std::vector<Contract>& contracts, std::string_view kernel) {
  const auto found = std::find_if(contracts.begin(), contracts.end(),
                                  [&](const Contract& contract) { return contract.kernel == kernel; });
  return found == contracts.end() ? Contract{} : *found;
}

std::string error_to_mend(std::string_view messages) {
  const bool lacks_brace = messages.find("expected a \"}\"") != messages.npos;
  return lacks_brace ? "a } is missing: look in the function that begins where the compiler says `to match "
                       "this \"{\"`; the other errors follow from it."
                     : "the first error is the one to fix.";
}

std::string signature_advice(std::string_view messages, const std::vector<Contract>& contracts,
                             const std::string& path) {
  for (const std::string_view complaint :
       {"has \"C\" linkage", "distinguished by return type alone", "is incompatible with"}) {
    const std::size_t at = messages.find(complaint);
    if (at == messages.npos) continue;
    // The kernel is named in the complaint, or in the line of code below it.
    const std::size_t line = messages.rfind('\n', at) + 1;  // 0 if there is none
    const std::string_view message = messages.substr(line, messages.find("\n\n", at) - line);
    for (const Contract& declared : contracts) {
      if (message.find("\"" + declared.kernel + "\"") == message.npos &&
          message.find(" " + declared.kernel + "(") == message.npos)
        continue;
      return "The signature of " + declared.kernel + " is not that of the contract, " + path + ":" +
             std::to_string(declared.line) + ":\n  " + declared.declaration + "\n";
    }
  }
  return {};
}

}  // namespace warpwise::text
