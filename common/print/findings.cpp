#include <algorithm>
#include <utility>

#include "terminal.hpp"

namespace warpwise::print {

std::string finding_on_screen(const simulator::Finding& finding, std::size_t indent, Lines lines) {
  std::string text;
  for (const simulator::FindingLine& line : simulator::lines_of(finding)) {
    const std::size_t column = indent + line.mark.size();
    text += std::string(indent, ' ') + line.mark +
            fitted(line.text, column, column + (line.is_note ? 0 : 4), line.is_note ? Lines::broken : lines) +
            '\n';
  }
  return text;
}

std::string headline(const simulator::Finding& finding) {
  std::string text = std::string(simulator::name_of(finding.kind)) + ": " + finding.message;
  if (finding.line == 0) return text;
  const auto slash = finding.file.rfind('/');
  const std::string file = slash == std::string::npos ? finding.file : finding.file.substr(slash + 1);
  return file + ":" + std::to_string(finding.line) + ": " + text;
}

std::string kinds_and_lines(const std::vector<simulator::Finding>& findings) {
  std::vector<std::pair<std::string, std::vector<std::string>>> lines_by_kind;
  for (const simulator::Finding& finding : findings) {
    const std::string kind(simulator::name_of(finding.kind));
    auto entry = std::find_if(lines_by_kind.begin(), lines_by_kind.end(),
                              [&](const auto& known) { return known.first == kind; });
    if (entry == lines_by_kind.end()) entry = lines_by_kind.insert(entry, {kind, {}});
    if (finding.line != 0) entry->second.push_back(std::to_string(finding.line));
  }
  std::string text;
  for (const auto& [kind, lines] : lines_by_kind) {
    text += (text.empty() ? "" : ", ") + kind;
    for (std::size_t i = 0; i < lines.size(); ++i)
      text += (i == 0 ? (lines.size() == 1 ? " at line " : " at lines ")
                      : (i + 1 == lines.size() ? " and " : ", ")) +
              lines[i];
  }
  return text;
}

}  // namespace warpwise::print
