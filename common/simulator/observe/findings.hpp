#pragma once
/// \file Collects findings, one for each kind and source line, however often it happens; and names what they
/// speak of.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "../launch_report.hpp"
#include "../observer.hpp"
#include "../program.hpp"
#include "race_cell.hpp"

namespace warpwise::simulator::observe {

/// What a finding says, without its count.
struct Description {
  Pc pc = 0;  ///< the finding is reported at the source line of this instruction
  std::optional<Pc> other_pc;
  std::vector<std::uint32_t> threads;
  std::string message, note, help;
  std::optional<RaceSeen> race;  ///< of a race: what another run may tell how to mend
  bool is_note = false;          ///< worth knowing, but no defect so far
  std::string as_note;           ///< what it says only as long as it is none
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
  /// Description, and is called where no earlier one has been seen, in the order of SeenAt.
  template <class Describe>
  void add(FindingKind kind, Pc pc, std::uint64_t block, Describe&& describe, std::uint32_t rank = 0) {
    const SeenAt seen{rank, block, added_++};
    Entry& entry = entries_[key_of(kind, pc)];
    if (entry.count++ == 0 || seen < entry.seen) {
      const bool is_told = entry.count > 1 && !entry.description.is_note;
      entry.kind = kind;
      entry.seen = seen;
      entry.description = describe();
      if (!is_told && !entry.description.is_note && on_first) on_first(entry);
    }
  }
  /// What was added as a note is a defect after all, as `why` says.
  void confirm(FindingKind kind, Pc pc, const std::string& why);

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
  static std::uint64_t key_of(FindingKind kind, Pc pc) {
    return std::uint64_t{pc} << 8 | static_cast<std::uint8_t>(kind);
  }
  std::unordered_map<std::uint64_t, Entry> entries_;  ///< by pc and kind
  std::uint64_t added_ = 0;
};

/// The finding that `entry` alone makes: with the lines' texts, and nothing about how often it was seen.
Finding first_seen(const Program& program, const FindingLog::Entry& entry);

struct MergedFinding {
  Finding finding;
  std::optional<RaceSeen> race;
  bool is_note = false;
};
/// The findings of all host threads, ascending by file, line and kind, with their lines' texts; those that
/// follow from others come last. Where a line takes part in a race, that it also met memory before it was
/// written is a consequence, and left out.
std::vector<MergedFinding> merge_findings(const Program& program, const std::deque<FindingLog>& logs);

// ---- Addresses by the names that a student gave, such as `partial[32]` or `in[70]`

/// Names places of one launch's memory. Elements are those of the declared type, whatever the width of an
/// access: of a variable in the source; of a buffer that its host did not type, of what the kernel's
/// parameters point to. Where that is unknown, a place is a byte: "byte 56 of s".
class Naming {
 public:
  explicit Naming(const LaunchContext& launch);

  /// `partial[32]`; the name alone for a variable of one element. Also for offsets that belong to no
  /// variable: `partial[-1]`.
  std::string shared(std::uint64_t offset) const;
  /// "partial has 256 elements" of the variable that shared() names; empty for dynamic memory, whose size the
  /// launch decides.
  std::string shared_size(std::uint64_t offset) const;
  /// Where the array begins whose size the launch decides.
  std::uint64_t dynamic_shared_start() const {
    return launch_.program->find_kernel(launch_.kernel)->dynamic_shared_start;
  }
  /// True where an access begins inside a static variable: shared() then names a place that exists.
  bool is_in_variable(std::uint64_t offset) const;
  /// "in has 64 elements", or bytes.
  std::string size_of(const Allocation& allocation) const;
  /// `in[70]`; "element 70 of an allocation of 256 bytes" where the allocation has no name. Also for
  /// addresses beyond the ends: `in[-1]`.
  std::string global(const Allocation& allocation, std::uint64_t address) const;
  /// Either of them (variables in constant memory are allocations as well), or "its local memory at byte 8".
  std::string of(ptx::Space space, std::uint64_t address) const;
  /// The allocation that an address out of bounds was probably meant for; nullptr where none is near.
  const Allocation* meant_by(std::uint64_t address) const;
  /// What was there and has been released, or nullptr.
  std::shared_ptr<const Allocation> released_at(std::uint64_t address) const {
    return memory_.find_released(address);
  }

 private:
  /// The variable at `offset`, or the nearest one; nullptr where there is none.
  const Program::SharedVariable* meant_in_shared(std::uint64_t offset) const;

  /// 0: unknown
  std::uint32_t element_bytes(const Allocation& allocation) const;
  void look_at_parameters() const;

  const LaunchContext& launch_;
  GlobalMemory& memory_;
  mutable std::once_flag looked_at_parameters_;                   ///< most launches have nothing to name
  mutable std::map<std::uint64_t, std::uint32_t> pointee_bytes_;  ///< by Allocation::base; 0: they differ
  std::vector<Program::SharedVariable> shared_;                   ///< ascending by offset
};

/// Where the function that the line of `pc` belongs to was called, if the compiler has put it into its
/// caller; line 0 where it has not.
SourcePlace caller_of(const Program& program, Pc pc);

/// "thread 5", or with the block where `names_block`: "thread 5 of block 2".
std::string thread_name(std::uint32_t thread, std::uint64_t block, bool names_block);
/// "threads 0, 1, 2 and 29 more" for the lanes of a warp; "thread 5" for one.
std::string lanes_name(std::uint32_t warp, LaneMask lanes);
/// Linear thread numbers of the lanes, ascending.
std::vector<std::uint32_t> threads_of(std::uint32_t warp, LaneMask lanes);

}  // namespace warpwise::simulator::observe
