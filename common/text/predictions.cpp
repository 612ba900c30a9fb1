#include "predictions.hpp"

#include <algorithm>
#include <charconv>

namespace warpwise::text {
namespace {

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

/// What stands before `mark`, or all of it; `text` keeps what stands behind.
std::string_view take_until(std::string_view& text, char mark) {
  const std::string_view piece = text.substr(0, text.find(mark));
  text.remove_prefix(std::min(piece.size() + 1, text.size()));
  return without_blanks(piece);
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

/// Reads a page line by line.
class PredictionReader {
 public:
  explicit PredictionReader(const std::string& path) : path_(path) {}

  std::vector<Section> read(std::string_view text) {
    for (const std::string& line : lines_of(text)) {
      ++line_;
      read_line(line);
    }
    finish_section();
    if (sections_.empty()) throw error("the page has no section: no line begins with '## '");
    return std::move(sections_);
  }

 private:
  void read_line(std::string_view line) {
    if (line.starts_with("## ")) {
      finish_section();
      sections_.push_back({std::string(without_blanks(line.substr(3))), {}, {}});
      run_ = {};
    } else if (sections_.empty()) {
      return;  // what the page says of itself
    } else if (line.starts_with("### ")) {
      finish_question();
      sections_.back().questions.push_back(
          {std::string(without_blanks(line.substr(4))), {}, {}, 0, run_, line_});
    } else if (line.starts_with("- ")) {
      read_field(line.substr(2));
    } else if (sections_.back().questions.empty()) {
      read_prose(line);
    } else if (line.starts_with("  ") && !question().why.empty()) {
      question().why += ' ' + std::string(without_blanks(line));
    } else if (!without_blanks(line).empty()) {
      throw error("neither a heading, '- measured: ', '- counter: ', '- within: ' nor '- why: '");
    }
  }

  void read_prose(std::string_view line) {
    std::string& text = sections_.back().text;
    if (without_blanks(line).empty()) {
      if (!text.empty() && !text.ends_with('\n')) text += '\n';
    } else {
      text += (text.empty() || text.ends_with('\n') ? "" : " ") + std::string(without_blanks(line));
    }
  }

  void read_field(std::string_view field) {
    const std::string_view name = take_until(field, ':');
    const std::string value(without_blanks(field));
    if (name == "measured") {
      (sections_.back().questions.empty() ? run_ : question().run) = read_run(value);
    } else if (sections_.back().questions.empty()) {
      throw error("'- " + std::string(name) + ": ' is under no question: there is no line '### ' above it");
    } else if (name == "counter") {
      question().counter = value;
    } else if (name == "why") {
      question().why = value;
    } else if (name != "within" || !read_number(value, question().within)) {
      throw error("'- " + std::string(name) + ": " + value + "' does not belong to a question");
    }
  }

  /// "solution KERNEL, n = 65536, block = 256", "attempt NAME", "program FILE KERNEL".
  MeasuredRun read_run(std::string_view text) const {
    MeasuredRun run;
    std::string_view subject = take_until(text, ',');
    const std::string_view kind = take_until(subject, ' ');
    if (kind == "attempt" || kind == "program") run.name = take_until(subject, ' ');
    run.of = kind == "attempt"   ? MeasuredRun::Of::attempt
             : kind == "program" ? MeasuredRun::Of::program
                                 : MeasuredRun::Of::solution;
    run.kernel = without_blanks(subject);
    const bool is_whole = run.of == MeasuredRun::Of::attempt ? !run.name.empty() : !run.kernel.empty();
    if (!is_whole || (kind != "solution" && run.name.empty()))
      throw error("what is measured is 'solution KERNEL', 'attempt NAME' or 'program FILE KERNEL'");
    while (!text.empty()) {
      std::string_view value = take_until(text, ',');
      const std::string_view name = take_until(value, '=');
      value = without_blanks(value);
      const bool is_read = (name == "n" && read_number(value, run.n)) ||
                           (name == "block" && read_number(value, run.block)) ||
                           (name == "launch" && read_number(value, run.launch));
      if (!is_read)
        throw error(
            "what is measured can be followed by 'n = NUMBER', 'block = NUMBER' or 'launch = NUMBER'");
    }
    return run;
  }

  Question& question() { return sections_.back().questions.back(); }

  void finish_question() {
    if (sections_.back().questions.empty()) return;
    const auto lacks = [&](const char* what) {
      return error("'" + question().prompt + "' lacks its line '- " + what + ": '", question().line);
    };
    if (question().counter.empty()) throw lacks("counter");
    if (question().why.empty()) throw lacks("why");
    if (question().run == MeasuredRun{}) throw lacks("measured");
  }
  void finish_section() {
    if (sections_.empty()) return;
    finish_question();
    Section& section = sections_.back();
    while (section.text.ends_with('\n')) section.text.pop_back();
    if (section.questions.empty()) throw error("section '" + section.name + "' asks nothing");
    const auto is_like = [&](const Section& other) { return other.name == section.name; };
    if (std::count_if(sections_.begin(), sections_.end(), is_like) > 1)
      throw error("there are two sections '" + section.name + "'");
  }

  PageError error(const std::string& sentence, std::size_t line = 0) const {
    return error_at(path_, line == 0 ? line_ : line, sentence);
  }

  const std::string& path_;
  std::size_t line_ = 0;
  std::vector<Section> sections_;
  MeasuredRun run_;  ///< of the section
};

}  // namespace

std::vector<Section> parse_predictions(std::string_view text, const std::string& path) {
  return PredictionReader(path).read(text);
}

std::vector<Equation> equations_in(std::string_view why) {
  std::vector<Equation> equations;
  while (why.find('`') != why.npos) {
    why.remove_prefix(why.find('`') + 1);
    std::string_view code = why.substr(0, why.find('`'));
    why.remove_prefix(std::min(code.size() + 1, why.size()));
    if (code.find('=') == code.npos) continue;
    const std::string left(take_until(code, '='));
    equations.push_back({left, std::string(without_blanks(code))});
  }
  return equations;
}

}  // namespace warpwise::text
