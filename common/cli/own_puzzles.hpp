#pragma once
/// \file Puzzles of kernels that the reader has written: where a handout has no solution, the reader's own
/// right kernel with one mistake put in is a puzzle, and gives nothing away.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "puzzles.hpp"

namespace warpwise::cli {

/// A kernel's file with one mistake.
struct Mutation {
  std::string source;        ///< the kernel and the functions that it calls
  std::set<unsigned> lines;  ///< of `source`: the changed one, or those around what was taken away
  std::string why;           ///< what stood there: "line 9 was `...`"
};

/// In each line that one fits: a barrier taken away, a barrier of the block made one of the warp, `<` made
/// `<=`, `+=` made `=`. Whether it is a mistake the checks must say.
std::vector<Mutation> mutations_of(const text::Source& exercise, const std::string& kernel);

/// The first of the mutations of `kernels`, in an order that `seed` decides, that the chapter's checks reject
/// and `solved` does not name; or, where all are solved, that they reject. Nothing if they accept all.
struct OwnPuzzle {
  Puzzle puzzle;
  report::Failure failure;
};
std::optional<OwnPuzzle> own_puzzle(const ChapterFolder& chapter, const std::vector<std::string>& kernels,
                                    unsigned long long seed, const std::set<std::string>& solved);

}  // namespace warpwise::cli
