#pragma once
/// \file What can be asked of the steps of a trace, and words for the answers. Text and pictures are made of
/// it.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../report/trace.hpp"

namespace warpwise::show {

inline constexpr std::uint32_t warp_size = 32;

/// The lanes of a mask, ascending.
std::vector<std::uint32_t> lanes_of(std::uint32_t mask);

/// "0 to 15", "0, 2, 4 … 30", "5, 9 and 11": numbers that ascend.
std::string listed(const std::vector<std::uint32_t>& numbers);

/// "1 lane", "2 lanes", "2 branches".
std::string plural(std::uint64_t count, const std::string& one, const std::string& many = {});

/// "warp 1, from thread 32"; of warp 0, whose lanes bear the threads' numbers, "warp 0".
std::string warp_text(std::uint32_t warp);

std::uint64_t extent(const std::array<std::uint32_t, 3>& shape);

/// "reduce_naive: 2 blocks of 64 threads, n = 128"
std::string title_of(const report::Launch& launch);

/// The place of a step in the source; its line is 0 where none is known.
const simulator::TraceInstruction& place_of(const simulator::Trace& trace, const simulator::TraceStep& step);
const std::string& file_of(const simulator::Trace& trace, const simulator::TraceStep& step);

/// The text of a line without its indent; empty where the file could not be read.
std::string source_line(const simulator::Trace& trace, const std::string& file, std::uint32_t line);
std::string source_of(const simulator::Trace& trace, const simulator::TraceStep& step);

/// The same line, executed by the same warp.
bool is_same_place(const simulator::Trace& trace, std::size_t one, std::size_t other);

bool is_divergent(const simulator::TraceBranch& branch);

/// Rows of a block's steps: a warp's steps follow each other, and all warps begin a new interval together,
/// behind a block barrier.
struct Rows {
  std::map<std::size_t, std::size_t> row_of;       ///< by index into Trace::steps
  std::map<std::uint32_t, std::size_t> first_row;  ///< of each interval
  std::size_t count = 0;
};
/// `chosen`: indices of steps of one block, ascending.
Rows rows_of(const simulator::Trace& trace, const std::vector<std::size_t>& chosen);

}  // namespace warpwise::show
