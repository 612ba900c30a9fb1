#include "kernel_page.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace warpwise::text {
namespace {

const std::string accepted_head = "// accepted: ";

/// Reads a page line by line.
class PageReader {
 public:
  PageReader(std::string_view text, const std::string& path) : lines_(lines_of(text)), path_(path) {
    const std::filesystem::path file(path);
    is_accepted_ = file.filename() == "accepted.md";
    if (!is_accepted_) kernel_ = file.stem().string();
  }

  std::vector<Way> read() {
    for (at_ = 0; at_ < lines_.size(); ++at_) read_line(lines_[at_]);
    finish_way();
    if (ways_.empty())
      throw error(1, is_accepted_ ? "the page has nothing to accept: no line begins with '### '"
                                  : "the page has no attempt: no line begins with '## '");
    return std::move(ways_);
  }

 private:
  PageError error(std::size_t line, const std::string& sentence) const {
    return error_at(path_, line, sentence);
  }

  void read_line(std::string_view line) {
    if (is_accepted_ && line.starts_with("## ")) {
      finish_way();
      kernel_ = line.substr(3);
      with_.clear();
    } else if (const std::string_view mark = is_accepted_ ? "### " : "## "; line.starts_with(mark)) {
      finish_way();
      begin_way(std::string(line.substr(mark.size())));
    } else if (line.starts_with("```")) {
      read_block(line.substr(3));
    } else if (!way_) {
      if (line.starts_with("with: ")) with_ = names_in(line.substr(6));
    } else if (line.starts_with("- rejected by: ") && !is_accepted_) {
      read_check(line.substr(15));
    } else if (line.starts_with(also_right_mark) && is_accepted_) {
      way_->also_right_as = names_in(line.substr(also_right_mark.size()));
    } else if (line.starts_with("- why: ")) {
      way_->why = line.substr(7);
    } else if (line.starts_with("  ") && !way_->why.empty()) {  // the sentence goes on
      way_->why += line.substr(1);
    } else if (!line.empty()) {
      throw error(at_ + 1, std::string("neither a heading, ") + (is_accepted_ ? "" : "'- rejected by: ', ") +
                               "'- why: ' nor a block of code");
    }
  }

  void begin_way(const std::string& heading) {
    if (kernel_.empty()) throw error(at_ + 1, "no line '## KERNEL' above says whose way this is");
    way_.emplace();
    way_->page = path_;
    way_->name = kernel_ + "_" + heading;
    way_->kernel = kernel_;
    way_->line = at_ + 1;
    way_->with = with_;
    for (const Way& other : ways_)
      if (other.name == way_->name) throw error(at_ + 1, "there are two paragraphs '" + heading + "'");
  }

  /// "safety: race at `...`", or with the kernel in front.
  void read_check(std::string_view check) {
    const std::string_view word = check.substr(0, check.find(':'));
    const bool is_aspect = word == "result" || word == "technique" || word == "safety";
    way_->kernel = is_aspect ? kernel_ : std::string(word);
    way_->rejected_by = is_aspect ? check : check.substr(std::min(word.size() + 2, check.size()));
  }

  void read_block(std::string_view language) {
    if (!way_)
      throw error(at_ + 1,
                  std::string("a block of code above the first ") + (is_accepted_ ? "'### '" : "'## '"));
    if (language != "diff" && language != "cuda")
      throw error(at_ + 1, "a block is ```diff or ```cuda, not ```" + std::string(language));
    if (way_->block_line != 0) throw error(at_ + 1, "a paragraph has one block of code");
    way_->is_difference = language == "diff";
    way_->block_line = at_ + 2;
    for (++at_; at_ < lines_.size() && lines_[at_] != "```"; ++at_) way_->block.push_back(lines_[at_]);
    if (at_ == lines_.size()) throw error(way_->block_line - 1, "no line ``` ends the block");
  }

  void finish_way() {
    if (!way_) return;
    const auto lacks = [&](const char* what) { return error(way_->line, way_->name + " lacks " + what); };
    if (way_->rejected_by.empty() && !is_accepted_) throw lacks("its line '- rejected by: '");
    if (way_->why.empty()) throw lacks("its line '- why: '");
    if (way_->block.empty()) throw lacks("its ```diff or ```cuda block");
    ways_.push_back(std::move(*way_));
    way_.reset();
  }

  Lines lines_;
  const std::string& path_;
  bool is_accepted_ = false;  ///< the page is called accepted.md: what it holds is right
  std::size_t at_ = 0;
  std::string kernel_;             ///< whose ways are read
  std::vector<std::string> with_;  ///< beside it
  std::optional<Way> way_;         ///< the one that is read
  std::vector<Way> ways_;
};

/// Without the comment that the file begins with and without anchors.
Source trimmed_solution(std::string_view solution) {
  while (solution.starts_with("//"))
    solution.remove_prefix(std::min(solution.find('\n'), solution.size() - 1) + 1);
  while (solution.starts_with('\n')) solution.remove_prefix(1);
  return Source(without_anchors(solution));
}

/// `source` with the functions that `is_kept` says, and all that stands outside of functions.
template <class Predicate>
std::string with_functions(const Source& source, Predicate is_kept) {
  std::string text;
  std::size_t at = 0;
  for (const Function& function : source.functions()) {
    if (is_kept(function)) continue;
    text += source.text().substr(at, function.start - function.comment.size() - at);
    at = function.start + function.code.size();
    for (int newlines = 0; newlines < 2 && source.text().substr(at, 1) == "\n"; ++newlines) ++at;
  }
  return text + source.text().substr(at);
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// What of the solution a way begins with: its kernel and those of `with`, and the functions that they or the
/// way's own lines name.
std::string part_of(const Source& solution, const Way& way) {
  std::vector<std::string> names = solution.names_reached(joined(way.block));
  std::vector<std::string> kernels = way.with;
  kernels.push_back(way.kernel);
  for (const std::string& kernel : kernels) {
    const std::vector<Function> needed = solution.kernel_and_callees(kernel);
    if (needed.empty()) throw error_at(way.page, way.line, "the solution has no kernel '" + kernel + "'");
    for (const Function& function : needed) names.push_back(function.name);
  }
  std::string part = with_functions(trimmed_solution(solution.text()), [&](const Function& function) {
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

std::vector<Way> parse_ways(std::string_view text, const std::string& path) {
  return PageReader(text, path).read();
}

std::string whole_file(const Way& way, const Source& solution) {
  const std::string part = part_of(solution, way);
  const std::string head =
      way.is_right() ? accepted_head + way.kernel + ": " + way.why
                     : "// rejected by: " + way.kernel + ": " + way.rejected_by + "\n// why: " + way.why;
  return head + "\n\n" +
         with_difference({way.page, way.name, "the solution", !way.is_difference, way.block_line, way.block},
                         part);
}

std::string accepted_kernel(std::string_view source) {
  if (!source.starts_with(accepted_head)) return {};
  source.remove_prefix(accepted_head.size());
  const std::size_t end = source.find_first_of(":\n");
  return end != source.npos && source[end] == ':' ? std::string(source.substr(0, end)) : std::string();
}

}  // namespace warpwise::text
