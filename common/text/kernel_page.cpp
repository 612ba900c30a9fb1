#include "kernel_page.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "source.hpp"

namespace warpwise::text {
namespace {

const std::string accepted_head = "// accepted: ";

AttemptError page_error(const AttemptPage& page, std::size_t line, const std::string& sentence) {
  return text::error_at(page.path, line, sentence);
}

/// Reads a page line by line.
class PageReader {
 public:
  PageReader(std::string_view text, const std::string& path) : lines_(lines_of(text)) {
    const std::filesystem::path file(path);
    page_.path = path;
    page_.is_accepted = file.filename() == "accepted.md";
    if (!page_.is_accepted) kernel_ = file.stem().string();
  }

  AttemptPage read() {
    for (at_ = 0; at_ < lines_.size(); ++at_) read_line(lines_[at_]);
    finish_attempt();
    if (page_.attempts.empty())
      throw page_error(page_, 1,
                       page_.is_accepted ? "the page has nothing to accept: no line begins with '### '"
                                         : "the page has no attempt: no line begins with '## '");
    return std::move(page_);
  }

 private:
  void read_line(std::string_view line) {
    if (page_.is_accepted && line.starts_with("## ")) {
      finish_attempt();
      kernel_ = line.substr(3);
      with_.clear();
    } else if (const std::string_view mark = page_.is_accepted ? "### " : "## "; line.starts_with(mark)) {
      finish_attempt();
      begin_attempt(std::string(line.substr(mark.size())));
    } else if (line.starts_with("```")) {
      read_block(line.substr(3));
    } else if (!attempt_) {
      if (line.starts_with("with: ")) with_ = names_in(line.substr(6));
    } else if (line.starts_with("- rejected by: ") && !page_.is_accepted) {
      read_check(line.substr(15));
    } else if (line.starts_with(also_right_mark) && page_.is_accepted) {
      // read by handouts alone (common/classroom/handout/attempt_pages.cpp)
    } else if (line.starts_with("- why: ")) {
      attempt_->why = line.substr(7);
    } else if (line.starts_with("  ") && !attempt_->why.empty()) {  // the sentence goes on
      attempt_->why += line.substr(1);
    } else if (!line.empty()) {
      throw page_error(page_, at_ + 1,
                       std::string("neither a heading, ") + (page_.is_accepted ? "" : "'- rejected by: ', ") +
                           "'- why: ' nor a block of code");
    }
  }

  void begin_attempt(const std::string& heading) {
    if (kernel_.empty()) throw page_error(page_, at_ + 1, "no line '## KERNEL' above says whose way this is");
    attempt_.emplace();
    attempt_->name = kernel_ + "_" + heading;
    attempt_->kernel = kernel_;
    attempt_->line = at_ + 1;
    attempt_->with = with_;
    for (const AttemptText& other : page_.attempts) {
      if (other.name == attempt_->name)
        throw page_error(page_, at_ + 1, "there are two paragraphs '" + heading + "'");
    }
  }

  /// "safety: race at `...`", or with the kernel in front.
  void read_check(std::string_view check) {
    const std::string_view word = check.substr(0, check.find(':'));
    const bool is_aspect = word == "result" || word == "technique" || word == "safety";
    attempt_->kernel = is_aspect ? kernel_ : std::string(word);
    attempt_->rejected_by = is_aspect ? check : check.substr(std::min(word.size() + 2, check.size()));
  }

  void read_block(std::string_view language) {
    if (!attempt_)
      throw page_error(
          page_, at_ + 1,
          std::string("a block of code above the first ") + (page_.is_accepted ? "'### '" : "'## '"));
    if (language != "diff" && language != "cuda")
      throw page_error(page_, at_ + 1, "a block is ```diff or ```cuda, not ```" + std::string(language));
    if (attempt_->block_line != 0) throw page_error(page_, at_ + 1, "a paragraph has one block of code");
    attempt_->is_difference = language == "diff";
    attempt_->block_line = at_ + 2;
    for (++at_; at_ < lines_.size() && lines_[at_] != "```"; ++at_) attempt_->block.push_back(lines_[at_]);
    if (at_ == lines_.size()) throw page_error(page_, attempt_->block_line - 1, "no line ``` ends the block");
  }

