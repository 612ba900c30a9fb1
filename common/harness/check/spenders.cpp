#include "spenders.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "../../simulator/observers/source_lines.hpp"
#include "expectations.hpp"

namespace warpwise::harness {

namespace {

using simulator::LaunchReport;
using simulator::LineCounters;

constexpr std::size_t most_lines = 3;

/// "24 of the 32", or "75 % of them".
std::string share_text(double share, double whole, std::optional<double> pieces) {
  if (pieces) return detail::text_of(share / *pieces) + " of the " + detail::text_of(whole / *pieces);
  return detail::text_of(std::round(100 * share / whole)) + " % of them";
}

/// The lines that spend most of `counter`; `text(share)` says what of it a line spends.
template <class Text>
std::vector<report::LineShare> top_lines(const LaunchReport& launch, const Counter& counter, Text text) {
  std::vector<const LineCounters*> lines;
  for (const LineCounters& line : launch.lines)
    if (counter.in(line.counters) > 0) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(), [&](const LineCounters* a, const LineCounters* b) {
    return counter.in(a->counters) > counter.in(b->counters);
  });
  if (lines.size() > most_lines) lines.resize(most_lines);
  simulator::SourceTexts texts;
  std::vector<report::LineShare> shares;
  for (const LineCounters* line : lines)
    shares.push_back({line->file, line->line, texts.line({line->file, line->line}),
                      text(static_cast<double>(counter.in(line->counters)))});
  return shares;
}

}  // namespace

std::vector<report::LineShare> spenders(const Count& count) {
  const auto whole = static_cast<double>(count.counter().in(count.launch().counters));
  return top_lines(count.launch(), count.counter(),
                   [&](double share) { return share_text(share, whole, count.pieces()); });
}

std::vector<report::LineShare> writers(const LaunchReport& launch) {
  constexpr Counter writes{&Counters::global_store_requests, &Counters::global_atomic_requests};
  return top_lines(launch, writes, [](double) { return std::string(report::writes_results); });
}

}  // namespace warpwise::harness
