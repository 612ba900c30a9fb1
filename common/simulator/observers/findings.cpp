#include "findings.hpp"

#include <map>
#include <tuple>

#include "source_lines.hpp"

namespace warpwise::simulator {

namespace {

/// Places without a line differ by their instruction: (file, line, kind, pc).
using Key = std::tuple<SourcePlace, FindingKind, machine::Pc>;

std::string with_count(const std::string& note, std::uint64_t count, std::uint64_t block) {
  const std::string where = "block " + std::to_string(block);
  const std::string seen =
      count == 1 ? "seen once, in " + where : "seen " + std::to_string(count) + " times, first in " + where;
  return note.empty() ? seen : note + " (" + seen + ")";
}

}  // namespace

std::vector<Finding> merge_findings(const machine::Program& program,
                                    const std::vector<const FindingLog*>& logs) {
  std::map<Key, FindingLog::Entry> merged;
  for (const FindingLog* log : logs) {
    for (const auto& [key, entry] : log->entries()) {
      const machine::Pc pc = entry.description.pc;
      const SourcePlace place = place_of(program, pc);
      FindingLog::Entry& together = merged[{place, entry.kind, place.line == 0 ? pc : 0}];
      const std::uint64_t count = together.count + entry.count;
      const auto rank = [](const FindingLog::Entry& e) { return std::tuple(e.seen, e.description.pc); };
      if (together.count == 0 || rank(entry) < rank(together)) together = entry;
      together.count = count;
    }
  }
  std::vector<Finding> findings;
  SourceTexts texts;
  for (auto& [key, entry] : merged) {
    const SourcePlace& place = std::get<SourcePlace>(key);
    if (entry.kind == FindingKind::uninitialised &&
        merged.contains({place, FindingKind::race, std::get<machine::Pc>(key)})) {
      continue;
    }
    Finding finding;
    finding.kind = entry.kind;
    finding.file = place.file;
    finding.line = place.line;
    finding.source = texts.line(place);
    finding.message = entry.description.message;
    finding.note = with_count(entry.description.note, entry.count, entry.seen.block);
    finding.help = entry.description.help;
    finding.count = entry.count;
    finding.block = entry.seen.block;
    finding.threads = entry.description.threads;
    if (entry.description.has_other) {
      const SourcePlace other = place_of(program, entry.description.other_pc);
      if (other != place) {
        finding.other_file = other.file;
        finding.other_line = other.line;
        finding.other_source = texts.line(other);
      }
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace warpwise::simulator
