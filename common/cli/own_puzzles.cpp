#include "own_puzzles.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "../compile/compile.hpp"
#include "build.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;
using text::Lines;

std::string trimmed(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return begin == line.npos ? "" : line.substr(begin, line.find_last_not_of(" \r") + 1 - begin);
}

bool is_barrier(const std::string& code) {
  return code.starts_with("__syncthreads(") || code.starts_with("__syncwarp(");
}

/// The line with `by` in place of the first `what`; empty if it has none.
std::string changed(const std::string& line, std::string_view what, std::string_view by) {
  const std::size_t at = line.find(what);
  return at == line.npos ? "" : line.substr(0, at) + std::string(by) + line.substr(at + what.size());
}

std::vector<std::string> changes_of(const std::string& line) {
  std::vector<std::string> changes = {changed(line, "__syncthreads()", "__syncwarp()"),
                                      changed(line, " < ", " <= ")};
  if (line.find("for (") == line.npos) changes.push_back(changed(line, " += ", " = "));
  std::erase(changes, "");
  return changes;
}

struct Rejection {
  report::Aspect aspect = {};
  report::Failure failure;
};

/// What the checks of the chapter, which is built, say first against the kernel: a finding before anything
/// else, because that has a kind and a line. Nothing if they accept it, or it does not compile.
std::optional<Rejection> rejection_of(const ChapterFolder& chapter, const std::string& kernel,
                                      const fs::path& source) {
  const fs::path module = fs::path(source).replace_extension(".ptx");
  const compile::Made made = compile::make_module(
      {.source = source, .include_folders = {course_folder(), chapter.folder}}, module, text::installation());
  if (!made.is_made) return std::nullopt;
  const report::Report report =
      report_of({chapter.executable().string(), module.string(), "--device", "sim", "--kernel", kernel},
                "the checks of " + chapter.name + " cannot be run");
  std::optional<Rejection> first;
  for (const report::Verdict& verdict : report.verdicts)
    for (const report::Failure& failure : verdict.failures)
      if (verdict.kernel == kernel && !failure.is_broken &&
          (!first || (first->failure.findings.empty() && !failure.findings.empty())))
        first = {verdict.aspect, failure};
  return first;
}

}  // namespace

std::vector<Mutation> mutations_of(const text::Source& exercise, const std::string& kernel) {
  const text::Source own(text::without_anchors(exercise.own_text(kernel)));
  const Lines lines = text::lines_of(own.text());
  std::vector<Mutation> mutations;
  const auto add = [&](Lines with, std::set<unsigned> at, const std::string& before) {
    mutations.push_back({text::joined(with), std::move(at), before});
  };
  for (const text::Function& function : own.kernel_and_callees(kernel)) {
    const auto length =
        static_cast<std::size_t>(std::count(function.code.begin(), function.code.end(), '\n'));
    for (std::size_t at = function.line - 1; at < std::min(function.line + length, lines.size()); ++at) {
      const std::string code = trimmed(lines[at]);
      const auto number = static_cast<unsigned>(at + 1);
      if (code.starts_with("//")) continue;
      if (is_barrier(code)) {
        Lines without = lines;
        without.erase(without.begin() + static_cast<long>(at));
        add(std::move(without), {number - 1, number},
            "between lines " + std::to_string(number - 1) + " and " + std::to_string(number) + " stood `" +
                code + "`");
      }
      for (const std::string& change : changes_of(lines[at])) {
        Lines with = lines;
        with[at] = change;
        add(std::move(with), {number}, "line " + std::to_string(number) + " was `" + code + "`");
      }
    }
  }
  return mutations;
}

std::optional<OwnPuzzle> own_puzzle(const ChapterFolder& chapter, const std::vector<std::string>& kernels,
                                    unsigned long long seed, const std::set<std::string>& solved) {
  std::vector<std::pair<std::string, Mutation>> all;
  for (const std::string& kernel : kernels)
    for (Mutation& mutation : mutations_of(chapter.exercise(), kernel))
      all.emplace_back(kernel, std::move(mutation));
  std::mt19937_64 random(seed);
  std::shuffle(all.begin(), all.end(), random);
  const auto title_of = [](const auto& one) {
    return one.first + "_" + text::hexadecimal(text::hash_of(one.second.source));
  };
  std::stable_partition(all.begin(), all.end(),
                        [&](const auto& one) { return !solved.contains(title_of(one)); });
  build_or_fail({chapter.name});
  const fs::path source = chapter.built / "puzzle.cu";
  for (const auto& one : all) {
    text::write_text(source, one.second.source);
    const std::optional<Rejection> rejection = rejection_of(chapter, one.first, source);
    if (!rejection) continue;
    const auto& [aspect, failure] = *rejection;
    const std::string kind(failure.findings.empty() ? name_of(aspect)
                                                    : name_of(failure.findings.front().kind));
    const std::vector<std::string> kinds = answer_kinds();
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) continue;
    OwnPuzzle own{
        .puzzle = {.attempt = {}, .source = one.second.source, .kind = {}, .lines = one.second.lines},
        .failure = failure};
    own.puzzle.attempt.name = title_of(one);
    own.puzzle.attempt.kernel = one.first;
    own.puzzle.attempt.why = one.second.why;
    own.puzzle.kind = kind;
    return own;
  }
  return std::nullopt;
}

}  // namespace warpwise::cli
