#include "handout_plan.hpp"

#include <map>
#include <sstream>

namespace warpwise::course {
namespace {

std::string spelled(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += " " + word;
  return text;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

}  // namespace

std::string spelled(const HandoutPlan& plan) {
  std::string text = "# What ./warpwise handout made this repository from.\ncommit " + plan.commit + "\n";
  text += "chapters" + spelled(plan.chapters) + "\n";
  if (!plan.solved.empty()) text += "solved" + spelled(plan.solved) + "\n";
  text += std::string("attempts ") + (plan.has_attempts ? "yes" : "no") + "\n";
  if (!plan.solutions_come.empty()) text += "solutions-come " + plan.solutions_come + "\n";
  if (!plan.variant.empty()) text += "variant " + plan.variant + "\n";
  return text;
}

std::optional<HandoutPlan> parse_handout_plan(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::map<std::string, std::string> values;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = line.find(' ');
    if (blank != line.npos) values[line.substr(0, blank)] = line.substr(blank + 1);
  }
  const HandoutPlan plan{values["commit"],           words_of(values["chapters"]), words_of(values["solved"]),
                         values["attempts"] != "no", values["solutions-come"],     values["variant"]};
  if (plan.commit.empty() || plan.chapters.empty()) return std::nullopt;
  return plan;
}

}  // namespace warpwise::course
