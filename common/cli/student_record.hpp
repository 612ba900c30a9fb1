#pragma once
/// \file What is remembered about a student in the build tree: hints, guesses and puzzles. (Judgements:
/// student_progress.hpp.)

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../print/unpredicted.hpp"
#include "clone.hpp"

namespace warpwise::cli {

/// How many hints of each kernel have been shown.
using HintsShown = std::map<std::string, std::size_t>;
HintsShown hints_shown(const ChapterFolder& chapter);
void keep_hints_shown(const HintsShown& hints, const ChapterFolder& chapter);
void forget_hints_shown(const ChapterFolder& chapter);

/// The names of the puzzles that have been solved.
std::set<std::string> puzzles_solved();
void keep_puzzle_solved(const std::string& name);

struct Guess {
  std::string words;  ///< as typed
  bool is_right = false;
  bool operator==(const Guess&) const = default;
};

/// The last guess at each question, by section and prompt: a question that is worded anew is a new one.
using Guesses = std::map<std::pair<std::string, std::string>, Guess>;

Guesses guesses_kept(const ChapterFolder& chapter);
void keep(const Guesses& guesses, const ChapterFolder& chapter);

/// The questions about kernels of the chapter that have no guess yet, in the order of lesson/predict.md; none
/// where there is no such page, or no solution to be measured, and of a page that cannot be read.
std::vector<print::Unpredicted> unpredicted(const ChapterFolder& chapter);

}  // namespace warpwise::cli
