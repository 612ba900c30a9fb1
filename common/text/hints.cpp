#include "hints.hpp"

#include <algorithm>
#include <sstream>

#include "../print/terminal.hpp"
#include "difference.hpp"

namespace warpwise::text {
namespace {

/// Reads a page line by line.
class HintReader {
 public:
  HintReader(std::string_view text, const std::string& path) : lines_(lines_of(text)), path_(path) {}

  std::vector<KernelHints> read() {
    for (at_ = 0; at_ < lines_.size(); ++at_) {
      if (lines_[at_].starts_with("## "))
        begin_section();
      else if (lines_[at_].starts_with(hint_begin))
        read_hint();
      else if (!lines_[at_].empty() && !kernels_.empty())
        throw error("in a section everything belongs to a hint, between '" + std::string(hint_begin) +
                    "N</summary>' and '" + std::string(hint_end) + "'");
    }
    end_section();
    return std::move(all_);
  }

 private:
  PageError error(const std::string& sentence) const { return error_at(path_, at_ + 1, sentence); }

  void begin_section() {
    end_section();
    kernels_ = names_in_heading(lines_[at_]);
    if (kernels_.empty()) throw error("a section is '## `KERNEL`', or '## `KERNEL`, `KERNEL`'");
    for (const std::string& kernel : kernels_)
      if (std::any_of(all_.begin(), all_.end(), [&](const auto& each) { return each.kernel == kernel; }))
        throw error("there are two sections for " + kernel);
  }

  void read_hint() {
    const std::string begin = std::string(hint_begin) + std::to_string(hints_.size() + 1) + "</summary>";
    if (kernels_.empty()) throw error("a hint above the first '## `KERNEL`'");
    if (lines_[at_] != begin) throw error("the hints of a kernel are numbered: '" + begin + "'");
    const std::size_t first = at_ + 1;
    const auto end = std::find(lines_.begin() + static_cast<std::ptrdiff_t>(first), lines_.end(), hint_end);
    if (end == lines_.end()) throw error("no line '" + std::string(hint_end) + "' ends the hint");
    at_ = static_cast<std::size_t>(end - lines_.begin());
    std::string hint =
        joined(Lines(lines_.begin() + static_cast<std::ptrdiff_t>(first), end));  // with blank lines around
    hint.erase(0, hint.find_first_not_of('\n'));
    hint.erase(hint.find_last_not_of(" \n") + 1);
    if (hint.empty()) throw error("a hint without words");
    hints_.push_back(hint);
  }

  void end_section() {
    if (!kernels_.empty() && hints_.empty()) throw error("no hint for " + kernels_.front());
    for (const std::string& kernel : kernels_) all_.push_back({kernel, hints_});
    kernels_.clear();
    hints_.clear();
  }

  Lines lines_;
  const std::string& path_;
  std::size_t at_ = 0;
  std::vector<std::string> kernels_, hints_;  ///< of the section
  std::vector<KernelHints> all_;
};

}  // namespace

std::vector<KernelHints> parse_hints(std::string_view text, const std::string& path) {
  return HintReader(text, path).read();
}

std::string in_screen_width(std::string_view hint) {
  std::string text, paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) text += print::wrapped_text(paragraph, 0, 0) + '\n';
    paragraph.clear();
  };
  std::istringstream lines{std::string(hint)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.front() != ' ') {
      paragraph += (paragraph.empty() ? "" : " ") + line;
      continue;
    }
    end_paragraph();
    text += line + '\n';
  }
  end_paragraph();
  return text;
}

}  // namespace warpwise::text
