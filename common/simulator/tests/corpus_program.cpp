#include "corpus_program.hpp"

#include <algorithm>
#include <fstream>
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

const std::vector<std::string>& known_kinds() {
  static const std::vector<std::string> kinds = {"race",          "barrier",    "sync",    "out-of-bounds",
                                                 "misaligned",    "deadlock",   "timeout", "launch",
                                                 "uninitialised", "unsupported"};
  return kinds;
}

ExpectedFinding read_finding(const std::string& text) {
  ExpectedFinding finding;
  finding.text = text;
  const auto parts = split(text, " at ");
  finding.kinds = split(parts[0], "|");
  for (const std::string& kind : finding.kinds) {
    if (std::find(known_kinds().begin(), known_kinds().end(), kind) == known_kinds().end()) {
      throw std::runtime_error("no such kind of finding: " + kind);
    }
  }
  if (parts.size() > 1) {
    for (const std::string& line : split(parts[1], " or ")) {
      finding.lines.push_back(static_cast<std::uint32_t>(std::stoul(line)));
    }
  }
  return finding;
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

bool ExpectedFinding::covers(const Finding& finding) const {
  const auto kind = std::string(name_of(finding.kind));
  const bool is_kind = std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  return is_kind && (lines.empty() || std::find(lines.begin(), lines.end(), finding.line) != lines.end());
}

CorpusProgram read_corpus_program(const std::string& path) {
  std::ifstream file(path);
  CorpusProgram program;
  program.path = path;
  bool is_right = false;
  std::uint32_t number = 0;
  for (std::string line; std::getline(file, line) && line.rfind("// ", 0) == 0;) {
    ++number;
    const std::size_t colon = line.find(": ");
    const std::string key = line.substr(3, colon - 3);
    const std::string value = colon == std::string::npos ? "" : line.substr(colon + 2);
    try {
      if (key == "finding" && value == "none")
        is_right = true;
      else if (key == "finding")
        program.required.push_back(read_finding(value));
      else if (key == "also")
        program.permitted.push_back(read_finding(value));
      else if (key == "why")
        program.why = value;
      else if (key == "launch")
        program.launches.push_back(read_launch(value));
      else if (key != "arch")  // for who compiles it
        throw std::runtime_error("no such key: " + key);
    } catch (const std::exception& error) {
      throw std::runtime_error(path + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  if (is_right != program.required.empty()) {
    throw std::runtime_error(path + ": says neither or both of `finding: none` and a finding");
  }
  if (program.why.empty() || program.launches.empty()) {
    throw std::runtime_error(path + ": the header needs `why:` and `launch:`");
  }
  return program;
}

}  // namespace warpwise::simulator::tests
