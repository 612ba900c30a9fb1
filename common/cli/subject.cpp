#include "subject.hpp"

#include "attempts.hpp"
#include "failure.hpp"
#include "handed_out.hpp"

namespace warpwise::cli {

namespace fs = std::filesystem;

Subject subject_of(const Chapter& chapter, bool uses_solution, const std::string& attempt) {
  if ((uses_solution || !attempt.empty()) && !fs::exists(chapter.solution())) throw no_solution(chapter);
  if (attempt.empty()) {
    const std::string name = uses_solution ? "solution" : "exercise";
    return {chapter.folder / (name + ".cu"), chapter.name + "." + name, chapter.built / (name + ".ptx")};
  }
  const harness::AttemptText text = attempt_named(fs::path(attempt).stem().string(), chapter);
  const fs::path folder = chapter.built / "attempts";
  return {folder / (text.name + ".cu"), chapter.name + ".attempt." + text.name, folder / (text.name + ".ptx"),
          text};
}

void expect_source(const Chapter& chapter, const Subject& subject) {
  if (!subject.attempt && !fs::exists(subject.source))
    throw Failure(shown(subject.source) + " is missing; ./warpwise reset " + chapter.name.substr(0, 4) +
                  " brings the skeleton back.");
}

}  // namespace warpwise::cli
