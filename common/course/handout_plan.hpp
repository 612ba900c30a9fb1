#pragma once
/// \file What a handout was made from: handout.txt at its root, from which the solutions are added later.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::course {

inline constexpr const char* handout_plan_file = "handout.txt";

/// In the paths of a module that is handed out: the folder of the clone that runs it.
inline constexpr const char* root_in_module = "@ROOT@";

struct HandoutPlan {
  std::string commit;                 ///< of the course
  std::vector<std::string> chapters;  ///< "ch01_naive", ascending
  std::vector<std::string> solved;    ///< those of them whose solutions are there
  bool has_attempts = true;           ///< what is known to be done wrongly; before the solutions as sentences
  std::string solutions_come;         ///< when, in the instructor's words; empty: not said
  std::string variant;                ///< seed of the variant; empty: the course as it is
};

/// handout.txt: a comment, then a line for each member that is not empty: a word and its value.
std::string spelled(const HandoutPlan& plan);

/// Nothing if `text` names no commit or no chapter.
std::optional<HandoutPlan> parse_handout_plan(std::string_view text);

}  // namespace warpwise::course
