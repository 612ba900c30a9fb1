// A finding: of a race the two accesses and the order that is missing between them; of any other the lanes
// that were there, and those that were not.

#include <algorithm>
#include <ostream>

#include "terminal.hpp"
#include "views.hpp"

namespace warpwise::print {

using simulator::Finding;

namespace {

void draw_side(Drawing& drawing, double x, double y, const RaceSide& side) {
  drawing.rect("event", x, y, 330, 44);
  drawing.text("sentence", x + 10, y + 18, "thread " + std::to_string(side.thread) + ' ' + side.does);
  drawing.text("faint", x + 10, y + 36, side.where);
}

double draw_race(Drawing& drawing, double y, const Evidence& evidence) {
  const auto& [first, second] = *evidence.sides;
  const std::uint32_t right = std::max(first.thread, second.thread);
  const auto x_of = [&](const RaceSide& side) { return side.thread < right ? 10.0 : 380.0; };
  drawing.text("faint", 0, y + 12, "The last point that both have passed: " + evidence.last_order);
  drawing.line("barrier", 0, y + 20, Drawing::width, y + 20);
  draw_side(drawing, x_of(first), y + 34, first);
  drawing.path("defect dotted", "M0 " + number(y + 112) + "H" + number(Drawing::width));
  drawing.text("missing", 0, y + 104, "✕ Nothing here puts one before the other.");
  draw_side(drawing, x_of(second), y + 126, second);
  drawing.text("small", 0, y + 190, "This was the order in this run; another run may differ.");
  return y + 196;
}

double draw_rows(Drawing& drawing, double y, const std::vector<LaneRow>& rows) {
  for (const LaneRow& row : rows) {
    if (row.heading.empty()) {
      y += 4;
    } else {
      drawing.text("faint", 0, y + 12, row.heading + ':');
      y += 22;
    }
    draw_lane_row(drawing, y, row.name, row.lanes);
    y += lane_width;
    if (row.crossed != 0) {
      for (const std::uint32_t lane : lanes_of(row.crossed))
        drawing.text("cell missing", middle_of(lane), y + 13, "✕");
      drawing.text("missing", 0, y + 13, row.crossed_name);
      y += 14;
    }
    y += 6;
  }
  return y;
}

void draw_line_of(Drawing& drawing, double y, std::uint32_t line, const std::string& source) {
  drawing.text("faint", 0, y, std::to_string(line));
  drawing.code(40, y, std::string(unindented(source)));
}

/// The first finding, or that of the moment's line.
std::string draw_finding(Drawing& drawing, double y, const report::TracedLaunch& traced,
                         const Moment& moment) {
  const std::vector<Finding>& findings = traced.launch.report.findings;
  const auto at_line = [&](const Finding& finding) {
    return moment.place.empty() || std::to_string(finding.line) == moment.place ||
           finding.source.find(moment.place) != std::string::npos;
  };
  const auto finding = std::find_if(findings.begin(), findings.end(), at_line);
  if (finding == findings.end())
    throw NothingToDraw(findings.empty() ? "The run has no finding."
                                         : "No finding is at line " + moment.place + ".");
  y = drawing.paragraph("missing", 0, y + 12,
                        "✕ " + std::string(name_of(finding->kind)) + ": " + finding->message);
  draw_line_of(drawing, y += 20, finding->line, finding->source);
  if (finding->other_line != 0 && finding->other_line != finding->line)
    draw_line_of(drawing, y += 18, finding->other_line, finding->other_source);
  y += 16;
  const Evidence evidence = evidence_of(traced, *finding);
  if (evidence.sides)
    y = draw_race(drawing, y, evidence);
  else if (evidence.step)
    y = draw_rows(drawing, y, evidence.rows);
  else
    drawing.text("faint", 0, y += 12, evidence.sentence);
  drawing.paragraph("", 0, y + 18, "help: " + finding->help);
  return finding->message + "; " + finding->note + ". Help: " + finding->help;
}

void print_findings(std::ostream& out, const report::TracedLaunch& traced, const Moment&) {
  for (const Finding& finding : traced.launch.report.findings) out << '\n' << format(finding) << '\n';
}

}  // namespace

extern constinit const View finding_view{"finding", draw_finding, print_findings};

}  // namespace warpwise::print