  void finish_attempt() {
    if (!attempt_) return;
    const auto lacks = [&](const char* what) {
      return page_error(page_, attempt_->line, attempt_->name + " lacks " + what);
    };
    if (attempt_->rejected_by.empty() && !page_.is_accepted) throw lacks("its line '- rejected by: '");
    if (attempt_->why.empty()) throw lacks("its line '- why: '");
    if (attempt_->block.empty()) throw lacks("its ```diff or ```cuda block");
    page_.attempts.push_back(std::move(*attempt_));
    attempt_.reset();
  }

  Lines lines_;
  std::size_t at_ = 0;
  std::string kernel_;                  ///< whose ways are read
  std::vector<std::string> with_;       ///< beside it
  std::optional<AttemptText> attempt_;  ///< the one that is read
  AttemptPage page_;
};

/// `source` with the functions that `is_kept` says, and all that stands outside of functions.
template <class Predicate>
std::string with_functions(std::string_view source, Predicate is_kept) {
  std::string text;
  std::size_t at = 0;
  for (const FunctionText& function : functions_in(source)) {
    if (is_kept(function)) continue;
    text += source.substr(at, function.start - function.comment.size() - at);
    at = function.start + function.code.size();
    for (int newlines = 0; newlines < 2 && source.substr(at, 1) == "\n"; ++newlines) ++at;
  }
  text += source.substr(at);
  return text;
}

/// Without the comment that the file begins with and without anchors.
std::string trimmed_solution(std::string_view solution) {
  while (solution.starts_with("//"))
    solution.remove_prefix(std::min(solution.find('\n'), solution.size() - 1) + 1);
  while (solution.starts_with('\n')) solution.remove_prefix(1);
  return without_anchors(solution);
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// What of the solution an attempt begins with: its kernel and those of `with`, and the functions that they
/// or the attempt's own lines name.
std::string part_of(std::string_view solution, const AttemptPage& page, const AttemptText& attempt) {
  std::vector<std::string> names = names_reached(joined(attempt.block), solution);
  std::vector<std::string> kernels = attempt.with;
  kernels.push_back(attempt.kernel);
  for (const std::string& kernel : kernels) {
    const std::vector<FunctionText> needed = kernel_and_callees(solution, kernel);
    if (needed.empty()) throw page_error(page, attempt.line, "the solution has no kernel '" + kernel + "'");
    for (const FunctionText& function : needed) names.push_back(function.name);
  }
  std::string part = with_functions(trimmed_solution(solution), [&](const FunctionText& function) {
    return has(names, function.name) && (!function.is_kernel || has(kernels, function.name));
  });
  while (part.ends_with("\n\n")) part.pop_back();
  return part;
}

}  // namespace

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    std::string_view name = list.substr(0, end);
    while (name.starts_with(' ')) name.remove_prefix(1);
    if (!name.empty()) names.emplace_back(name);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

AttemptPage parse_attempts(std::string_view text, const std::string& path) {
  return PageReader(text, path).read();
}

AttemptPage read_attempts(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw AttemptError(path + ":1: the file cannot be read");
  return parse_attempts(std::string(std::istreambuf_iterator<char>(file), {}), path);
}

std::string make_attempt(const AttemptPage& page, const AttemptText& attempt, std::string_view solution) {
  const std::string part = part_of(solution, page, attempt);
  const std::string head = page.is_accepted ? accepted_head + attempt.kernel + ": " + attempt.why
                                            : "// rejected by: " + attempt.kernel + ": " +
                                                  attempt.rejected_by + "\n// why: " + attempt.why;
  return head + "\n\n" +
         with_difference({page.path, attempt.name, "the solution", !attempt.is_difference, attempt.block_line,
                          attempt.block},
                         part);
}

std::string accepted_kernel(std::string_view source) {
  if (!source.starts_with(accepted_head)) return {};
  source.remove_prefix(accepted_head.size());
  const std::size_t end = source.find_first_of(":\n");
  return end != source.npos && source[end] == ':' ? std::string(source.substr(0, end)) : std::string();
}

}  // namespace warpwise::text
