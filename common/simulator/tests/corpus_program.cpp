#include "corpus_program.hpp"

#include <regex>
#include <stdexcept>

namespace warpwise::simulator::tests {
namespace {

/// The literals of `text`, joined: "one " "two" is "one two".
std::string joined_literals(const std::string& text) {
  std::string joined;
  for (std::size_t open = text.find('"'); open != std::string::npos;) {
    const std::size_t close = text.find('"', open + 1);
    joined += text.substr(open + 1, close - open - 1);
    open = text.find('"', close + 1);
  }
  return joined;
}

std::vector<ProgramLaunch> launches_in(const std::string& source) {
  std::vector<ProgramLaunch> launches;
  static const std::regex each(R"re(\{\s*(\w+(?:<[\w, ]*>)?),\s*((?:"[^"]*"\s*)+)\})re");
  const std::size_t start = std::min(source.find("const LaunchingProgram program("), source.size());
  for (std::sregex_iterator found(source.begin() + static_cast<std::ptrdiff_t>(start), source.end(), each),
       end;
       found != end; ++found) {
    launches.push_back({corpus::read_launch(joined_literals((*found)[2])), (*found)[1]});
  }
  return launches;
}

}  // namespace

std::vector<CorpusProgram> read_corpus_file(const std::string& path) {
  std::vector<CorpusProgram> programs;
  for (const testing::AnnotatedProgram& annotated : testing::read_annotated_file(path).programs) {
    const std::string name = path + ": " + annotated.name;
    for (const testing::ExpectedFinding& finding : annotated.findings)
      for (const std::string& kind : finding.kinds)
        if (!finding_kind_named(kind)) throw std::runtime_error(name + ": no such kind of finding: " + kind);
    try {
      programs.push_back({annotated, launches_in(annotated.source)});
    } catch (const std::exception& error) {
      throw std::runtime_error(name + ": " + error.what());
    }
    if (annotated.why.empty() || programs.back().launches.empty())
      throw std::runtime_error(name + ": needs `why:` above it and a LaunchingProgram in it");
  }
  return programs;
}

}  // namespace warpwise::simulator::tests
