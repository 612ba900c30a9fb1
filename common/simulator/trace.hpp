#pragma once
/// \file What each lane of a launch did, step by step: for pictures, and for whoever wants to ask a question
/// that no counter answers. Plain values; recording.hpp makes them, docs/trace.schema.json says them in JSON.
///
/// A trace is bounded: a few blocks, mostly the first ones, and of each of them so many steps. What was left
/// out is counted. Steps stand in the order in which the simulated GPU made them, which is one that CUDA
/// allows. It is not time.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "launch_report.hpp"
#include "observer.hpp"

namespace warpwise::simulator {

struct TraceLimits {
  std::uint32_t blocks = 4;    ///< so many, from first_block on
  std::uint32_t steps = 1500;  ///< of each block
  std::uint32_t values = 1u << 15;
  std::uint64_t first_block = 0;  ///< of the grid
  bool has(std::uint64_t block) const { return block >= first_block && block - first_block < blocks; }
  bool operator==(const TraceLimits&) const = default;
};

/// A source file of the kernel, as it can be read now.
struct TraceSource {
  std::string file;                ///< as in findings; empty where the module has no line information
  std::vector<std::string> lines;  ///< lines[0] is line 1; empty where the file cannot be read
  bool operator==(const TraceSource&) const = default;
};

/// A PTX instruction that a step executed.
struct TraceInstruction {
  std::string text;
  std::uint32_t source = 0;  ///< index into Trace::sources
  std::uint32_t line = 0;    ///< 0: unknown
  bool operator==(const TraceInstruction&) const = default;
};

/// A variable of shared memory, or an allocation of global memory that was touched.
struct TraceArray {
  std::string name;  ///< as in findings
  bool is_shared = false;
  std::uint64_t start = 0;  ///< bytes from the start of shared memory; word w is in bank w mod 32. Global: 0
  std::uint64_t bytes = 0;
  std::uint32_t element_bytes = 4;
  bool operator==(const TraceArray&) const = default;
};

/// One memory instruction. The rows have an entry for each lane of `lanes`, ascending; `values` and `nodes`
/// one for each element of each lane.
struct TraceAccess {
  std::uint32_t instruction = 0;  ///< index into Trace::code
  std::string kind;               ///< load, store, atomic, reduction
  std::uint32_t array = 0;        ///< index into Trace::arrays
  std::uint32_t lanes = 0;        ///< a mask
  std::uint32_t element_bytes = 4;
  std::uint32_t elements = 1;         ///< of a lane: 1, 2, 4 or 8
  std::vector<std::int64_t> offsets;  ///< bytes from the start of the array
  std::vector<std::string> values;    ///< what was read or is written; of an atomic, what it found
  std::vector<std::string> after;     ///< of an atomic: what the place holds afterwards
  std::vector<std::uint32_t> nodes;   ///< the values' place in Trace::values, from 1; 0: not followed. Of an
                                      ///< atomic, of the value that its lane leaves
  std::uint32_t wavefronts = 0;       ///< of shared memory
  std::uint32_t bank_conflicts = 0;   ///< of shared memory
  std::uint32_t sectors = 0;          ///< of global memory
  bool is_continued = false;          ///< the same request as the access before it, in another array
  bool operator==(const TraceAccess&) const = default;
};

/// A branch with a guard; divergent if `taken` is neither 0 nor all lanes of the step.
struct TraceBranch {
  std::uint32_t instruction = 0;
  std::uint32_t active = 0, taken = 0;  ///< masks
  bool operator==(const TraceBranch&) const = default;
};

/// Who got whose value: an entry for each lane of `lanes`, ascending.
struct TraceShuffle {
  std::uint32_t instruction = 0;
  std::uint32_t lanes = 0;  ///< a mask
  std::vector<std::uint32_t> from;
  std::vector<std::string> values;
  std::vector<std::uint32_t> nodes;
  bool operator==(const TraceShuffle&) const = default;
};

/// One source line, as far as one group of lanes executed it in one go.
struct TraceStep {
  std::uint64_t block = 0;
  std::uint32_t warp = 0;      ///< of the block
  std::uint32_t interval = 0;  ///< block barriers that the block has passed
  std::uint32_t lanes = 0;     ///< a mask
  std::uint32_t first = 0;     ///< of Trace::code
  std::uint32_t last = 0;      ///< included
  std::vector<TraceAccess> accesses;
  std::vector<TraceBranch> branches;
  std::vector<TraceShuffle> shuffles;
  std::uint32_t met = 0;    ///< lanes that met here at an instruction of the whole warp (`*.sync`)
  bool is_arrival = false;  ///< at a block barrier
  std::string defect;       ///< what was found here: "barrier", "sync" ...; empty: nothing that a step bears
  bool operator==(const TraceStep&) const = default;
};

/// A block barrier opened.
struct TraceBarrier {
  std::uint64_t block = 0;
  std::uint32_t number = 0;          ///< 0 to 15
  std::uint32_t after = 0;           ///< steps that had been recorded
  std::vector<std::uint32_t> lanes;  ///< a mask for each warp of the block
  bool operator==(const TraceBarrier&) const = default;
};

/// A value on its way through the kernel: an element that was read from memory, or what an instruction made
/// of two or more such values. Moves, stores, loads, shuffles and conversions hand a value on as it is.
struct TraceValue {
  std::string name;                 ///< "in[5]", or the instruction's opcode: "add"
  std::vector<std::uint32_t> from;  ///< into Trace::values, from 1; empty: read from memory
  std::uint64_t block = 0;          ///< where it was made or first read
  std::uint32_t thread = 0;         ///< linear in the block
  std::uint32_t step = 0;           ///< index into Trace::steps
  bool operator==(const TraceValue&) const = default;
};

struct Trace {
  TraceLimits limits;
  std::string schedule;
  std::uint64_t blocks_left_out = 0;
  std::uint64_t instructions_left_out = 0;  ///< warp instructions of the launch that no step tells of
  bool has_all_values = true;               ///< false: more than limits.values
  std::vector<TraceSource> sources;
  std::vector<TraceInstruction> code;  ///< in the order of the program
  std::vector<TraceArray> arrays;
  std::vector<TraceStep> steps;
  std::vector<TraceBarrier> barriers;
  std::vector<TraceValue> values;
  bool operator==(const Trace&) const = default;
};

/// The block barrier at which `step`, an index into Trace::steps, has arrived, as it opened: whom it let
/// through together. Null where the step arrives at none, and where none was recorded to open.
const TraceBarrier* opening_behind(const Trace& trace, std::size_t step);

struct RecordedLaunch {
  Trace trace;
  LaunchReport report;  ///< of the whole launch, whatever was recorded of it
};

/// Of several launches, one after the other. A launch that it records must run on one host thread, so that
/// the steps of all blocks have one order; Gpu sees to that.
class TraceRecorder : public Observation {
 public:
  /// `most_launches` are recorded; later ones are counted.
  explicit TraceRecorder(TraceLimits limits = {}, std::size_t most_launches = 8);
  ~TraceRecorder() override;
  TraceRecorder(const TraceRecorder&) = delete;  ///< the machine holds a pointer to it
  TraceRecorder& operator=(const TraceRecorder&) = delete;

  bool wants_next() const { return launches_.size() < most_launches_; }
  void begin(const LaunchContext& launch, std::uint32_t slots) override;
  void add_observers(ObserverList& of_thread) override;
  void end() override;
  /// After the launch: its report, and in which order its lanes went.
  void complete(const LaunchReport& report, const Schedule& schedule);

  const std::vector<RecordedLaunch>& launches() const { return launches_; }
  /// The last of them is to have this name: the program's own for its kernel, not the linker's.
  void rename_last(const std::string& kernel) { launches_.back().report.kernel = kernel; }
  std::uint64_t launches_left_out() const { return left_out_; }

 private:
  class Recording;
  const TraceLimits limits_;
  const std::size_t most_launches_;
  std::vector<RecordedLaunch> launches_;
  std::uint64_t left_out_ = 0;
  std::unique_ptr<Recording> recording_;  ///< of the launch that runs
};

}  // namespace warpwise::simulator
