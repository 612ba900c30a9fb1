/// \file Runs a whole CUDA program through `warpwise exec` and says whether all came out as its file
/// promises: see common/testing/annotated_program.hpp.
///
///   exec_check link NVCC RUNTIME FILE.cu PROGRAM [LIBRARY]
///   exec_check run WARPWISE_CLI SCHEMA FILE.cu SUBJECT [NAME]
///
/// SUBJECT is what `exec` is given: the file or, where it has several programs, the PROGRAM that `link` makes
/// of it, as docs/run-without-gpu.md says; NAME is then the one that is run.

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include "common/process/process.hpp"
#include "common/testing/annotated_program.hpp"
#include "common/testing/json_schema.hpp"
#include "common/testing/temporary_folder.hpp"

namespace {

using warpwise::testing::AnnotatedFile;
using warpwise::testing::AnnotatedProgram;
using warpwise::testing::ExpectedFinding;
using warpwise::testing::Json;
namespace fs = std::filesystem;
namespace process = warpwise::process;

std::string summary(const Json& finding) {
  return finding["kind"].get<std::string>() + " at " + finding["line"].dump() + ": " +
         finding["message"].get<std::string>();
}

bool covers(const ExpectedFinding& expected, const Json& finding) {
  return expected.covers(finding["kind"].get<std::string>(), finding["line"].get<std::uint32_t>());
}

using Complaints = std::vector<std::string>;

Complaints complaints_about(const Json& report, const AnnotatedProgram& program) {
  Complaints complaints;
  std::vector<Json> findings;
  for (const Json& launch : report["launches"])
    findings.insert(findings.end(), launch["findings"].begin(), launch["findings"].end());
  for (const ExpectedFinding& expected : program.findings)
    if (expected.is_required &&
        std::none_of(findings.begin(), findings.end(), [&](const Json& f) { return covers(expected, f); }))
      complaints.push_back("not found: " + expected.text);
  for (const Json& finding : findings)
    if (std::none_of(program.findings.begin(), program.findings.end(),
                     [&](const ExpectedFinding& expected) { return covers(expected, finding); }))
      complaints.push_back("found, but not expected: " + summary(finding));
  return complaints;
}

using KindAndLine = std::pair<std::string, std::uint32_t>;

/// Every finding of the report is a result in SARIF, at the same line of the same file, and nothing else is;
/// one without a line is at the beginning of what was run.
Complaints complaints_about_sarif(const Json& sarif, const Json& report, const std::string& source,
                                  const fs::path& subject) {
  std::set<KindAndLine> wanted, given;
  Complaints complaints;
  for (const Json& launch : report["launches"])
    for (const Json& finding : launch["findings"])
      wanted.emplace(finding["kind"].get<std::string>(), std::max(finding["line"].get<std::uint32_t>(), 1u));
  for (const Json& result : sarif["runs"][0]["results"]) {
    const Json& place = result["locations"][0]["physicalLocation"];
    given.emplace(result["ruleId"].get<std::string>(), place["region"]["startLine"].get<std::uint32_t>());
    const fs::path file = place["artifactLocation"]["uri"].get<std::string>();
    if (file.filename() != fs::path(source).filename() && file.filename() != subject.filename())
      complaints.push_back("SARIF names " + file.string());
  }
  if (given != wanted) complaints.push_back("SARIF has other findings than the report");
  return complaints;
}

/// Runs `subject` (the source or the linked program) with `exec` and compares; `arguments` go behind it.
Complaints run(const std::string& cli, const fs::path& schema, const AnnotatedProgram& program,
               const fs::path& subject, const std::string& source,
               const std::vector<std::string>& arguments) {
  const warpwise::testing::TemporaryFolder folder;
  const fs::path report_file = folder.path() / "report.json", sarif_file = folder.path() / "report.sarif";
  std::vector<std::string> command = {cli,
                                      "exec",
                                      subject.filename().string(),
                                      "--quiet",
                                      "--report",
                                      report_file.string(),
                                      "--sarif",
                                      sarif_file.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto result = process::run({command, subject.parent_path(), process::Keeps::output});
  Complaints complaints;
  if (const int status = program.is_wrong() ? 3 : 0; result.status != status)
    complaints.push_back("exit status " + std::to_string(result.status) + ", not " + std::to_string(status));
  if (program.output && *program.output != result.output)
    complaints.push_back("the output is not what the file says:\n" + result.output);
  const Json report = Json::parse(warpwise::text::text_or_nothing(report_file), nullptr, false);
  if (report.is_discarded()) {
    complaints.push_back("there is no report");
    return complaints;
  }
  for (const std::string& complaint :
       warpwise::testing::JsonSchema(Json::parse(warpwise::text::read_text(schema))).complaints(report))
    complaints.push_back("against the schema: " + complaint);
  for (const std::string& complaint : complaints_about(report, program)) complaints.push_back(complaint);
  const Json sarif = Json::parse(warpwise::text::text_or_nothing(sarif_file), nullptr, false);
  if (sarif.is_discarded()) complaints.push_back("there is no SARIF");
  if (!sarif.is_discarded())
    for (const std::string& complaint : complaints_about_sarif(sarif, report, source, subject))
      complaints.push_back(complaint);
  return complaints;
}

int link(const std::vector<std::string>& words) {
  const std::string arch = warpwise::testing::read_annotated_file(words[2]).arch;
  // The macro is of <cooperative_groups.h>: without <cuda/atomic>, which takes nvcc five seconds.
  std::vector<std::string> command = {words[0],
                                      "-cudart=none",
                                      "--no-compress",
                                      "-lineinfo",
                                      "-D_CG_LIMIT_INCLUDED_DEPENDENCIES",
                                      "-arch=" + (arch.empty() ? "compute_75" : arch),
                                      words[2],
                                      "-o",
                                      words[3]};
  command.insert(command.end(), words.begin() + 4, words.end());
  command.push_back(words[1]);
  const auto result = process::run({.words = command, .keeps = process::Keeps::all});
  std::cout << result.output;
  return result.status == 0 ? 0 : 1;
}

int check(const std::vector<std::string>& words, const std::string& name) {
  const AnnotatedFile file = warpwise::testing::read_annotated_file(words[2]);
  const auto program = std::find_if(file.programs.begin(), file.programs.end(),
                                    [&](const AnnotatedProgram& each) { return each.name == name; });
  if (program == file.programs.end()) throw std::runtime_error(words[2] + " has no program '" + name + "'");
  std::vector<std::string> arguments;
  if (words[2] == words[3] && !file.arch.empty()) arguments.push_back("-arch=" + file.arch);
  // Ends an endless loop in a tenth of a second; the other wrong programs need a thousandth of it.
  if (program->is_wrong()) arguments.insert(arguments.end(), {"--budget", "4000000"});
  if (!name.empty()) arguments.insert(arguments.end(), {"--", name});
  const Complaints complaints =
      run(words[0], words[1], *program, fs::absolute(words[3]), words[2], arguments);
  for (const std::string& complaint : complaints) std::cout << name << ": " << complaint << "\n";
  return complaints.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** given) {
  const std::vector<std::string> words(given + 1, given + count);
  try {
    if ((count == 6 || count == 7) && words[0] == "link") return link({words.begin() + 1, words.end()});
    if ((count == 6 || count == 7) && words[0] == "run")
      return check({words.begin() + 1, words.begin() + 5}, count == 7 ? words[5] : "");
  } catch (const std::exception& error) {
    std::cerr << "exec_check: " << error.what() << "\n";
    return 1;
  }
  std::cerr << "usage: exec_check run WARPWISE_CLI SCHEMA FILE.cu SUBJECT [NAME]\n"
               "       exec_check link NVCC RUNTIME FILE.cu PROGRAM [LIBRARY]\n";
  return 2;
}
