/// \file Runs one whole CUDA program through `warpwise exec` and says whether all came out as the program's
/// first lines and the file NAME.expected beside it promise:
///
///     // finding: race at 14 or 12     found, on one of these lines; `a|b`: of one of these kinds; no line:
///     any
///     // also: uninitialised at 14     may be found as well
///     // arch: compute_80              where compute_75 has no such instructions
///
/// Usage: exec_check WARPWISE_CLI SCHEMA PROGRAM.cu     or a folder: all programs in it

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>

#include "../process.hpp"
#include "common/report/tests/schema.hpp"
#include "temporary_folder.hpp"

namespace {

using warpwise::report::tests::Json;
namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Expected {
  bool is_required = false;
  std::string kinds, text;  ///< "deadlock|timeout"
  std::vector<unsigned> lines;

  bool covers(const Json& finding) const {
    const std::string kind = finding["kind"];
    const bool is_kind = ("|" + kinds + "|").find("|" + kind + "|") != std::string::npos;
    return is_kind &&
           (lines.empty() || std::find(lines.begin(), lines.end(), finding["line"]) != lines.end());
  }
};

std::vector<Expected> expectations_of(const std::string& source) {
  static const std::regex header("// (finding|also): ([a-z|-]+)( at ([0-9 or]+))?");
  static const std::regex number("[0-9]+");
  std::vector<Expected> all;
  std::istringstream text(source);
  for (std::string line; std::getline(text, line) && line.starts_with("//");) {
    std::smatch found;
    if (!std::regex_search(line, found, header) || found[2] == "none") continue;
    Expected expected{found[1] == "finding", found[2], line.substr(3), {}};
    const std::string lines = found[4];
    for (std::sregex_iterator at(lines.begin(), lines.end(), number), end; at != end; ++at)
      expected.lines.push_back(static_cast<unsigned>(std::stoul(at->str())));
    all.push_back(expected);
  }
  return all;
}

std::string summary(const Json& finding) {
  return finding["kind"].get<std::string>() + " at " + finding["line"].dump() + ": " +
         finding["message"].get<std::string>();
}

std::vector<std::string> complaints_about(const Json& report, const std::vector<Expected>& expected) {
  std::vector<std::string> complaints;
  std::vector<Json> findings;
  for (const Json& launch : report["launches"])
    findings.insert(findings.end(), launch["findings"].begin(), launch["findings"].end());
  for (const Expected& one : expected)
    if (one.is_required &&
        std::none_of(findings.begin(), findings.end(), [&](const Json& f) { return one.covers(f); }))
      complaints.push_back("not found: " + one.text);
  for (const Json& finding : findings)
    if (std::none_of(expected.begin(), expected.end(),
                     [&](const Expected& one) { return one.covers(finding); }))
      complaints.push_back("found, but not expected: " + summary(finding));
  return complaints;
}

int check(const std::string& cli, const fs::path& schema, const fs::path& program) {
  const warpwise::cli::TemporaryFolder folder;
  const fs::path report_file = folder.path() / "report.json";
  const std::string source = text_of(program);
  const std::vector<Expected> expected = expectations_of(source);
  const bool is_wrong =
      std::any_of(expected.begin(), expected.end(), [](const Expected& e) { return e.is_required; });
  std::vector<std::string> command = {cli,       "exec",     program.filename().string(),
                                      "--quiet", "--report", report_file.string()};
  static const std::regex arch("\n// arch: ([a-z0-9_]+)");
  if (std::smatch found; std::regex_search(source, found, arch)) command.push_back("-arch=" + found[1].str());
  const auto result = warpwise::cli::capture_process(command, program.parent_path(), false);
  std::vector<std::string> complaints;
  if (const int status = is_wrong ? 3 : 0; result.status != status)
    complaints.push_back("exit status " + std::to_string(result.status) + ", not " + std::to_string(status));
  if (fs::path wanted = fs::path(program).replace_extension(".expected");
      fs::exists(wanted) && text_of(wanted) != result.output)
    complaints.push_back("the output is not that of " + wanted.filename().string() + ":\n" + result.output);
  if (const Json report = Json::parse(text_of(report_file), nullptr, false); report.is_discarded()) {
    complaints.push_back("there is no report");
  } else {
    for (const std::string& complaint :
         warpwise::report::tests::Schema(Json::parse(text_of(schema))).complaints(report))
      complaints.push_back("against the schema: " + complaint);
    for (const std::string& complaint : complaints_about(report, expected)) complaints.push_back(complaint);
  }
  for (const std::string& complaint : complaints)
    std::cout << program.filename().string() << ": " << complaint << "\n";
  return complaints.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4 || !fs::exists(words[3])) {
    std::cerr << "usage: exec_check WARPWISE_CLI SCHEMA PROGRAM.cu\n";
    return 2;
  }
  std::vector<fs::path> programs;
  if (fs::is_directory(words[3])) {
    for (const fs::directory_entry& entry : fs::directory_iterator(words[3]))
      if (entry.path().extension() == ".cu") programs.push_back(entry.path());
  } else {
    programs.emplace_back(words[3]);
  }
  std::sort(programs.begin(), programs.end());
  int failed = programs.empty() ? 1 : 0;
  for (const fs::path& program : programs) failed += check(words[1], words[2], fs::absolute(program));
  std::cout << programs.size() << " programs, " << failed << " not as expected\n";
  return failed == 0 ? 0 : 1;
}
