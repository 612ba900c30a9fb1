/// \file JUnit's XML, as far as all that read it agree: testsuites, testsuite, testcase, failure.

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "ci_formats.hpp"

namespace warpwise::report {

namespace {

struct Case {
  std::string name;
  double seconds = 0;
  std::string headline = {}, type = {}, text = {};  ///< of its failures; none where the headline is empty
  std::set<MistakeKey> mistakes = {};               ///< that are in the text

  void fail(const std::string& first_line, std::string_view kind, const std::string& whole) {
    if (headline.empty()) {
      headline = first_line;
      type = kind;
    }
    text += whole + "\n";
  }
};

/// XML 1.0 has no way to write most control characters, and UTF-8 alone is its text: what is neither is left
/// out. In an attribute a new line would become a blank.
std::string escaped(std::string_view text, bool is_attribute = true) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length = c < 0x80 ? 1 : c >= 0xF0 && c < 0xF5 ? 4 : c >= 0xE0 ? 3 : c >= 0xC2 ? 2 : 0;
    const auto continues = [](char each) { return (static_cast<unsigned char>(each) & 0xC0) == 0x80; };
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (c == '\n' || c == '\t') {
      result += is_attribute ? "&#" + std::to_string(c) + ";" : std::string(1, text[i]);
    } else if (length == 1 && c >= 0x20 && c != 0x7F) {
      result += text[i];
    } else if (length > 1 && i + length <= text.size() && c < 0xF5 &&
               std::all_of(text.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                           text.begin() + static_cast<std::ptrdiff_t>(i + length), continues)) {
      result += text.substr(i, length);
      i += length - 1;
    }
  }
  return result;
}

void add(const Launch& launch, std::vector<Case>& cases) {
  auto at = std::find_if(cases.begin(), cases.end(),
                         [&](const Case& each) { return each.name == launch.report.kernel; });
  if (at == cases.end()) at = cases.insert(at, Case{launch.report.kernel});
  at->seconds += launch.report.seconds;
  for (const simulator::Finding& finding : launch.report.findings) {
    if (!at->mistakes.insert(mistake_of(finding)).second) continue;
    const std::string text = format(finding);
    at->fail(text.substr(0, text.find('\n')), name_of(finding.kind), text);
  }
}

std::string xml_of(const Case& each, const std::string& program) {
  char time[32];
  std::snprintf(time, sizeof time, "%.3f", each.seconds);
  const std::string start = "    <testcase classname=\"" + escaped(program) + "\" name=\"" +
                            escaped(each.name) + "\" time=\"" + time + "\"";
  if (each.headline.empty()) return start + "/>\n";
  return start + ">\n      <failure message=\"" + escaped(each.headline) + "\" type=\"" + escaped(each.type) +
         "\">" + escaped(each.text, false) + "</failure>\n    </testcase>\n";
}

}  // namespace

std::string junit_of(const Report& report, const RunOfProgram& run) {
  std::vector<Case> cases;
  for (const Launch& launch : report.launches) add(launch, cases);
  Case& program = cases.emplace_back(Case{"the program"});
  if (!run.failure.empty()) program.fail(run.failure, "program", run.program + " " + run.failure);
  const auto failed =
      std::count_if(cases.begin(), cases.end(), [](const Case& each) { return !each.headline.empty(); });
  const std::string counts =
      " tests=\"" + std::to_string(cases.size()) + "\" failures=\"" + std::to_string(failed) + "\"";
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"Warpwise\"" + counts +
                     ">\n  <testsuite name=\"" + escaped(run.program) + "\"" + counts + ">\n";
  for (const Case& each : cases) text += xml_of(each, run.program);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace warpwise::report
