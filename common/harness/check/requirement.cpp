#include "requirement.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "../../simulator/program.hpp"

namespace warpwise::harness {

namespace {

template <class T>
std::string shortest(T value) {
  if (value != value)
    return std::signbit(static_cast<double>(value)) ? "-nan" : "nan";  // LLVM's library: "-nan(ind)"
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return std::string(digits, end);
}

/// "n = 256, block = 32"; empty where the n of the launch is not known.
Case case_of(const Count& count) {
  if (!count.n()) return {};
  return {.n = count.n(), .block = count.launch().block[0]};
}

template <class Compare>
Requirement<Amount> amount(const std::string& relation, Limit limit, const std::string& what,
                           const std::string& why, Compare compare) {
  const std::string limits = relation + " " + text_of(limit.value);
  return {limits + " " + what, [=](const Amount& actual) {
            if (compare(actual.value, limit.value)) return;
            const bool is_too_much = actual.count && actual.value > limit.value;
            fail(what + ": " + text_of(actual.value) + ", " + limits + (why.empty() ? "" : " (" + why + ")"),
                 {.where = actual.count ? spelled(case_of(*actual.count)) : "",
                  .lines = is_too_much ? lines_that_spend(*actual.count) : std::vector<report::LineShare>{}});
          }};
}

std::optional<CheckFailed>& mismatch() {
  static std::optional<CheckFailed> latest;
  return latest;
}

}  // namespace

std::string spelled(const Case& where) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (where.n) add("n = " + std::to_string(*where.n));
  if (where.block) add("block = " + std::to_string(*where.block));
  if (where.grid) add("grid = " + std::to_string(*where.grid));
  if (!where.note.empty()) add(where.note);
  return text;
}

void fail(const std::string& sentence) { throw CheckFailed(sentence); }
void fail(const std::string& sentence, Explanation explanation) {
  throw CheckFailed(sentence, std::move(explanation));
}

std::string text_of(float value) { return shortest(value); }

std::string mask_text(std::uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  std::vector<int> lanes;
  for (int lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1) lanes.push_back(lane);
  if (lanes.empty()) return text + std::string(" (no lane)");
  std::string names = lanes.size() == 1 ? "lane " : "lanes ";
  const std::size_t most = 4;  // as many as findings name
  if (lanes.size() > 2 && lanes.back() - lanes.front() + 1 == std::ssize(lanes))
    names += std::to_string(lanes.front()) + " to " + std::to_string(lanes.back());
  else
    for (std::size_t i = 0; i < std::min(most, lanes.size()); ++i)
      names += (i == 0 ? "" : i + 1 == lanes.size() ? " and " : ", ") + std::to_string(lanes[i]);
  const bool is_run = names.find(" to ") != names.npos;
  if (!is_run && lanes.size() > most) names += " and " + std::to_string(lanes.size() - most) + " more";
  return text + (" (" + names + ")");
}

std::string text_of(double value) {
  // A reference in double of a float result: 17 digits would only hide the ones that matter.
  const auto rounded = static_cast<float>(value);
  if (static_cast<double>(rounded) == value || std::isnan(value)) return shortest(rounded);
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 9).ptr;
  return std::string(digits, end);
}

std::optional<CheckFailed> take_mismatch() { return std::exchange(mismatch(), std::nullopt); }

bool SentenceMatcher::holds(const std::function<void()>& ask) const {
  try {
    ask();
    return true;
  } catch (const CheckFailed& failed) {
    text_ = failed.what();
    mismatch() = failed;
    return false;
  }
}

Requirement<Amount> AtMost(Limit limit, std::string_view what, std::string_view why) {
  return amount("at most", limit, std::string(what), std::string(why), std::less_equal());
}
Requirement<Amount> AtLeast(Limit limit, std::string_view what, std::string_view why) {
  return amount("at least", limit, std::string(what), std::string(why), std::greater_equal());
}
Requirement<Amount> Exactly(Limit limit, std::string_view what, std::string_view why) {
  return amount("expected", limit, std::string(what), std::string(why), std::equal_to());
}

namespace {

using simulator::LaunchReport;
using simulator::LineCounters;

constexpr std::size_t most_lines = 3;

/// "24 of the 32", or "75 % of them".
std::string share_text(double share, double whole, std::optional<double> pieces) {
  if (pieces) return text_of(share / *pieces) + " of the " + text_of(whole / *pieces);
  return text_of(std::round(100 * share / whole)) + " % of them";
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
  simulator::SourceTexts sources;
  std::vector<report::LineShare> shares;
  for (const LineCounters* line : lines)
    shares.push_back({line->file, line->line, sources.line({line->file, line->line}),
                      text(static_cast<double>(counter.in(line->counters)))});
  return shares;
}

}  // namespace

std::vector<report::LineShare> lines_that_spend(const Count& count) {
  const auto whole = static_cast<double>(count.counter().in(count.launch().counters));
  return top_lines(count.launch(), count.counter(),
                   [&](double share) { return share_text(share, whole, count.pieces()); });
}

std::vector<report::LineShare> lines_that_write(const LaunchReport& launch) {
  constexpr Counter writes{&Counters::global_store_requests, &Counters::global_atomic_requests};
  return top_lines(launch, writes, [](double) { return std::string(report::writes_results); });
}

std::vector<report::LineShare> lines_with_active_mask(const simulator::Program& program,
                                                      const std::string& kernel) {
  const simulator::PcRange reach = program.find_kernel(kernel)->reach;
  simulator::SourceTexts sources;
  std::vector<report::LineShare> lines;
  for (simulator::Pc pc = reach.begin; pc < reach.end; ++pc) {
    const simulator::ptx::Function& function = program.function_of(pc);
    const simulator::ptx::Instruction& instruction = program.text_of(pc);
    const bool is_active_mask = instruction.row->what == simulator::ptx::InstructionClass::vote &&
                                instruction.operands.size() == 1;  // no mask, and no value
    if (!is_active_mask || (function.is_kernel && function.name != kernel)) continue;
    const simulator::SourcePlace& place = place_of(program, pc);
    const bool is_known = !lines.empty() && lines.back().line == place.line;
    if (place.line != 0 && !is_known)
      lines.push_back({place.file, place.line, sources.line(place), std::string(report::takes_who_is_there)});
  }
  return lines;
}

}  // namespace warpwise::harness
