#include "variant.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "../text/files.hpp"
#include "../text/hints.hpp"
#include "lesson.hpp"

namespace warpwise::course {
namespace {

namespace fs = std::filesystem;
using text::error_at;
using text::Lines;
using text::read_text;
using text::write_text;

/// Reads a page line by line.
class PageReader {
 public:
  PageReader(std::string_view text, const std::string& path) : lines_(text::lines_of(text)) {
    page_.path = path;
    page_.name = fs::path(path).stem().string();
  }

  VariantPage read() {
    for (at_ = 0; at_ < lines_.size(); ++at_) read_line(lines_[at_]);
    while (page_.box.ends_with('\n')) page_.box.pop_back();
    if (page_.title.empty()) throw lacks("a title, '# ...'");
    if (page_.kernels.empty()) throw lacks("a line '- rejected by: KERNEL: result|technique|safety: REASON'");
    if (page_.box.empty()) throw lacks("a paragraph that says what is different");
    if (page_.changes.empty()) throw lacks("a file that it changes, '## kernels.hpp'");
    return std::move(page_);
  }

 private:
  text::PageError lacks(const char* what) const {
    return error_at(page_.path, 1, page_.name + " lacks " + what);
  }

  void read_line(std::string_view line) {
    if (line.starts_with("# ") && page_.title.empty()) {
      page_.title = line.substr(2);
    } else if (line.starts_with("## ")) {
      file_ = line.substr(3);
    } else if (line.starts_with("```")) {
      read_block();
    } else if (line.starts_with("- rejected by: ") && file_.empty()) {
      read_kernel(line.substr(15));
    } else if (file_.empty()) {
      if (!line.empty() || !page_.box.empty()) page_.box += std::string(line) + '\n';
    } else if (!line.empty()) {
      throw error_at(page_.path, at_ + 1, "only blocks of code can be below the name of a file");
    }
  }

  void read_kernel(std::string_view check) {
    const std::size_t colon = check.find(": ");
    if (colon == check.npos)
      throw error_at(page_.path, at_ + 1, "no kernel is named: '- rejected by: KERNEL: result: REASON'");
    page_.kernels.push_back({std::string(check.substr(0, colon)), std::string(check.substr(colon + 2))});
  }

  void read_block() {
    if (file_.empty()) throw error_at(page_.path, at_ + 1, "a block of code before the name of a file");
    text::Difference& block = page_.changes[file_].emplace_back();
    block.page = page_.path;
    block.name = page_.name;
    block.against = file_;
    text::read_block(lines_, at_, block);
  }

