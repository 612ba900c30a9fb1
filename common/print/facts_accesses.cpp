// One access of a warp, for pictures: which lane touches which word, bank or sector. What it costs was
// counted in the run.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "facts.hpp"

namespace warpwise::print {

using simulator::Trace;
using simulator::TraceAccess;
using simulator::TraceStep;

std::vector<LaneWords> words_by_lane(const Trace& trace, const TraceAccess& access) {
  const auto start = static_cast<std::int64_t>(trace.arrays[access.array].start);
  std::vector<LaneWords> wants;
  for (const std::uint32_t lane : lanes_of(access.lanes)) {
    const std::size_t i = wants.size();
    LaneWords& want = wants.emplace_back();
    want.lane = lane;
    want.offset = access.offsets[i];
    want.word = static_cast<std::uint64_t>(start + want.offset) / 4;
    want.words = std::max(1u, access.elements * access.element_bytes / 4);
    want.first_value = i * access.elements;
  }
  return wants;
}

std::map<std::uint32_t, Bank> banks_of(const Trace& trace, const TraceAccess& access) {
  std::map<std::uint32_t, Bank> banks;
  for (const LaneWords& want : words_by_lane(trace, access)) {
    for (std::uint64_t word = want.word; word < want.word + want.words; ++word) {
      Bank& bank = banks[word % warp_size];
      bank.words.insert(word);
      bank.lanes.push_back(want.lane);
    }
  }
  return banks;
}

std::uint32_t fullest_bank(const TraceAccess& access, const std::map<std::uint32_t, Bank>& banks) {
  const auto load = [&](const Bank& bank) {
    return is_atomic(access) ? bank.lanes.size() : bank.words.size();
  };
  const auto fullest = std::max_element(banks.begin(), banks.end(), [&](const auto& a, const auto& b) {
    return load(a.second) < load(b.second);
  });
  return fullest == banks.end() ? 0 : fullest->first;
}

bool is_atomic(const TraceAccess& access) { return access.kind == "atomic" || access.kind == "reduction"; }

namespace {

/// ", and as many of banks 8, 16 and 24"; empty where no other is asked for as many words.
std::string others_as_full(const std::map<std::uint32_t, Bank>& banks, std::uint32_t number) {
  std::vector<std::uint32_t> others;
  for (const auto& [other, bank] : banks)
    if (other != number && bank.words.size() == banks.at(number).words.size()) others.push_back(other);
  if (others.empty()) return {};
  return (others.size() == 1 ? ", and as many of bank " : ", and as many of banks ") + listed(others);
}

std::size_t sectors_touched(const Trace& trace, const TraceAccess& access) {
  constexpr std::uint64_t words_of_sector = 8;
  std::set<std::uint64_t> sectors;
  for (const LaneWords& want : words_by_lane(trace, access))
    for (std::uint64_t i = 0; i < want.words; ++i) sectors.insert((want.word + i) / words_of_sector);
  return sectors.size();
}

}  // namespace

std::string cost_sentence(const Trace& trace, const TraceAccess& access) {
  const std::size_t lanes = lanes_of(access.lanes).size();
  const std::string who = plural(lanes, "lane") + (lanes == 1 ? " asks" : " ask");
  if (access.is_continued) return who + " in the same request.";
  if (!trace.arrays[access.array].is_shared) {
    const std::size_t touched = sectors_touched(trace, access);
    if (!is_atomic(access) || touched >= access.sectors)
      return who + " for " + plural(access.sectors, "sector") + " of 32 bytes.";
    return who + " for " + plural(touched, "sector") +
           " of 32 bytes; those with one word go one after the other, which counts as " +
           plural(access.sectors, "sector") + ".";
  }
  if (access.bank_conflicts == 0)
    return who +
           "; no bank is asked for two different words at once: " + plural(access.wavefronts, "wavefront") +
           ".";
  const auto banks = banks_of(trace, access);
  const std::uint32_t number = fullest_bank(access, banks);
  const Bank& bank = banks.at(number);
  if (is_atomic(access))
    return plural(bank.lanes.size(), "lane") + " meet in bank " + std::to_string(number) +
           ", and atomics go one after the other: " + plural(access.wavefronts, "wavefront") + ".";
  const std::set<std::uint32_t> meeting(bank.lanes.begin(), bank.lanes.end());
  return plural(meeting.size(), "lane") + " want " + std::to_string(bank.words.size()) +
         " different words of bank " + std::to_string(number) + others_as_full(banks, number) + ": " +
         plural(access.wavefronts, "wavefront") + ", " + plural(access.bank_conflicts, "conflict") + ".";
}

std::string name_of(const Trace& trace, const TraceAccess& access) {
  return (access.kind == "reduction" ? "atomic" : access.kind) + " " + trace.arrays[access.array].name;
}

std::string element_of(const Trace& trace, const TraceAccess& access, const LaneWords& want) {
  const simulator::TraceArray& array = trace.arrays[access.array];
  return array.name + '[' + std::to_string(want.offset / array.element_bytes) + ']';
}

std::string values_of(const TraceAccess& access, const LaneWords& want,
                      const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t i = want.first_value; i < want.first_value + access.elements && i < values.size(); ++i)
    text += (i == want.first_value ? "" : " ") + values[i];
  return text;
}

