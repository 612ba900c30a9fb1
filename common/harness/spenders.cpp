#include "spenders.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "../simulator/observers/source_lines.hpp"
#include "expectations.hpp"

namespace warpwise::harness {

namespace {

using simulator::Counters;
using simulator::LaunchReport;
using simulator::LineCounters;
using Members = std::vector<std::uint64_t Counters::*>;

constexpr std::size_t most_lines = 3;

/// What expectations call counters, where it is not the counter's own name. Of several that a text holds the
/// longest is meant; one that is there twice can mean either.
struct Wording {
  std::string_view words;
  Members members;
};

const std::vector<Wording>& wordings() {
  using C = Counters;
  static const std::vector<Wording> all = {
      {"match instructions", {&C::matches}},
      {"exchanges", {&C::block_barriers, &C::warp_barriers, &C::shuffles}},
      {"atomic requests", {&C::shared_atomic_requests, &C::global_atomic_requests}},
      {"atomic operations", {&C::shared_atomic_requests, &C::global_atomic_requests}},
      {"atomic operations", {&C::global_atomic_requests}},
      {"atomic requests on global memory", {&C::global_atomic_requests}},
      {"shared requests", {&C::shared_load_requests, &C::shared_store_requests, &C::shared_atomic_requests}},
      {"shared accesses", {&C::shared_load_requests, &C::shared_store_requests, &C::shared_atomic_requests}},
      {"shared wavefronts",
       {&C::shared_load_wavefronts, &C::shared_store_wavefronts, &C::shared_atomic_wavefronts}},
      {"bank conflicts", {&C::shared_load_bank_conflicts, &C::shared_store_bank_conflicts}},
      {"bank conflicts",
       {&C::shared_load_bank_conflicts, &C::shared_store_bank_conflicts, &C::shared_atomic_bank_conflicts}},
      {"bank conflicts of a tile's loads", {&C::shared_load_bank_conflicts}},
      {"bank conflicts of a tile's stores", {&C::shared_store_bank_conflicts}},
  };
  return all;
}

/// "shared memory load requests" -> "shared load requests"
std::string plain(std::string_view what) {
  std::string text(what);
  if (const auto at = text.find("shared memory "); at != text.npos) text.erase(at + 7, 7);
  return text;
}

/// All readings of the longest words in `what` that name counters.
std::vector<Members> counters_in(std::string_view what) {
  const std::string text = plain(what);
  std::size_t longest = 0;
  std::vector<Members> readings;
  const auto consider = [&](std::string_view words, const Members& members) {
    if (words.size() < longest || text.find(words) == text.npos) return;
    if (words.size() > longest) readings.clear();
    longest = words.size();
    readings.push_back(members);
  };
  for (const simulator::CounterField& field : simulator::counter_fields) {
    std::string words(field.name);
    std::replace(words.begin(), words.end(), '_', ' ');
    consider(words, {field.member});
  }
  for (const Wording& wording : wordings()) consider(wording.words, wording.members);
  return readings;
}

double sum_of(const Members& members, const Counters& counters) {
  double sum = 0;
  for (const auto member : members) sum += static_cast<double>(counters.*member);
  return sum;
}

/// 1, the blocks or the warps of the launch: for which of them the count is `amount` each. 0: for none.
double divisor_for(double amount, double count, const LaunchReport& launch) {
  const double blocks = double(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  const double threads = double(launch.block[0]) * launch.block[1] * launch.block[2];
  for (const double divisor : {1.0, blocks, blocks * std::ceil(threads / 32)})
    if (count == amount * divisor) return divisor;
  return 0;
}

/// Which launch counted an amount, of what, and for how many blocks or warps each.
struct CountedAmount {
  std::size_t launch;
  const Members* members;
  double divisor;
};

/// The latest one. Empty where none did.
std::optional<CountedAmount> launch_that_counted(const std::vector<Members>& readings, double amount,
                                                 std::span<const SharedReport> launches) {
  for (std::size_t i = launches.size(); i-- > 0;) {
    for (const Members& members : readings) {
      const double divisor = divisor_for(amount, sum_of(members, launches[i]->counters), *launches[i]);
      if (divisor != 0) return CountedAmount{i, &members, divisor};
    }
  }
  return std::nullopt;
}

std::string share_text(double share, double count, double divisor) {
  if (divisor != 0) return detail::text_of(share / divisor) + " of the " + detail::text_of(count / divisor);
  return detail::text_of(std::round(100 * share / count)) + " % of them";
}

/// The lines that spend most of the sum of `members`; `share(sum)` says what of it a line spends.
template <class Share>
std::vector<report::LineShare> top_lines(const LaunchReport& launch, const Members& members, Share share) {
  std::vector<const LineCounters*> lines;
  for (const LineCounters& line : launch.lines)
    if (sum_of(members, line.counters) > 0) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(), [&](const LineCounters* a, const LineCounters* b) {
    return sum_of(members, a->counters) > sum_of(members, b->counters);
  });
  if (lines.size() > most_lines) lines.resize(most_lines);
  simulator::SourceTexts texts;
  std::vector<report::LineShare> shares;
  for (const LineCounters* line : lines)
    shares.push_back({line->file, line->line, texts.line({line->file, line->line}),
                      share(sum_of(members, line->counters))});
  return shares;
}

std::vector<report::LineShare> shares_of(const LaunchReport& launch, const Members& members, double divisor) {
  const double count = sum_of(members, launch.counters);
  return top_lines(launch, members, [&](double share) { return share_text(share, count, divisor); });
}

}  // namespace

std::vector<report::LineShare> spenders(std::string_view what, double amount,
                                        std::span<const SharedReport> launches) {
  const std::vector<Members> readings = counters_in(what);
  if (readings.empty() || launches.empty()) return {};
  if (const auto counted = launch_that_counted(readings, amount, launches))
    return shares_of(*launches[counted->launch], *counted->members, counted->divisor);
  return shares_of(*launches.back(), readings.back(), 0);
}

std::optional<std::size_t> counted_launch(std::string_view what, double amount,
                                          std::span<const SharedReport> launches) {
  const std::vector<Members> readings = counters_in(what);
  const auto counted = launch_that_counted(readings, amount, launches);
  return counted ? std::optional(counted->launch) : std::nullopt;
}

std::vector<report::LineShare> writers(const LaunchReport& launch) {
  const Members writes = {&Counters::global_store_requests, &Counters::global_atomic_requests};
  return top_lines(launch, writes, [](double) { return std::string(report::writes_results); });
}

}  // namespace warpwise::harness
