#pragma once
/// \file Collects findings: one for each kind and source line, however often it happens.

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "../program.hpp"
#include "../report.hpp"

namespace warpwise::simulator::observe {

/// What a finding says, without its count.
struct Description {
  Pc pc = 0;  ///< the finding is reported at the source line of this instruction
  Pc other_pc = 0;
  bool has_other = false;
  std::vector<std::uint32_t> threads;
  std::string message, note, help;
};

/// When something was seen: blocks in ascending order, then the order in the block. So the first of many does
/// not depend on which host thread ran what.
struct SeenAt {
  std::uint32_t rank = 0;  ///< 0 is reported before 1, whichever came first
  std::uint64_t block = 0;
  std::uint64_t order = 0;
  auto operator<=>(const SeenAt&) const = default;
};

/// What the observers of one host thread have found.
class FindingLog {
 public:
  /// Counts a defect of `kind` at `pc` in `block`, the next of those in this block. `describe()` gives the
  /// Description, and is called for the first only.
  template <class Describe>
  void add(FindingKind kind, Pc pc, std::uint64_t block, Describe&& describe, std::uint32_t rank = 0) {
    const SeenAt seen{rank, block, added_++};
    Entry& entry = entries_[std::uint64_t{pc} << 8 | static_cast<std::uint8_t>(kind)];
    if (entry.count++ == 0 || seen < entry.seen) {
      entry.kind = kind;
      entry.seen = seen;
      entry.description = describe();
      if (entry.count == 1 && on_first) on_first(entry);
    }
  }

  struct Entry {
    FindingKind kind = FindingKind::race;
    std::uint64_t count = 0;
    SeenAt seen;
    Description description;
  };
  std::function<void(const Entry&)>
      on_first;  ///< called by add() for a kind and pc that it has not met before
  const std::unordered_map<std::uint64_t, Entry>& entries() const { return entries_; }

 private:
  std::unordered_map<std::uint64_t, Entry> entries_;  ///< by pc and kind
  std::uint64_t added_ = 0;
};

/// The finding that `entry` alone makes: with the lines' texts, and nothing about how often it was seen.
Finding first_seen(const Program& program, const FindingLog::Entry& entry);

/// The findings of all host threads, ascending by file, line and kind, with their lines' texts. Where a line
/// takes part in a race, that it also met memory before it was written is a consequence, and left out.
std::vector<Finding> merge_findings(const Program& program, const std::vector<const FindingLog*>& logs);

}  // namespace warpwise::simulator::observe