  Lines lines_;
  std::size_t at_ = 0;
  std::string file_;
  VariantPage page_;
};

/// The box as a quotation, below the first line of the lesson.
std::string with_box(const std::string& lesson, const VariantPage& page) {
  Lines lines = text::lines_of(lesson);
  std::string box = "\n> **A variant of this chapter: " + page.title + ".**\n";
  for (const std::string& line : text::lines_of(page.box)) box += line.empty() ? ">\n" : "> " + line + '\n';
  if (lines.empty()) return box;
  const std::string title = lines.front() + '\n';
  lines.erase(lines.begin());
  return title + box + text::joined(lines);
}

/// The page of hints, where the first one for a changed kernel says that the task is another.
std::string with_changed_task(const std::string& hints, const VariantPage& page) {
  std::string result;
  bool is_changed = false;
  for (const std::string& line : text::lines_of(hints)) {
    if (line.starts_with("## ")) {
      const std::vector<std::string> names = text::names_in_heading(line);
      is_changed = std::any_of(page.kernels.begin(), page.kernels.end(), [&](const ChangedKernel& changed) {
        return std::find(names.begin(), names.end(), changed.kernel) != names.end();
      });
    }
    result += line + '\n';
    if (!is_changed || !line.starts_with(text::hint_begin)) continue;
    result +=
        "\n(Your task is a variant, see the top of README.md; the hints are those of the public one.)\n";
    is_changed = false;
  }
  return result;
}

/// The pages in a folder, ascending.
std::vector<fs::path> pages_in(const fs::path& folder) {
  std::vector<fs::path> pages;
  if (!fs::exists(folder)) return pages;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  std::sort(pages.begin(), pages.end());
  return pages;
}

std::optional<unsigned long long> as_seed(const std::string& choice) {
  unsigned long long seed = 0;
  const char* const end = choice.data() + choice.size();
  const auto [rest, error] = std::from_chars(choice.data(), end, seed);
  if (error != std::errc() || rest != end) return {};
  return seed;
}

/// What `choice` means for a chapter; empty: it stays as it is.
fs::path chosen_page(const std::vector<fs::path>& pages, const std::string& choice) {
  if (const auto seed = as_seed(choice)) return variant_for_seed(pages, *seed);
  const auto named = std::find_if(pages.begin(), pages.end(),
                                  [&](const fs::path& page) { return page.stem().string() == choice; });
  return named != pages.end() ? *named : fs::path();
}

std::string no_variant(const std::string& choice, const std::string& offered) {
  if (offered.empty()) return "none of the chapters asked for has a variant.";
  return "there is no variant '" + choice +
         "'; give a number, which picks one for each chapter, or one of:" + offered + ".";
}

std::string summary_of(const VariantPage& page) {
  std::string text = "# " + page.title + "\n\nVariant `" + page.name + "` of this chapter. It changes";
  for (const ChangedKernel& changed : page.kernels)
    text += (&changed == &page.kernels.front() ? " `" : ", `") + changed.kernel + '`';
  return text + ".\n\n" + page.box + '\n';
}

}  // namespace

VariantPage parse_variant(std::string_view text, const std::string& path) {
  return PageReader(text, path).read();
}

VariantPage read_variant(const fs::path& path) { return parse_variant(read_text(path), path.string()); }

std::vector<fs::path> variants_of(const fs::path& chapter) { return pages_in(chapter / "variants"); }

fs::path variant_for_seed(const std::vector<fs::path>& pages, unsigned long long seed) {
  if (pages.empty()) return {};
  const std::string chapter = pages.front().parent_path().parent_path().filename().string();
  const std::uint64_t hash = text::hash_of(std::to_string(seed) + ' ' + chapter);
  return pages[(hash >> 32) % pages.size()];
}

void apply_variant(const VariantPage& page, const fs::path& chapter) {
  std::map<std::string, std::string> texts;
  for (const auto& [file, differences] : page.changes) {
    if (!fs::exists(chapter / file)) {
      // A hand-out has no solution. That a name is misspelt is told by the chapter itself, which has one.
      if (file == "solution.cu") continue;
      throw error_at(page.path, differences.front().line, "there is no " + (chapter / file).string());
    }
    std::string& text = texts.emplace(file, read_text(chapter / file)).first->second;
    for (const text::Difference& difference : differences) text = text::with_difference(difference, text);
  }
  const auto text_of = [&](const std::string& file) {
    const auto found = texts.find(file);
    return found != texts.end() ? found->second : read_text(chapter / file);
  };
  const auto changed_source = [&, sources = texts](const std::string& file) {
    return sources.contains(file) ? sources.at(file) : std::string();
  };
  for (const auto& entry : fs::directory_iterator(chapter)) {
    const std::string file = entry.path().filename().string();
    if (entry.path().extension() == ".md") texts[file] = with_current_code(text_of(file), changed_source);
  }
  texts["README.md"] = with_box(text_of("README.md"), page);
  if (texts.contains("hints.md")) texts["hints.md"] = with_changed_task(texts["hints.md"], page);
  texts["variant.md"] = summary_of(page);
  for (const auto& [file, text] : texts) write_text(chapter / file, text);
  // Wrong attempts and other correct solutions are the public task's.
  fs::remove_all(chapter / "kernels");
}

std::vector<ChangedChapter> apply_variants(const fs::path& course, const std::vector<std::string>& chapters,
                                           const std::string& choice) {
  std::vector<ChangedChapter> changed;
  std::string offered;
  for (const std::string& chapter : chapters) {
    const std::vector<fs::path> pages = variants_of(course / chapter);
    for (const fs::path& page : pages) offered += ' ' + page.stem().string();
    const fs::path page = chosen_page(pages, choice);
    if (page.empty()) continue;
    apply_variant(read_variant(page), course / chapter);
    fs::remove_all(course / chapter / "variants");
    changed.push_back({chapter, page.stem().string()});
  }
  if (changed.empty()) throw std::invalid_argument(no_variant(choice, offered));
  return changed;
}

}  // namespace warpwise::course
