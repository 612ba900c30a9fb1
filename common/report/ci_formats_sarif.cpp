/// \file SARIF 2.1.0, https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html; the numbers of
/// sections are its.

#include <map>
#include <utility>
#include <vector>

#include "ci_formats.hpp"
#include "json_members.hpp"

namespace warpwise::report {

namespace fs = std::filesystem;
using simulator::Finding;

namespace {

constexpr std::string_view sentences[] = {
    "two threads access one place, at least one of them writes, and the program guarantees no order",
    "a block barrier that part of the block never reaches, that opens with threads at different lines, or "
    "that some threads skip",
    "a `__…_sync` mask that names a lane that never arrives, or that leaves out its caller; a shuffle from a "
    "lane that takes no part",
    "an access outside every allocation, to freed memory, beyond a shared variable or local memory, or "
    "through a null pointer",
    "an address that is not a multiple of the access's size",
    "something depends on a value that was never set, in memory or in a register",
    "every remaining thread is waiting for another",
    "a loop that changes nothing goes round for ever, or the budget is used up",
    "a trap, a failed `assert`, too much local memory",
    "an instruction that the simulated GPU does not know"};
static_assert(std::size(sentences) == std::size(simulator::finding_kind_names));

/// A finding as often as all launches had it.
struct Mistake {
  Finding finding;  ///< of the first launch
  std::string kernel;
  std::uint64_t count = 0;
};

std::vector<Mistake> mistakes_of(const Report& report) {
  std::map<MistakeKey, Mistake> mistakes;
  for (const Launch& launch : report.launches)
    for (const Finding& finding : launch.report.findings) {
      const auto fresh = Mistake{finding, launch.report.kernel};
      Mistake& mistake = mistakes.try_emplace(mistake_of(finding), fresh).first->second;
      mistake.count += finding.count;
      mistake.finding.follows = mistake.finding.follows && finding.follows;
    }
  std::vector<Mistake> all;
  for (auto& [key, mistake] : mistakes) all.push_back(std::move(mistake));
  return all;
}

/// Of RFC 3986, with the folders' slashes.
std::string percent_encoded(const std::string& path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string uri;
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
    const auto byte = static_cast<unsigned char>(c);
    uri += is_plain ? std::string(1, c) : std::string{'%', digits[byte / 16], digits[byte % 16]};
  }
  return uri;
}

/// 3.4. A file that is not below the folder, a header of the toolkit for example, has its whole path.
Json artifact_at(const std::string& file, const fs::path& folder) {
  std::error_code none;
  const fs::path base = fs::weakly_canonical(folder, none);
  const fs::path path = fs::weakly_canonical(base / file, none);
  const fs::path relative = path.lexically_relative(base);
  if (relative.empty() || *relative.begin() == "..")
    return {{"uri", "file://" + percent_encoded(path.string())}};
  return {{"uri", percent_encoded(relative.string())}, {"uriBaseId", "%SRCROOT%"}};
}

/// 3.29
Json physical_location(const std::string& file, std::uint32_t line, const std::string& source,
                       const fs::path& folder) {
  Json region = {{"startLine", line}};
  if (!source.empty()) region["snippet"] = {{"text", source}};
  return {{"artifactLocation", artifact_at(file, folder)}, {"region", region}};
}

std::string message_of(const Finding& finding) {
  std::string text = finding.message + ".";
  if (!finding.note.empty()) text += "\n" + finding.note;
  if (!finding.help.empty()) text += "\nhelp: " + finding.help;
  return text;
}

/// 3.27. What follows from another finding is a note, so that nobody mends it first.
Json result_of(const Mistake& mistake, const RunOfProgram& run) {
  const Finding& finding = mistake.finding;
  const bool has_place = finding.line != 0 && !finding.file.empty();
  const bool is_ours = finding.kind == FindingKind::unsupported;
  Json location = {{"physicalLocation",
                    has_place ? physical_location(finding.file, finding.line, finding.source, run.folder)
                              : physical_location(run.program, 1, "", run.folder)}};
  if (!mistake.kernel.empty())
    location["logicalLocations"] =
        Json::array({{{"fullyQualifiedName", mistake.kernel}, {"kind", "function"}}});
  Json result = {{"ruleId", std::string(name_of(finding.kind))},
                 {"ruleIndex", static_cast<int>(finding.kind)},
                 {"level", finding.follows ? "note"
                           : is_ours       ? "warning"
                                           : "error"},
                 {"message", {{"text", message_of(finding)}}},
                 {"locations", Json::array({location})}};
  if (finding.other_line != 0)
    result["relatedLocations"] = Json::array(
        {{{"id", 1},
          {"physicalLocation",
           physical_location(finding.other_file, finding.other_line, finding.other_source, run.folder)},
          {"message", {{"text", finding.kind == FindingKind::race ? "the other access" : "see also"}}}}});
  if (mistake.count != 0) result["occurrenceCount"] = mistake.count;
  return result;
}

}  // namespace

std::string_view sentence_about(FindingKind kind) { return sentences[static_cast<std::size_t>(kind)]; }

MistakeKey mistake_of(const Finding& finding) {
  const bool has_causes = finding.kind == FindingKind::out_of_bounds;
  return {finding.file, finding.line, finding.kind,
          finding.line == 0 ? finding.message
          : has_causes      ? finding.help
                            : ""};
}

std::string sarif_of(const Report& report, const RunOfProgram& run) {
  Json rules = Json::array();
  for (const std::string_view name : simulator::finding_kind_names) {
    const std::string sentence(sentence_about(*simulator::finding_kind_named(name)));
    rules.push_back({{"id", std::string(name)}, {"shortDescription", {{"text", sentence + "."}}}});
  }
  Json results = Json::array();
  for (const Mistake& mistake : mistakes_of(report)) results.push_back(result_of(mistake, run));
  const Json driver = {{"name", "Warpwise"}, {"version", WARPWISE_VERSION}, {"rules", rules}};
  const Json invocation = {{"executionSuccessful", run.failure.empty()}};
  // GitHub takes several files for one commit if each names another: what stands before the last slash.
  const std::string id = "warpwise/" + artifact_at(run.program, run.folder)["uri"].get<std::string>() + "/";
  const Json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                         {"version", "2.1.0"},
                         {"runs", Json::array({{{"tool", {{"driver", driver}}},
                                                {"automationDetails", {{"id", id}}},
                                                {"invocations", Json::array({invocation})},
                                                {"results", results}}})}};
  return text_of(document) + "\n";
}

}  // namespace warpwise::report
