#include "subject.hpp"

#include <algorithm>

#include "attempts.hpp"
#include "failure.hpp"
#include "handed_out.hpp"
#include "suggestion.hpp"

#include "../text/contract.hpp"
#include "../text/source.hpp"

namespace warpwise::cli {

namespace fs = std::filesystem;

namespace {

/// `kind`: attempt or accepted, as the names of targets say it.
Subject variant_subject(const Chapter& chapter, const text::AttemptText& text, const std::string& kind) {
  const fs::path folder = chapter.built / (kind == "attempt" ? "attempts" : kind);
  return {folder / (text.name + ".cu"), chapter.name + "." + kind + "." + text.name,
          folder / (text.name + ".ptx"), text};
}

}  // namespace

Subject subject_of(const Chapter& chapter, bool uses_solution, const std::string& attempt) {
  if ((uses_solution || !attempt.empty()) && !fs::exists(chapter.solution())) throw no_solution(chapter);
  if (attempt.empty()) {
    const std::string name = uses_solution ? "solution" : "exercise";
    return {chapter.folder / (name + ".cu"), chapter.name + "." + name, chapter.built / (name + ".ptx")};
  }
  return variant_subject(chapter, attempt_named(fs::path(attempt).stem().string(), chapter), "attempt");
}

Subject accepted_subject(const Chapter& chapter, const std::string& name) {
  return variant_subject(chapter, accepted_named(fs::path(name).stem().string(), chapter), "accepted");
}

void expect_source(const Chapter& chapter, const Subject& subject) {
  if (!subject.attempt && !fs::exists(subject.source))
    throw Failure(shown_path(subject.source) + " is missing; ./warpwise reset " + chapter.name.substr(0, 4) +
                  " brings the skeleton back.");
}

std::string kernel_that_calls(const Chapter& chapter, const std::string& function) {
  const std::string source = text_or_nothing(chapter.exercise());
  for (const text::FunctionText& kernel : text::kernels_in(source))
    for (const text::FunctionText& callee : text::kernel_and_callees(source, kernel.name))
      if (!callee.is_kernel && callee.name == function) return kernel.name;
  return {};
}

void expect_kernel(const Chapter& chapter, const std::string& kernel) {
  const std::vector<std::string> names = text::kernels_declared_in(read_text(chapter.folder / "kernels.hpp"));
  const bool is_there = std::find(names.begin(), names.end(), kernel) != names.end();
  if (kernel.empty() || names.empty() || is_there) return;
  const std::string user = kernel_that_calls(chapter, kernel);
  throw Failure(
      chapter.name + " has no kernel '" + kernel + "'" +
          (user.empty() ? suggestion(kernel, names) : ": it is a function, which is judged with " + user),
      wrong_usage);
}

}  // namespace warpwise::cli
