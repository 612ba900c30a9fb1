#pragma once
/// \file How a command ends when it cannot do what it was asked, and what was probably meant.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::cli {

/// Exit statuses of ./warpwise.
inline constexpr int all_well = 0;
inline constexpr int failed = 1;       ///< a check or the program failed
inline constexpr int wrong_usage = 2;  ///< what was asked for does not exist

/// One sentence for the user and the exit status; a program prints it as "warpwise: what()".
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& sentence, int status = failed)
      : std::runtime_error(sentence), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

using Words = std::vector<std::string>;

/// main's words are handed to `run`, without the program's name. Returns its exit status; a Failure is said
/// in one sentence, "warpwise: …". Marks are ASCII where the terminal has no others.
int run_program(int count, char** words, int (*run)(const Words&));

// --- "Did you mean ...?" ----------------------------------------------------------------------------------

/// How many letters must be added, removed or replaced, or neighbours exchanged, to turn one word into the
/// other (Damerau and Levenshtein; no letter is moved twice).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that begins with `word`, else the one nearest to it; empty if none is near enough to be
/// meant (more than half differs).
std::string nearest(std::string_view word, const Words& candidates);

/// "list, run, tour"
std::string joined(const Words& words);

/// "; did you mean tour?" or, where nothing is near, "; there are: list, run, tour". For the end of a
/// sentence.
std::string suggestion(std::string_view word, const Words& candidates);

/// "; there are: list, run, tour.", of many only the first; "." of none. Likewise.
std::string list_of(const Words& candidates);

}  // namespace warpwise::cli
