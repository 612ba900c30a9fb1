#include "commands.hpp"

#include <algorithm>
#include <exception>
#include <iostream>
#include <numeric>
#include <utility>

#include "../print/terminal.hpp"

namespace warpwise::cli {

int run_program(int count, char** words, int (*run)(const Words&)) {
  const print::AsciiMarks marks(std::cout);
  try {
    return run(Words(words + std::min(count, 1), words + count));
  } catch (const Failure& failure) {
    std::cerr << "warpwise: " << failure.what() << "\n";
    return failure.status();
  } catch (const std::exception& error) {
    std::cerr << "warpwise: " << error.what() << "\n";
    return failed;
  }
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // row[j]: distance from the first i letters of a to the first j of b; of the letters before: above, and
  // one more: highest.
  std::vector<std::size_t> highest, above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    highest = std::exchange(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
      const bool is_exchange = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_exchange) row[j] = std::min(row[j], highest[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  for (const std::string& candidate : candidates) {
    if (word.size() > 1 && candidate.starts_with(word)) return candidate;
  }
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(word.size() / 2, 1) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? list_of(candidates) : "; did you mean " + near + "?";
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string list_of(const std::vector<std::string>& candidates) {
  constexpr std::size_t most = 24;  // a list that is read
  Words shown = candidates;
  shown.resize(std::min(most, shown.size()));
  std::string all = joined(shown);
  if (candidates.size() > most) all += " and " + std::to_string(candidates.size() - most) + " more";
  return all.empty() ? "." : "; there are: " + all + ".";
}

}  // namespace warpwise::cli
