/// \file Runs the whole CUDA programs of one file through `warpwise exec` and says whether all came out as
/// the file promises of itself: see common/testing/annotated_program.hpp.
///
/// Usage: exec_check WARPWISE_CLI SCHEMA FILE.cu NVCC RUNTIME
///
/// A file of several programs (simulator/tests/corpus) is compiled once, by hand as docs/run-without-gpu.md
/// says, and `exec` runs that program again and again; else, and where the file asks for an architecture,
/// `exec` compiles as well.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "../process.hpp"
#include "common/report/tests/schema.hpp"
#include "common/testing/annotated_program.hpp"
#include "temporary_folder.hpp"

namespace {

using warpwise::report::tests::Json;
using warpwise::testing::AnnotatedFile;
using warpwise::testing::AnnotatedProgram;
using warpwise::testing::ExpectedFinding;
namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

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

/// What the command line gave.
struct Tools {
  std::string cli;
  fs::path schema;
  std::string nvcc, runtime;
};

/// Runs `subject` (a source or a program) with `exec` and compares; `arguments` go behind it.
Complaints run(const Tools& tools, const AnnotatedFile& file, const AnnotatedProgram& program,
               const fs::path& subject, const std::vector<std::string>& arguments) {
  const warpwise::cli::TemporaryFolder folder;
  const fs::path report_file = folder.path() / "report.json";
  std::vector<std::string> command = {tools.cli, "exec",     subject.filename().string(),
                                      "--quiet", "--report", report_file.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto result = warpwise::cli::capture_process(command, subject.parent_path(), false);
  Complaints complaints;
  if (const int status = program.is_wrong() ? 3 : 0; result.status != status)
    complaints.push_back("exit status " + std::to_string(result.status) + ", not " + std::to_string(status));
  if (file.output && *file.output != result.output)
    complaints.push_back("the output is not what the file says:\n" + result.output);
  const Json report = Json::parse(text_of(report_file), nullptr, false);
  if (report.is_discarded()) {
    complaints.push_back("there is no report");
    return complaints;
  }
  for (const std::string& complaint :
       warpwise::report::tests::Schema(Json::parse(text_of(tools.schema))).complaints(report))
    complaints.push_back("against the schema: " + complaint);
  for (const std::string& complaint : complaints_about(report, program)) complaints.push_back(complaint);
  return complaints;
}

/// The file as a program for the simulated GPU.
fs::path link(const Tools& tools, const fs::path& source, const fs::path& folder) {
  const fs::path program = folder / source.stem();
  const auto result = warpwise::cli::capture_process({tools.nvcc, "-cudart=none", "--no-compress",
                                                      "-lineinfo", "-O3", "-arch=compute_75", source.string(),
                                                      "-o", program.string(), tools.runtime});
  if (result.status != 0) throw std::runtime_error("nvcc does not compile it:\n" + result.output);
  return program;
}

/// The number of programs that are not as expected.
std::size_t check(const Tools& tools, const fs::path& source) {
  const AnnotatedFile file = warpwise::testing::read_annotated_file(source.string());
  const warpwise::cli::TemporaryFolder folder;
  const bool is_linked_here = file.programs.size() > 1 && file.arch.empty();
  const fs::path subject = is_linked_here ? link(tools, source, folder.path()) : source;
  std::size_t failed = 0;
  for (const AnnotatedProgram& program : file.programs) {
    std::vector<std::string> arguments;
    if (!file.arch.empty()) arguments.push_back("-arch=" + file.arch);
    // Ends an endless loop in a tenth of a second; the right programs need a thousandth of it.
    if (!program.name.empty()) arguments.insert(arguments.end(), {"--budget", "4000000", "--", program.name});
    const Complaints complaints = run(tools, file, program, subject, arguments);
    for (const std::string& complaint : complaints)
      std::cout << source.filename().string() << ": " << program.name << ": " << complaint << "\n";
    failed += complaints.empty() ? 0 : 1;
  }
  std::cout << file.programs.size() << " programs, " << failed << " not as expected\n";
  return failed;
}

}  // namespace

int main(int count, char** words) {
  if (count != 6 || !fs::exists(words[3])) {
    std::cerr << "usage: exec_check WARPWISE_CLI SCHEMA FILE.cu NVCC RUNTIME\n";
    return 2;
  }
  try {
    return check({words[1], words[2], words[4], words[5]}, fs::absolute(words[3])) == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "exec_check: " << error.what() << "\n";
    return 1;
  }
}
