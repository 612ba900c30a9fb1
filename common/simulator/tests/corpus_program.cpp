#include "corpus_program.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>

namespace warpwise::simulator::tests {
namespace {

/// Reads `const LaunchingProgram program("NAME", {{kernel, "launch"}, ...});` of a program's source to its
/// last character.
class LaunchReader {
 public:
  LaunchReader(const std::string& source, const std::string& name) : rest_(source) {
    constexpr std::string_view begin = "const LaunchingProgram program(";
    const std::size_t at = rest_.find(begin);
    if (at == rest_.npos) throw std::runtime_error("needs a LaunchingProgram");
    rest_.remove_prefix(at + begin.size());
    if (const std::string called = literal(); called != name)
      throw std::runtime_error("the program is called " + called);
  }

  std::vector<ProgramLaunch> read() {
    std::vector<ProgramLaunch> launches;
    expect(",");
    expect("{");
    do {
      expect("{");
      ProgramLaunch launch;
      launch.kernel = kernel();
      expect(",");
      static_cast<corpus::LaunchText&>(launch) = corpus::read_launch(literal());
      expect("}");
      launches.push_back(launch);
    } while (accept(","));
    expect("});");
    if (rest_.find("LaunchingProgram") != rest_.npos) throw std::runtime_error("has two LaunchingPrograms");
    return launches;
  }

 private:
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  bool accept(std::string_view text) {
    skip_blanks();
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void expect(std::string_view text) {
    if (!accept(text))
      throw std::runtime_error("cannot read the launch at `" +
                               std::string(rest_.substr(0, rest_.find('\n'))) + "`");
  }

  /// `name` or `name<...>`.
  std::string kernel() {
    skip_blanks();
    std::size_t length = 0, depth = 0;
    for (; length < rest_.size() && (depth > 0 || rest_[length] != ','); ++length) {
      const char each = rest_[length];
      const bool closes = each == '>' && depth > 0;
      depth += each == '<';
      depth -= closes;
      if (depth == 0 && !closes && each != '_' && !std::isalnum(static_cast<unsigned char>(each))) break;
    }
    const std::string name(rest_.substr(0, length));
    rest_.remove_prefix(length);
    if (name.empty()) expect("the name of a kernel");
    return name;
  }

  /// Literals that stand side by side, joined.
  std::string literal() {
    std::string text;
    expect("\"");
    do {
      const std::size_t end = rest_.find('"');
      if (end == rest_.npos) expect("\"");
      text += rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
    } while (accept("\""));
    return text;
  }

  std::string_view rest_;
};

}  // namespace

std::vector<CorpusProgram> read_corpus_file(const std::string& path) {
  std::vector<CorpusProgram> programs;
  for (const testing::AnnotatedProgram& annotated : testing::read_annotated_file(path).programs) {
    const std::string name = path + ": " + annotated.name;
    for (const testing::ExpectedFinding& finding : annotated.findings)
      for (const std::string& kind : finding.kinds)
        if (!finding_kind_named(kind)) throw std::runtime_error(name + ": no such kind of finding: " + kind);
    if (annotated.why.empty()) throw std::runtime_error(name + ": needs `why:` above it");
    try {
      programs.push_back({annotated, LaunchReader(annotated.source, annotated.name).read()});
    } catch (const std::exception& error) {
      throw std::runtime_error(name + ": " + error.what());
    }
  }
  return programs;
}

}  // namespace warpwise::simulator::tests
