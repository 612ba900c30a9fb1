#include "corpus_program.hpp"

#include <sstream>
#include <stdexcept>

namespace warpwise::simulator::tests {
namespace {

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  while (true) {
    const std::size_t to = text.find(separator, from);
    parts.push_back(text.substr(from, to - from));
    if (to == std::string::npos) return parts;
    from = to + separator.size();
  }
}

machine::Dim3 read_dim(const std::string& text) {
  const auto parts = split(text, "x");
  machine::Dim3 dim;
  std::uint32_t* members[] = {&dim.x, &dim.y, &dim.z};
  for (std::size_t i = 0; i < parts.size() && i < 3; ++i) {
    *members[i] = static_cast<std::uint32_t>(std::stoul(parts[i]));
  }
  return dim;
}

ProgramLaunch read_launch(const std::string& text) {
  ProgramLaunch launch;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (key == "kernel")
      launch.kernel = value;
    else if (key == "grid")
      launch.grid = read_dim(value);
    else if (key == "block")
      launch.block = read_dim(value);
    else if (key == "shared")
      launch.shared_bytes = static_cast<std::uint32_t>(std::stoul(value));
    else if (key == "cooperative")
      launch.is_cooperative = value == "yes";
    else if (key == "args")
      launch.arguments = split(value, ",");
    else
      throw std::runtime_error("no such word in a launch: " + word);
  }
  return launch;
}

}  // namespace

std::vector<CorpusProgram> read_corpus_file(const std::string& path) {
  std::vector<CorpusProgram> programs;
  for (const testing::AnnotatedProgram& annotated : testing::read_annotated_file(path).programs) {
    CorpusProgram program{annotated, {}};
    const std::string name = path + ": " + annotated.name;
    if (annotated.why.empty() || annotated.launches.empty())
      throw std::runtime_error(name + ": the header needs `why:` and `launch:`");
    for (const testing::ExpectedFinding& finding : annotated.findings)
      for (const std::string& kind : finding.kinds)
        if (!finding_kind_named(kind)) throw std::runtime_error(name + ": no such kind of finding: " + kind);
    for (const std::string& text : annotated.launches) {
      try {
        program.launches.push_back(read_launch(text));
      } catch (const std::exception& error) {
        throw std::runtime_error(name + ": " + error.what());
      }
    }
    programs.push_back(program);
  }
  return programs;
}

}  // namespace warpwise::simulator::tests
