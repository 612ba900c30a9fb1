#pragma once
/// \file What one launch did (counters) and what is wrong with it (findings). Names are API: also in JSON.

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::simulator {

/// Every counter of a launch, or of one source line of it, and what it counts. The names are API. Units: PTX
/// warp instructions unless the name says otherwise. Rules: docs/simulator.md. Whatever writes, reads or
/// checks counters goes through this list.
#define WARPWISE_COUNTERS(X)                                                                                 \
  X(warp_instructions, "PTX instructions, one for each group of lanes of a warp that executes one together") \
  X(thread_instructions, "the same, one for each lane whose guard holds")                                    \
  X(branches, "guarded branches")                                                                            \
  X(divergent_branches, "guarded branches in which some active lanes went and some stayed")                  \
  X(block_barriers, "openings of a block barrier, summed over blocks")                                       \
  X(warp_barriers, "bar.warp.sync")                                                                          \
  X(shuffles, "shfl")                                                                                        \
  X(votes, "vote")                                                                                           \
  X(matches, "match")                                                                                        \
  X(warp_reductions, "redux")                                                                                \
  X(shared_load_requests, "loads from shared memory that have an active lane")                               \
  X(shared_load_wavefronts, "passes of loads from shared memory")                                            \
  X(shared_load_bank_conflicts, "extra passes of loads from shared memory, because lanes met in a bank")     \
  X(shared_store_requests, "stores to shared memory that have an active lane")                               \
  X(shared_store_wavefronts, "passes of stores to shared memory")                                            \
  X(shared_store_bank_conflicts, "extra passes of stores to shared memory, because lanes met in a bank")     \
  X(shared_atomic_requests, "atomics on shared memory that have an active lane")                             \
  X(shared_atomic_wavefronts, "passes of atomics on shared memory")                                          \
  X(shared_atomic_bank_conflicts, "extra passes of atomics on shared memory, because lanes met in a bank")   \
  X(global_load_requests, "loads from global memory that have an active lane")                               \
  X(global_load_sectors, "32-byte sectors touched by loads from global memory")                              \
  X(global_store_requests, "stores to global memory that have an active lane")                               \
  X(global_store_sectors, "32-byte sectors touched by stores to global memory")                              \
  X(global_atomic_requests, "atomics on global memory that have an active lane")                             \
  X(global_atomic_sectors, "32-byte sectors touched by atomics on global memory")                            \
  X(local_load_requests, "loads from local memory that have an active lane")                                 \
  X(local_store_requests, "stores to local memory that have an active lane")

#define WARPWISE_MEMBER(name, title) std::uint64_t name = 0;
struct Counters {
  WARPWISE_COUNTERS(WARPWISE_MEMBER)

  /// thread_instructions / (32 * warp_instructions); 0 where nothing ran.
  double lane_utilisation() const;
  Counters& operator+=(const Counters& other);
  bool operator==(const Counters&) const = default;
};
#undef WARPWISE_MEMBER

struct CounterField {
  std::string_view name;
  std::uint64_t Counters::*member;
  std::string_view title;
};
#define WARPWISE_FIELD(name, title) {#name, &Counters::name, title},
inline constexpr CounterField counter_fields[] = {WARPWISE_COUNTERS(WARPWISE_FIELD)};
#undef WARPWISE_FIELD

/// Kinds of defect and their names, which are API (docs/findings.md says what each means). Whatever writes,
/// reads or checks kinds goes through this list.
#define WARPWISE_FINDING_KINDS(X)   \
  X(race, "race")                   \
  X(barrier, "barrier")             \
  X(sync, "sync")                   \
  X(out_of_bounds, "out-of-bounds") \
  X(misaligned, "misaligned")       \
  X(uninitialised, "uninitialised") \
  X(deadlock, "deadlock")           \
  X(timeout, "timeout")             \
  X(launch, "launch")               \
  X(unsupported, "unsupported")

#define WARPWISE_ENUMERATOR(kind, name) kind,
enum class FindingKind : std::uint8_t { WARPWISE_FINDING_KINDS(WARPWISE_ENUMERATOR) };
#undef WARPWISE_ENUMERATOR

#define WARPWISE_NAME(kind, name) name,
/// By the number of the kind: "race", "out-of-bounds" ...
inline constexpr std::string_view finding_kind_names[] = {WARPWISE_FINDING_KINDS(WARPWISE_NAME)};
#undef WARPWISE_NAME

constexpr std::string_view name_of(FindingKind kind) {
  return finding_kind_names[static_cast<std::size_t>(kind)];
}
/// The kind of that name; empty where there is none.
std::optional<FindingKind> finding_kind_named(std::string_view name);

/// One defect: one kind at one source line, however often it happened.
struct Finding {
  FindingKind kind = FindingKind::race;
  std::string file;  ///< of the student; empty where the module has no line information
  std::uint32_t line = 0;
  std::string message;                 ///< "thread 32 reads s[32] while thread 0 may still write it"
  std::string note;                    ///< "no barrier orders the two (seen 1792 times, first in block 0)"
  std::string help;                    ///< "put __syncthreads() after each level of the tree"
  std::string source;                  ///< the line's text, where the file can be read
  std::uint64_t count = 0;             ///< how often
  std::uint64_t block = 0;             ///< first block (linear)
  std::vector<std::uint32_t> threads;  ///< first threads (linear in the block)
  std::uint32_t other_line = 0;        ///< the other side of a race, the other barrier ...; 0: none
  std::string other_file;
  std::string other_source;  ///< the text of that line, where the file can be read
  bool follows = false;      ///< another finding of the launch came before it, and explains it
  bool operator==(const Finding&) const = default;
};

/// One of the lines that are shown of a finding: what it is, source lines, notes and help.
struct FindingLine {
  std::string mark;  ///< what stands before the text: "   16 |     ", "      = "; of the first line nothing
  std::string text;
  bool is_note = false;
};
std::vector<FindingLine> lines_of(const Finding& finding);

/// The text shown to a student: these lines; ends without a newline.
std::string format(const Finding& finding);

struct LineCounters {
  std::string file;
  std::uint32_t line = 0;
  Counters counters;
  bool operator==(const LineCounters&) const = default;
};

struct LaunchReport {
  std::string kernel;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t shared_bytes = 0;
  Counters counters;
  std::vector<LineCounters> lines;  ///< ascending by file, then line
  std::vector<Finding> findings;    ///< those that follow from others last; ascending by file, line, kind
  std::vector<Finding> notes = {};  ///< likewise, what is worth knowing and no defect; not in the JSON
  /// divergent_branches_by_interval[i]: between the i-th and the next block barrier, summed over blocks.
  std::vector<std::uint64_t> divergent_branches_by_interval;
  bool completed = true;  ///< false: it never started, was ended early, or had a memory fault
  double seconds = 0;     ///< of the host
  bool operator==(const LaunchReport&) const = default;
};

}  // namespace warpwise::simulator
