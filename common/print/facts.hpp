#pragma once
/// \file What can be said of a recorded launch beyond what its trace says: which round of a loop a step is,
/// what an access costs, which value was made of which, where a finding can be seen. It is worked out here,
/// once; pictures, text and page draw it. Every count is the trace's own or its report's.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../report/trace_file.hpp"

namespace warpwise::print {

inline constexpr std::uint32_t warp_size = 32;

// --- Words ------------------------------------------------------------------------------------------------

/// "0 to 15", "0, 2, 4 … 30", "5, 9 and 11": numbers that ascend.
std::string listed(const std::vector<std::uint32_t>& numbers);

/// "1 lane", "2 lanes", "2 branches".
std::string plural(std::uint64_t count, const std::string& one, const std::string& many = {});

/// "1st", "22nd"
std::string ordinal(std::uint32_t number);

/// "warp 1, from thread 32"; of warp 0, whose lanes bear the threads' numbers, "warp 0".
std::string warp_text(std::uint32_t warp);

/// "1 block of 64 threads, n = 128"; each extent of a shape that has several: "2 × 3 blocks of 64 threads".
std::string shape_text(const report::Launch& launch);

/// "reduce_naive: 2 blocks of 64 threads, n = 128"
std::string title_of(const report::Launch& launch);

// --- Steps (facts_steps.cpp) ------------------------------------------------------------------------------

/// The lanes of a mask, ascending.
std::vector<std::uint32_t> lanes_of(std::uint32_t mask);

std::uint64_t extent(const std::array<std::uint32_t, 3>& shape);

/// The place of a step in the source; its line is 0 where none is known.
const simulator::TraceInstruction& place_of(const simulator::Trace& trace, const simulator::TraceStep& step);
const std::string& file_of(const simulator::Trace& trace, const simulator::TraceStep& step);

/// The text of a line without its indent; empty where the file could not be read.
std::string source_line(const simulator::Trace& trace, const std::string& file, std::uint32_t line);
std::string source_of(const simulator::Trace& trace, const simulator::TraceStep& step);

/// The same line, executed by the same warp.
bool is_same_place(const simulator::Trace& trace, std::size_t one, std::size_t other);

bool is_divergent(const simulator::TraceBranch& branch);
bool has_divergence(const simulator::TraceStep& step);
bool has_bank_conflict(const simulator::TraceStep& step);

/// Whether every step of every block was recorded.
bool is_whole(const simulator::Trace& trace);

/// Rows of a block's steps: a warp's steps follow each other, and all warps begin a new interval together,
/// after a block barrier.
struct Rows {
  std::map<std::size_t, std::size_t> row_of;       ///< by index into Trace::steps
  std::map<std::uint32_t, std::size_t> first_row;  ///< of each interval
  std::size_t count = 0;
};
/// `chosen`: indices of steps of one block, ascending.
Rows rows_of(const simulator::Trace& trace, const std::vector<std::size_t>& chosen);

// --- Loops (facts_loops.cpp) ------------------------------------------------------------------------------
// A trace has no variables: the round of a loop is seen in how often its lines were executed, the stride of a
// reduction in its addresses.

/// How often the lanes of a step had executed its line by then, this time included; 0 where they differ.
/// `times`: how often in the whole trace, of that lane of the warp which executed it most.
struct Turn {
  std::uint32_t time = 0, times = 0;
};

/// An entry for each step.
std::vector<Turn> turns_of(const simulator::Trace& trace);

/// "3rd"; empty where no lane executed the line twice, or lanes differ.
std::string text_of(const Turn& turn);

/// From how far away the lanes of a step take what they read; `nowhere` where it is not the same for all.
struct Reach {
  enum class From : std::uint8_t {
    nowhere,
    pair,    ///< two elements of an array, so far apart
    thread,  ///< one element of shared memory, so far from the thread's own number
    lane,    ///< a shuffle: so far from the own lane
    flip,    ///< a shuffle: the own lane's number ^ the distance
    one      ///< a shuffle: the lane of that number
  };
  From from = From::nowhere;
  std::int64_t distance = 0;
  auto operator<=>(const Reach&) const = default;
};
Reach reach_of(const simulator::Trace& trace, const simulator::TraceStep& step);
Reach reach_of(const simulator::TraceShuffle& shuffle);

/// "4 apart", "tid+4", "lane+16", "lane^1", "lane 0"; or empty.
std::string text_of(const Reach& reach);
/// "reads two elements 4 apart", "takes the value of lane + 16"; or empty.
std::string clause_of(const Reach& reach);

// --- Accesses and shuffles (facts_accesses.cpp) -----------------------------------------------------------

/// What one lane of an access asks for, in words of 4 bytes.
struct LaneWords {
  std::uint32_t lane = 0;
  std::int64_t offset = 0;      ///< bytes from the start of the array
  std::uint64_t word = 0;       ///< from the start of shared memory, or of the allocation; the first one
  std::uint64_t words = 1;      ///< how many follow each other
  std::size_t first_value = 0;  ///< index into TraceAccess::values and nodes
};
std::vector<LaneWords> words_by_lane(const simulator::Trace& trace, const simulator::TraceAccess& access);

/// What lanes ask of one bank.
struct Bank {
  std::set<std::uint64_t> words;
  std::vector<std::uint32_t> lanes;  ///< ascending; one that wants two words stands here twice
};
/// By the number of the bank; those that are not asked are missing.
std::map<std::uint32_t, Bank> banks_of(const simulator::Trace& trace, const simulator::TraceAccess& access);
/// The number of the bank that is asked for the most words (of an atomic: by the most lanes).
std::uint32_t fullest_bank(const simulator::TraceAccess& access, const std::map<std::uint32_t, Bank>& banks);

bool is_atomic(const simulator::TraceAccess& access);

/// A word that an access asks for.
struct AskedWord {
  std::vector<std::uint32_t> lanes;  ///< that ask for it
  std::string value;                 ///< that is read there, or that an atomic found; empty for a store
  bool is_conflict = false;  ///< others of its bank are asked for at once (of an atomic: or it is, twice)
};

/// What is drawn of an access: the words that it asks for, and the rows of 32 words in which they lie; of a
/// small array in shared memory all its rows.
struct AskedMemory {
  std::vector<LaneWords> wants;
  std::map<std::uint64_t, AskedWord> words;
  std::vector<std::uint64_t> rows;
  std::size_t rows_left_out = 0;  ///< that are touched as well, and too many to be drawn
};
AskedMemory asked_memory(const simulator::Trace& trace, const simulator::TraceAccess& access);

/// "load partial"
std::string name_of(const simulator::Trace& trace, const simulator::TraceAccess& access);
/// "partial[3]": the first element that is asked for.
std::string element_of(const simulator::Trace& trace, const simulator::TraceAccess& access,
                       const LaneWords& want);
/// What its lane has in `values`, one of the access's lists: "7", "1 2 3 4"; empty where the list is.
std::string values_of(const simulator::TraceAccess& access, const LaneWords& want,
                      const std::vector<std::string>& values);

/// "8 lanes want 8 different words of bank 0: 8 wavefronts, 7 conflicts."
std::string cost_sentence(const simulator::Trace& trace, const simulator::TraceAccess& access);
/// "31 lanes take a value from 1 lane above; 1 keeps its own."
std::string sentence_of(const simulator::TraceShuffle& shuffle);

/// The words of shared memory that a step writes, with their values, in that order.
std::vector<std::pair<std::uint64_t, std::string>> words_written(const simulator::Trace& trace,
                                                                 const simulator::TraceStep& step);
/// The words of shared memory as the step's block sees them just before it; those that were never written are
/// missing.
std::map<std::uint64_t, std::string> shared_words_before(const simulator::Trace& trace, std::size_t step);

// --- The way of values through a kernel (facts_values.cpp) ------------------------------------------------

/// What a block leaves in a place of global memory, made of elements that were followed.
struct Result {
  std::string place;       ///< "out[0]"
  std::uint32_t node = 0;  ///< of Trace::values, from 1
  std::string value;
};
/// The last value of each place, where one of them was made of other values; else none. A value that the
/// kernel reads again was only on its way.
std::vector<Result> results_of(const simulator::Trace& trace, std::uint64_t block);
/// Why there are none.
std::string no_results_sentence(std::uint64_t block);
/// The one with the largest tree.
const Result& largest_result(const simulator::Trace& trace, const std::vector<Result>& results);

/// What shows in a block how a result of it came to be wrong: a value counts twice, or nobody takes it in.
struct WrongWays {
  std::vector<std::uint32_t> twice;   ///< elements of which more than one way leads to the result
  std::vector<std::uint32_t> nobody;  ///< last values made of elements that are in no result
};
WrongWays wrong_ways_of(const simulator::Trace& trace, std::uint64_t block, std::uint32_t result);
/// "in[3] counts twice.", "thread 32 has a value that goes into no result."; empty where there is nothing.
std::vector<std::string> sentences_of(const simulator::Trace& trace, const WrongWays& ways);

/// Of each value its text, where it was read, written or handed on; else empty.
std::vector<std::string> texts_of_values(const simulator::Trace& trace);

/// Nodes, from 1, with the longest way down from each to an element of memory; all those below `roots` too.
using Depths = std::map<std::uint32_t, std::uint32_t>;
Depths depths_under(const simulator::Trace& trace, const std::vector<std::uint32_t>& roots);

/// The values of a block that were made at one depth.
struct TreeLevel {
  std::string name;  ///< "elements", "16 add": so many threads
  std::string line;  ///< "line 21, 3rd", where all of them were made there; else empty
  Reach reach;       ///< whence they took the other operand
  bool operator==(const TreeLevel&) const = default;
};
/// From the elements down. `turns`: of the trace.
std::vector<TreeLevel> levels_of(const simulator::Trace& trace, std::uint64_t block, const Depths& depths,
                                 const std::vector<Turn>& turns);

/// "32 values read, 31 operations, depth 5."
std::string size_sentence(const simulator::Trace& trace, const Depths& depths);
/// "Thread 0 combines the values of threads 16, 8, 4, 2 and finally 1."; empty where there are none, or too
/// many.
std::string taken_in_sentence(const simulator::Trace& trace, const Result& result);

// --- Findings (facts_evidence.cpp) ------------------------------------------------------------------------

/// One of the two accesses of a race.
struct RaceSide {
  std::size_t step = 0;
  std::uint32_t thread = 0;
  std::string does;   ///< "writes partial[32]"
  std::string where;  ///< "line 16, value 14"
};

/// A warp of which some lanes are marked.
struct LaneRow {
  std::uint32_t warp = 0;
  std::string heading;  ///< "Block 0, warp 1"; empty: that of the row above
  std::string name;     ///< of the filled lanes: "here", "waits"
  std::uint32_t lanes = 0;
  std::string crossed_name;  ///< of the crossed lanes: "never"
  std::uint32_t crossed = 0;
};

/// What of the trace shows a finding.
struct Evidence {
  std::optional<std::size_t> step;  ///< where it was met
  /// Of a race, where its two accesses can be told: in the order of the run, with the last order that both
  /// threads share ("barrier 2", "the __syncwarp() in line 20, 2nd").
  std::optional<std::pair<RaceSide, RaceSide>> sides;
  std::string last_order;
  std::vector<LaneRow> rows;  ///< of any other finding: who was there
  std::string sentence;       ///< who that is; or why nothing can be shown
};
Evidence evidence_of(const report::TracedLaunch& traced, const simulator::Finding& finding);

}  // namespace warpwise::print
