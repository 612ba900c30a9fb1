#include "kernel_page.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace warpwise::text {
namespace {

const std::string accepted_head = "// accepted: ";

/// The words of "a, b, c".
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

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

/// Reads a page line by line.
class PageReader {
 public:
  PageReader(std::string_view text, const std::string& path) : lines_(lines_of(text)), path_(path) {}

  std::vector<Implementation> read() {
    for (at_ = 0; at_ < lines_.size(); ++at_) read_line(lines_[at_]);
    finish_implementation();
    if (implementations_.empty())
      throw error(1, "the page has neither a wrong attempt nor another correct solution");
    return std::move(implementations_);
  }

 private:
  enum class Section { none, attempts, accepted };

  PageError error(std::size_t line, const std::string& sentence) const {
    return error_at(path_, line, sentence);
  }

  void read_line(std::string_view line) {
    if (line.starts_with("# "))
      begin_kernel(line);
    else if (line.starts_with("## "))
      begin_section(line);
    else if (section_ != Section::none)
      read_implementation(line);
  }

  void begin_kernel(std::string_view heading) {
    finish_implementation();
    section_ = Section::none;
    const std::vector<std::string> names = names_in_heading(heading);
    if (names.size() != 1) throw error(at_ + 1, "what is about a kernel begins with '# `KERNEL`'");
    kernel_ = names.front();
  }

  void begin_section(std::string_view heading) {
    finish_implementation();
    if (kernel_.empty()) throw error(at_ + 1, "a section above the first '# `KERNEL`'");
    section_ = heading == attempts_heading   ? Section::attempts
               : heading == accepted_heading ? Section::accepted
                                             : Section::none;
    if (section_ == Section::none)
      throw error(at_ + 1, "a section is '" + std::string(attempts_heading) + "' or '" +
                               std::string(accepted_heading) + "'");
    with_.clear();
  }

  void read_implementation(std::string_view line) {
    constexpr std::string_view with = "with: ", rejected = "- rejected by: ", why = "- why: ",
                               writes = "- also writes: ", right_as = "- also right as: ";
    const bool is_right = section_ == Section::accepted;
    if (line.starts_with("### ")) {
      finish_implementation();
      begin_implementation(std::string(line.substr(4)));
    } else if (line.starts_with("```")) {
      read_block();
    } else if (!implementation_) {
      if (line.starts_with(with)) with_ = names_in(line.substr(with.size()));
    } else if (line.starts_with(rejected) && !is_right) {
      read_check(line.substr(rejected.size()));
    } else if (line.starts_with(writes) && is_right) {
      implementation_->also_writes = names_in(line.substr(writes.size()));
    } else if (line.starts_with(right_as) && is_right) {
      implementation_->also_right_as = names_in(line.substr(right_as.size()));
    } else if (line.starts_with(why)) {
      implementation_->why = line.substr(why.size());
    } else if (line.starts_with("  ") && !implementation_->why.empty() &&
               implementation_->difference.line == 0) {  // it goes on
      implementation_->why += line.substr(1);
    } else if (line.starts_with("- ")) {
      throw error(at_ + 1, "a line of this section begins with " +
                               std::string(is_right ? "'- why: ', '- also writes: ' or '- also right as: '"
                                                    : "'- rejected by: ' or '- why: '"));
    }
  }

  void begin_implementation(const std::string& heading) {
    implementation_.emplace();
    implementation_->heading = heading;
    implementation_->name = kernel_ + "_" + heading;
    implementation_->difference.page = path_;
    implementation_->difference.name = implementation_->name;
    implementation_->difference.against = "the solution";
    implementation_->kernel = kernel_;
    implementation_->line = at_ + 1;
    implementation_->with = with_;
    for (const Implementation& other : implementations_)
      if (other.name == implementation_->name)
        throw error(at_ + 1, "there are two paragraphs '" + heading + "'");
  }

  /// "safety: race at `...`", or with the kernel in front.
  void read_check(std::string_view check) {
    const std::string_view word = check.substr(0, check.find(':'));
    const bool is_aspect = word == "result" || word == "technique" || word == "safety";
    if (!is_aspect) implementation_->kernel = word;
    implementation_->rejected_by = is_aspect ? check : check.substr(std::min(word.size() + 2, check.size()));
  }

  void read_block() {
    if (!implementation_) throw error(at_ + 1, "a block of code above the first '### '");
    if (implementation_->difference.line != 0) throw error(at_ + 1, "a paragraph has one block of code");
    text::read_block(lines_, at_, implementation_->difference);
  }

  void finish_implementation() {
    if (!implementation_) return;
    const auto lacks = [&](const char* what) {
      return error(implementation_->line, implementation_->name + " lacks " + what);
    };
    if (implementation_->rejected_by.empty() && section_ == Section::attempts)
      throw lacks("its line '- rejected by: '");
    if (implementation_->why.empty()) throw lacks("its line '- why: '");
    implementations_.push_back(std::move(*implementation_));
    implementation_.reset();
  }

  Lines lines_;
  const std::string& path_;
  std::size_t at_ = 0;
  std::string kernel_;  ///< that of the page which is read, and the section about it
  Section section_ = Section::none;
  std::vector<std::string> with_;                 ///< kernels beside that of the section
  std::optional<Implementation> implementation_;  ///< the one that is read
  std::vector<Implementation> implementations_;
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

/// What of the solution an implementation begins with: its kernel and those of `with`, and the functions that
/// they or the own lines of the implementation name.
std::string part_of(const Source& solution, const Implementation& implementation) {
  std::vector<std::string> names = solution.names_reached(joined(implementation.difference.lines));
  std::vector<std::string> kernels = implementation.with;
  kernels.push_back(implementation.kernel);
  kernels.insert(kernels.end(), implementation.also_writes.begin(), implementation.also_writes.end());
  for (const std::string& kernel : kernels) {
    const std::vector<Function> needed = solution.kernel_and_callees(kernel);
    if (needed.empty())
      throw error_at(implementation.difference.page, implementation.line,
                     "the solution has no kernel '" + kernel + "'");
    for (const Function& function : needed) names.push_back(function.name);
  }
  std::string part = with_functions(trimmed_solution(solution.text()), [&](const Function& function) {
    return has(names, function.name) && (!function.is_kernel || has(kernels, function.name));
  });
  while (part.ends_with("\n\n")) part.pop_back();
  return part;
}

}  // namespace

std::vector<Implementation> implementations_on_page(std::string_view text, const std::string& path) {
  return PageReader(text, path).read();
}

std::string whole_file(const Implementation& implementation, const Source& solution) {
  if (implementation.difference.lines.empty())
    throw error_at(implementation.difference.page, implementation.line,
                   implementation.name + " lacks its ```diff or ```cuda block");
  std::vector<std::string> judged{implementation.kernel};
  judged.insert(judged.end(), implementation.also_writes.begin(), implementation.also_writes.end());
  const std::string part = part_of(solution, implementation);
  const std::string head = implementation.is_right()
                               ? accepted_head + listed(judged) + ": " + implementation.why
                               : "// rejected by: " + implementation.kernel + ": " +
                                     implementation.rejected_by + "\n// why: " + implementation.why;
  return head + "\n\n" + with_difference(implementation.difference, part);
}

std::vector<std::string> accepted_kernels(std::string_view source) {
  if (!source.starts_with(accepted_head)) return {};
  source.remove_prefix(accepted_head.size());
  const std::size_t end = source.find_first_of(":\n");
  return end != source.npos && source[end] == ':' ? names_in(source.substr(0, end))
                                                  : std::vector<std::string>();
}

}  // namespace warpwise::text
