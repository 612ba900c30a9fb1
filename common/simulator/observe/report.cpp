#include <algorithm>

#include "../report.hpp"

namespace warpwise::simulator {

double Counters::lane_utilisation() const {
  if (warp_instructions == 0) return 0;
  return static_cast<double>(thread_instructions) / (32.0 * static_cast<double>(warp_instructions));
}

Counters& Counters::operator+=(const Counters& other) {
  for (const CounterField& field : counter_fields) this->*field.member += other.*field.member;
  return *this;
}

// The text of a finding, as a student reads it.

namespace {

FindingLine excerpt(std::uint32_t line, const std::string& source) {
  std::string number = std::to_string(line);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
  const std::size_t start = std::min(source.find_first_not_of(" \t"), source.size());
  return {number + " |     ", source.substr(start), false};
}

FindingLine note(const std::string& text) { return {"      = ", text, true}; }

}  // namespace

std::optional<FindingKind> finding_kind_named(std::string_view name) {
  const auto found = std::find(std::begin(finding_kind_names), std::end(finding_kind_names), name);
  if (found == std::end(finding_kind_names)) return std::nullopt;
  return static_cast<FindingKind>(found - std::begin(finding_kind_names));
}

std::vector<FindingLine> lines_of(const Finding& finding) {
  const std::string place = finding.line == 0 ? "" : finding.file + ":" + std::to_string(finding.line) + ": ";
  std::vector<FindingLine> lines = {
      {"", place + std::string(name_of(finding.kind)) + ": " + finding.message, false}};
  const bool is_same_file = finding.other_file == finding.file;
  const bool comes_first = is_same_file && finding.other_line < finding.line;
  const bool has_other = finding.other_line != 0 && is_same_file && !finding.other_source.empty();
  if (has_other && comes_first) lines.push_back(excerpt(finding.other_line, finding.other_source));
  if (!finding.source.empty()) lines.push_back(excerpt(finding.line, finding.source));
  if (has_other && !comes_first) lines.push_back(excerpt(finding.other_line, finding.other_source));
  if (!finding.note.empty()) lines.push_back(note(finding.note));
  if (finding.other_line != 0 && !is_same_file)
    lines.push_back(
        note("the other side is " + finding.other_file + ":" + std::to_string(finding.other_line)));
  if (!finding.help.empty()) lines.push_back(note("help: " + finding.help));
  return lines;
}

std::string format(const Finding& finding) {
  std::string text;
  for (const FindingLine& line : lines_of(finding))
    text += (text.empty() ? "" : "\n") + line.mark + line.text;
  return text;
}

}  // namespace warpwise::simulator
