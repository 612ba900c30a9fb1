#pragma once
/// \file "Did you mean ...?"

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::cli {

/// How many letters must be added, removed or replaced, or neighbours exchanged, to turn one word into the
/// other (Damerau and Levenshtein; no letter is moved twice).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that begins with `word`, else the one nearest to it; empty where none is near enough to be
/// meant (more than half differs).
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "list, run, tour"
std::string joined(const std::vector<std::string>& words);

/// "; did you mean tour?" or, where nothing is near, "; there are: list, run, tour". For the end of a
/// sentence.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

/// "; there are: list, run, tour.", of many only the first; "." of none. Likewise.
std::string list_of(const std::vector<std::string>& candidates);

}  // namespace warpwise::cli
