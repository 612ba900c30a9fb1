#pragma once
/// \file A report as other programs show it: on the lines of a pull request (SARIF), as a table of tests
/// (JUnit). The same report, in the same folder, gives the same text, save the times of JUnit.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>

#include "report.hpp"

namespace warpwise::report {

/// What a report does not say of its run.
struct RunOfProgram {
  std::string program;           ///< a file: where a finding is shown that has no line
  std::filesystem::path folder;  ///< in which it was run: files below it are named from there
  std::string failure = {};      ///< "ended with status 1"; empty where it failed by nothing but its findings
};

/// What a kind of finding is, in one sentence, with which its row in docs/findings.md begins.
std::string_view sentence_about(simulator::FindingKind kind);

/// What findings of several launches have in common that are one mistake. Ascending by file, line and kind.
/// Out of bounds is told apart by its help: an index too large and memory that has been freed are two
/// mistakes in one line.
using MistakeKey = std::tuple<std::string, std::uint32_t, simulator::FindingKind, std::string>;
MistakeKey mistake_of(const simulator::Finding& finding);

/// SARIF 2.1.0: one result for each mistake, however many launches had it.
std::string sarif_of(const Report& report, const RunOfProgram& run);

/// JUnit's XML: a case for each kernel that was launched, and one for the program.
std::string junit_of(const Report& report, const RunOfProgram& run);

}  // namespace warpwise::report