std::string sentence_of(const simulator::TraceShuffle& shuffle) {
  const std::vector<std::uint32_t> takers = lanes_of(shuffle.lanes);
  std::set<std::int64_t> distances;
  std::size_t own = 0;
  for (std::size_t i = 0; i < takers.size(); ++i) {
    if (shuffle.from[i] == takers[i])
      ++own;
    else
      distances.insert(std::int64_t{shuffle.from[i]} - takers[i]);
  }
  const std::size_t moved = takers.size() - own;
  if (moved == 0) return "Each of " + plural(own, "lane") + " keeps its own value.";
  const std::set<std::uint32_t> givers(shuffle.from.begin(), shuffle.from.end());
  std::string sentence = plural(moved, "lane") + (moved == 1 ? " takes" : " take");
  if (givers.size() == 1)
    sentence += " the value of lane " + std::to_string(*givers.begin());
  else if (distances.size() == 1)
    sentence += " a value from " + plural(static_cast<std::uint64_t>(std::abs(*distances.begin())), "lane") +
                (*distances.begin() > 0 ? " above" : " below");
  else if (distances.size() == 2 && *distances.begin() == -*distances.rbegin())
    sentence += " a value from " + plural(static_cast<std::uint64_t>(*distances.rbegin()), "lane") +
                " above or below: pairs exchange";
  else
    sentence += " the value of another lane";
  return sentence +
         (own == 0 ? "." : "; " + std::to_string(own) + (own == 1 ? " keeps its" : " keep their") + " own.");
}

namespace {

/// All of a small shared array; of any other those that are touched, as many as can be drawn.
void choose_rows(const simulator::TraceArray& array, AskedMemory& memory) {
  constexpr std::size_t most_rows = 34;
  const std::uint64_t first = array.start / 4 / warp_size;
  const std::uint64_t last = (array.start + std::max<std::uint64_t>(array.bytes, 1) - 1) / 4 / warp_size;
  std::vector<std::uint64_t>& rows = memory.rows;
  if (array.is_shared && last - first < most_rows) {
    for (std::uint64_t row = first; row <= last; ++row) rows.push_back(row);
    return;
  }
  for (const auto& [word, asked] : memory.words)
    if (rows.empty() || rows.back() != word / warp_size) rows.push_back(word / warp_size);
  memory.rows_left_out = rows.size() - std::min(rows.size(), most_rows);
  rows.resize(rows.size() - memory.rows_left_out);
}

}  // namespace

AskedMemory asked_memory(const Trace& trace, const TraceAccess& access) {
  const simulator::TraceArray& array = trace.arrays[access.array];
  AskedMemory memory{words_by_lane(trace, access), {}, {}, 0};
  for (const LaneWords& want : memory.wants)
    for (std::uint64_t i = 0; i < want.words; ++i) {
      const auto [at, is_new] = memory.words.try_emplace(want.word + i);
      at->second.lanes.push_back(want.lane);
      if (is_new && access.kind != "store")
        at->second.value = access.values[want.first_value + 4 * i / access.element_bytes];
    }
  if (array.is_shared && access.bank_conflicts != 0) {
    const std::map<std::uint32_t, Bank> banks = banks_of(trace, access);
    for (auto& [word, asked] : memory.words) {
      const Bank& bank = banks.at(word % warp_size);
      asked.is_conflict = (is_atomic(access) ? bank.lanes.size() : bank.words.size()) > 1;
    }
  }
  choose_rows(array, memory);
  return memory;
}

std::vector<std::pair<std::uint64_t, std::string>> words_written(const Trace& trace, const TraceStep& step) {
  std::vector<std::pair<std::uint64_t, std::string>> words;
  for (const TraceAccess& access : step.accesses) {
    if (access.kind == "load" || !trace.arrays[access.array].is_shared) continue;
    const std::vector<std::string>& values = access.kind == "store" ? access.values : access.after;
    for (const LaneWords& want : words_by_lane(trace, access))
      for (std::uint32_t e = 0; e < access.elements && want.first_value + e < values.size(); ++e)
        words.emplace_back(want.word + e * access.element_bytes / 4, values[want.first_value + e]);
  }
  return words;
}

std::map<std::uint64_t, std::string> shared_words_before(const Trace& trace, std::size_t index) {
  std::map<std::uint64_t, std::string> words;
  for (std::size_t i = 0; i < index; ++i)
    if (trace.steps[i].block == trace.steps[index].block)
      for (auto& [word, value] : words_written(trace, trace.steps[i])) words[word] = std::move(value);
  return words;
}

}  // namespace warpwise::print
