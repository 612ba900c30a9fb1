#include "findings.hpp"

#include <map>
#include <tuple>

#include "../program.hpp"

namespace warpwise::simulator::observe {

namespace {

/// Where a whole function has no line, places differ by their instruction: (file, line, kind, pc).
using Key = std::tuple<SourcePlace, FindingKind, Pc>;

struct Merged {
  FindingLog::Entry entry;
  bool is_near = false;  ///< the compiler names no line for it: it bears a neighbour's
};

std::string with_count(const std::string& note, std::uint64_t count, std::uint64_t block) {
  const std::string where = "block " + std::to_string(block);
  const std::string seen =
      count == 1 ? "seen once, in " + where : "seen " + std::to_string(count) + " times, first in " + where;
  return note.empty() ? seen : note + " (" + seen + ")";
}

Finding without_count(const Program& program, const FindingLog::Entry& entry, const SourcePlace& place,
                      bool is_near, SourceTexts& texts) {
  Finding finding;
  finding.kind = entry.kind;
  finding.file = place.file;
  finding.line = place.line;
  finding.source = texts.line(place);
  finding.message = (is_near ? "near this line: " : "") + entry.description.message;
  finding.note = entry.description.note;
  finding.help = entry.description.help;
  finding.count = 1;
  finding.block = entry.seen.block;
  finding.threads = entry.description.threads;
  if (!entry.description.has_other) return finding;
  const SourcePlace other = near_place_of(program, entry.description.other_pc).place;
  if (other != place) {
    finding.other_file = other.file;
    finding.other_line = other.line;
    finding.other_source = texts.line(other);
  }
  return finding;
}

}  // namespace

Finding first_seen(const Program& program, const FindingLog::Entry& entry) {
  const auto [place, is_near] = near_place_of(program, entry.description.pc);
  SourceTexts texts;
  return without_count(program, entry, place, is_near, texts);
}

std::vector<Finding> merge_findings(const Program& program, const std::vector<const FindingLog*>& logs) {
  std::map<Key, Merged> merged;
  for (const FindingLog* log : logs) {
    for (const auto& [key, entry] : log->entries()) {
      const Pc pc = entry.description.pc;
      const auto [place, is_near] = near_place_of(program, pc);
      Merged& together = merged[{place, entry.kind, place.line == 0 ? pc : 0}];
      const auto rank = [&](const FindingLog::Entry& e, bool is_beside) {
        return std::tuple(is_beside, e.seen, e.description.pc);
      };
      const std::uint64_t count = together.entry.count + entry.count;
      if (together.entry.count == 0 || rank(entry, is_near) < rank(together.entry, together.is_near))
        together = {entry, is_near};
      together.entry.count = count;
    }
  }
  std::vector<Finding> findings;
  SourceTexts texts;
  for (auto& [key, of_line] : merged) {
    const FindingLog::Entry& entry = of_line.entry;
    const SourcePlace& place = std::get<SourcePlace>(key);
    if (entry.kind == FindingKind::uninitialised &&
        merged.contains({place, FindingKind::race, std::get<Pc>(key)})) {
      continue;
    }
    Finding finding = without_count(program, entry, place, of_line.is_near, texts);
    finding.note = with_count(entry.description.note, entry.count, entry.seen.block);
    finding.count = entry.count;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace warpwise::simulator::observe
