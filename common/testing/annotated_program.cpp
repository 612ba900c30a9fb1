#include "annotated_program.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
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
    static const std::regex place("( at| or| from| to) (?:([1-9])[a-z]{2} )?`([^`]+)`");
    std::string rest = text.substr(std::min(text.find(' '), text.size()));
    for (std::smatch found; !rest.empty(); rest = found.suffix()) {
      if (!std::regex_search(rest, found, place, std::regex_constants::match_continuous))
        throw std::runtime_error("cannot read '" + rest + "'");
      const std::uint32_t line = line_of(found[3], found[2].matched ? std::stoul(found[2]) : 0);
      if (found[1] == " to" && !finding.lines.empty())
        for (std::uint32_t between = finding.lines.back() + 1; between < line; ++between)
          finding.lines.push_back(between);
      finding.lines.push_back(line);
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
      std::smatch found;
      if (line == "// output:") {
        read_output();
      } else if (static const std::regex key("// ([a-z]+): (.*)"); std::regex_match(line, found, key)) {
        if (found[1] == "arch")
          file_.arch = found[2];
        else
          header_.push_back({at_, found[1], found[2]});
      } else if (static const std::regex begin("namespace ([a-z0-9_]+) \\{");
                 !header_.empty() && std::regex_match(line, found, begin)) {
        read_program(found[1]);
      }
    }
    if (file_.programs.empty())
      add_program("", {header_.empty() ? 0 : header_.back().line + 1, lines_.size()});
    if (!header_.empty()) fail(header_.front().line, "no namespace follows");
    return file_;
  }

 private:
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
