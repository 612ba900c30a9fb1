#include "annotated_program.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace warpwise::testing {
namespace {

using Lines = std::vector<std::string>;

/// The lines [first, last) of the file: those that the texts of a header are looked for in. From 0.
struct Range {
  std::size_t first, last;
};

/// "race at 2nd `s[t]` or `s[0]`": the kinds, and the lines that the texts name.
class FindingReader {
 public:
  FindingReader(const Lines& lines, Range range) : lines_(lines), range_(range) {}

  ExpectedFinding read(const std::string& text, bool is_required) const {
    ExpectedFinding finding;
    finding.is_required = is_required;
    finding.text = text;
    finding.kinds = kinds_in(text.substr(0, text.find(' ')));
    std::string rest = text.substr(std::min(text.find(' '), text.size()));
    while (!rest.empty()) {
      const Place place = place_in(rest);
      const std::uint32_t line = line_of(place.code, place.which);
      if (place.word == " to " && !finding.lines.empty())
        for (std::uint32_t between = finding.lines.back() + 1; between < line; ++between)
          finding.lines.push_back(between);
      finding.lines.push_back(line);
      rest.erase(0, place.length);
    }
    return finding;
  }

 private:
  static std::vector<std::string> kinds_in(const std::string& text) {
    std::vector<std::string> kinds;
    std::istringstream words(text);
    for (std::string kind; std::getline(words, kind, '|');) kinds.push_back(kind);
    return kinds;
  }

  /// " at 2nd `s[t]`", with which a text begins.
  struct Place {
    std::string word, code;
    std::size_t which, length;
  };
  static Place place_in(const std::string& text) {
    for (const char* word : {" at ", " or ", " from ", " to "}) {
      if (!text.starts_with(word)) continue;
      std::size_t at = std::string(word).size(), which = 0;
      if (at + 4 < text.size() && text[at] >= '1' && text[at] <= '9' && text[at + 3] == ' ') {
        which = static_cast<std::size_t>(text[at] - '0');
        at += 4;  // "2nd "
      }
      const std::size_t end = text.find('`', at + 1);
      if (text[at] != '`' || end == text.npos || end == at + 1) break;
      return {word, text.substr(at + 1, end - at - 1), which, end + 1};
    }
    throw std::runtime_error("cannot read '" + text + "'");
  }

  /// `which`: the first, second ... line with the text; 0: there is only one.
  std::uint32_t line_of(const std::string& text, std::size_t which) const {
    std::vector<std::size_t> with_text;
    for (std::size_t i = range_.first; i < range_.last; ++i)
      if (lines_[i].find(text) != std::string::npos) with_text.push_back(i);
    if (with_text.empty()) throw std::runtime_error("no line of the program has `" + text + "`");
    if (which == 0 && with_text.size() > 1)
      throw std::runtime_error("several lines of the program have `" + text + "`: say 1st or 2nd");
    if (which > with_text.size())
      throw std::runtime_error("only " + std::to_string(with_text.size()) + " lines have `" + text + "`");
    return static_cast<std::uint32_t>(with_text[which == 0 ? 0 : which - 1] + 1);
  }

  const Lines& lines_;
  Range range_;
};

class FileReader {
 public:
  FileReader(const std::string& text, const std::string& path) : path_(path) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines_.push_back(line);
  }

  AnnotatedFile read() {
    for (at_ = 0; at_ < lines_.size(); ++at_) {
      const std::string& line = lines_[at_];
      if (line == "// output:") {
        read_output();
      } else if (const std::string key = line.starts_with("// ") ? word_at(line, 3, letters) : "";
                 !key.empty() && line.compare(3 + key.size(), 2, ": ") == 0) {
        const std::string value = line.substr(5 + key.size());
        if (key == "arch")
          file_.arch = value;
        else
          header_.push_back({at_, key, value});
      } else if (const std::string name =
                     line.starts_with("namespace ") ? word_at(line, 10, letters + "0123456789_") : "";
                 !header_.empty() && !name.empty() && line == "namespace " + name + " {") {
        read_program(name);
      }
    }
    if (file_.programs.empty())
      add_program("", {header_.empty() ? 0 : header_.back().line + 1, lines_.size()});
    if (!header_.empty()) fail(header_.front().line, "no namespace follows");
    return file_;
  }

 private:
  static std::string word_at(const std::string& line, std::size_t at, const std::string& characters) {
    return line.substr(at, line.find_first_not_of(characters, at) - at);
  }

  struct HeaderLine {
    std::size_t line;
    std::string key, value;
  };

  [[noreturn]] void fail(std::size_t line, const std::string& reason) const {
    throw std::runtime_error(path_ + ":" + std::to_string(line + 1) + ": " + reason);
  }

  /// From the line that opens the namespace to the one that closes it.
  void read_program(const std::string& name) {
    const std::size_t first = at_;
    while (at_ < lines_.size() && lines_[at_] != "}  // namespace " + name) ++at_;
    if (at_ == lines_.size()) fail(first, "namespace " + name + " has no end");
    add_program(name, {first, at_});
  }

  void add_program(const std::string& name, Range range) {
    AnnotatedProgram program;
    program.name = name;
    program.output = output_;
    for (std::size_t i = range.first; i < range.last; ++i) program.source += lines_[i] + "\n";
    const FindingReader findings(lines_, range);
    for (const HeaderLine& each : header_) {
      try {
        if (each.key == "why")
          program.why = each.value;
        else if (each.key != "finding" && each.key != "also")
          throw std::runtime_error("no such key: " + each.key);
        else if (each.value != "none")
          program.findings.push_back(findings.read(each.value, each.key == "finding"));
        else if (header_.front().key != "finding" || &each != &header_.front())
          throw std::runtime_error("`finding: none` stands first and alone");
      } catch (const std::exception& error) {
        fail(each.line, error.what());
      }
    }
    const bool says_none = !header_.empty() && header_.front().value == "none";
    if (says_none && program.is_wrong()) fail(header_.front().line, "says both none and a finding");
    if (!name.empty() && !says_none && !program.is_wrong())
      fail(range.first, "the header says neither `finding: none` nor a finding");
    file_.programs.push_back(program);
    header_.clear();
  }

  /// The comment that stands here.
  void read_output() {
    std::string output;
    for (; at_ + 1 < lines_.size() && lines_[at_ + 1].starts_with("//"); ++at_) {
      const std::string& line = lines_[at_ + 1];
      if (!line.starts_with("//   ") && line != "//") fail(at_ + 1, "output stands after `//   `");
      output += (line == "//" ? "" : line.substr(5)) + "\n";
    }
    if (file_.programs.empty())
      output_ = output;
    else
      file_.programs.back().output = output;
  }

  const std::string letters = "abcdefghijklmnopqrstuvwxyz";
  std::string path_;
  Lines lines_;
  std::size_t at_ = 0;
  std::vector<HeaderLine> header_;     ///< not yet followed by its program
  std::optional<std::string> output_;  ///< of a file that is one program
  AnnotatedFile file_;
};

}  // namespace

bool ExpectedFinding::covers(std::string_view kind, std::uint32_t line) const {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end() &&
         (lines.empty() || std::find(lines.begin(), lines.end(), line) != lines.end());
}

bool AnnotatedProgram::is_wrong() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const ExpectedFinding& f) { return f.is_required; });
}

AnnotatedFile read_annotated_text(const std::string& text, const std::string& path) {
  return FileReader(text, path).read();
}

AnnotatedFile read_annotated_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return read_annotated_text(text.str(), path);
}

}  // namespace warpwise::testing
