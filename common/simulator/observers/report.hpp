#pragma once
/// \file What one launch did (counters) and what is wrong with it (findings). Names are API: also in JSON.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwise::simulator {

/// Counts of one launch, or of one source line of it. Units: PTX warp instructions unless the name says
/// otherwise. Rules: docs/simulator.md.
struct Counters {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint64_t branches = 0;            ///< guarded branches
  std::uint64_t divergent_branches = 0;  ///< ... in which some active lanes went and some stayed
  std::uint64_t block_barriers = 0;      ///< releases, summed over blocks
  std::uint64_t warp_barriers = 0;       ///< bar.warp.sync
  std::uint64_t shuffles = 0;
  std::uint64_t votes = 0;
  std::uint64_t matches = 0;
  std::uint64_t warp_reductions = 0;  ///< redux
  std::uint64_t shared_load_requests = 0, shared_load_wavefronts = 0, shared_load_bank_conflicts = 0;
  std::uint64_t shared_store_requests = 0, shared_store_wavefronts = 0, shared_store_bank_conflicts = 0;
  std::uint64_t shared_atomic_requests = 0, shared_atomic_wavefronts = 0, shared_atomic_bank_conflicts = 0;
  std::uint64_t global_load_requests = 0, global_load_sectors = 0;
  std::uint64_t global_store_requests = 0, global_store_sectors = 0;
  std::uint64_t global_atomic_requests = 0, global_atomic_sectors = 0;
  std::uint64_t local_load_requests = 0, local_store_requests = 0;

  /// thread_instructions / (32 * warp_instructions); 0 where nothing ran.
  double lane_utilisation() const;
  Counters& operator+=(const Counters& other);
  /// Every counter's name and member, in the order above: for reports.
  static const std::vector<std::pair<std::string_view, std::uint64_t Counters::*>>& members();
};

/// Kinds of defect (docs/simulator.md).
enum class FindingKind : std::uint8_t {
  race,
  barrier,
  sync,
  out_of_bounds,
  misaligned,
  uninitialised,
  deadlock,
  timeout,
  launch,
  unsupported,
};
std::string_view name_of(FindingKind kind);  ///< "race", "out-of-bounds" ...

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
};

/// The text shown to a student: several lines, as in docs/simulator.md; ends without a newline.
std::string format(const Finding& finding);

struct LineCounters {
  std::string file;
  std::uint32_t line = 0;
  Counters counters;
};

struct LaunchReport {
  std::string kernel;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t shared_bytes = 0;
  Counters counters;
  std::vector<LineCounters> lines;  ///< ascending by file, then line
  std::vector<Finding> findings;    ///< ascending by file, line, kind
  /// divergent_branches_by_interval[i]: between the i-th and the next block barrier, summed over blocks.
  std::vector<std::uint64_t> divergent_branches_by_interval;
  bool completed = true;  ///< false: the launch ended early (see findings)
  double seconds = 0;     ///< of the host
};

}  // namespace warpwise::simulator
