#include "accesses.hpp"

#include <algorithm>

#include "steps.hpp"

namespace warpwise::show {

using simulator::Trace;
using simulator::TraceAccess;
using simulator::TraceStep;

std::vector<Want> wants_of(const Trace& trace, const TraceAccess& access) {
  const auto start = static_cast<std::int64_t>(trace.arrays[access.array].start);
  std::vector<Want> wants;
  for (const std::uint32_t lane : lanes_of(access.lanes)) {
    const std::size_t i = wants.size();
    Want& want = wants.emplace_back();
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
  for (const Want& want : wants_of(trace, access)) {
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

}  // namespace

std::string cost_sentence(const Trace& trace, const TraceAccess& access) {
  const std::size_t lanes = lanes_of(access.lanes).size();
  const std::string who = plural(lanes, "lane") + (lanes == 1 ? " asks" : " ask");
  if (access.is_continued) return who + " in the same request.";
  if (!trace.arrays[access.array].is_shared)
    return who + " for " + plural(access.sectors, "sector") + " of 32 bytes.";
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

std::map<std::uint64_t, std::string> shared_words_before(const Trace& trace, std::size_t index) {
  std::map<std::uint64_t, std::string> words;
  for (std::size_t i = 0; i < index; ++i) {
    const TraceStep& step = trace.steps[i];
    if (step.block != trace.steps[index].block) continue;
    for (const TraceAccess& access : step.accesses) {
      if (access.kind == "load" || !trace.arrays[access.array].is_shared) continue;
      const std::vector<std::string>& values = access.kind == "store" ? access.values : access.after;
      for (const Want& want : wants_of(trace, access))
        for (std::uint32_t e = 0; e < access.elements && want.first_value + e < values.size(); ++e)
          words[want.word + e * access.element_bytes / 4] = values[want.first_value + e];
    }
  }
  return words;
}

}  // namespace warpwise::show
