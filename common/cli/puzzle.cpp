// puzzle: a wrong kernel without its label.

#include <algorithm>
#include <iostream>
#include <random>
#include <set>

#include "../print/terminal.hpp"
#include "../report/report.hpp"
#include "../text/rejection.hpp"
#include "build.hpp"
#include "guessing.hpp"
#include "own_puzzles.hpp"
#include "puzzles.hpp"
#include "student_progress.hpp"
#include "student_record.hpp"

namespace warpwise::cli {
namespace {

using print::wrapped_text;

struct PuzzleOptions {
  std::string chapter;                     ///< empty: any
  std::optional<unsigned long long> seed;  ///< the same puzzle for the same seed
  bool shows_unsolved = false;             ///< of kernels, too, that are still to be written
};

/// What the chapter's checks say of the kernel.
struct Judgement {
  std::string sentence;
  std::set<unsigned> lines;          ///< that they name
  std::set<std::string> kinds = {};  ///< of everything that they find, whatever the puzzle is about
};
struct Posed {
  ChapterFolder chapter;
  Puzzle puzzle;
  bool is_solved_by_reader = false;         ///< whose own kernel is right: it gives nothing away
  std::optional<Judgement> judgement = {};  ///< of a kernel of the reader's own, which no attempt is
};

/// `chapter`: where the reader is to write something first; `kernel`: what, where one puzzle was asked for.
Failure gives_solution_away(const ChapterFolder& chapter, const std::string& kernel = {}) {
  const std::string name = chapter.short_name();
  return Failure("a puzzle shows the solution except for one mistake, so write " +
                 (kernel.empty() ? "its kernel" : kernel) + " first (./warpwise run " + name +
                 (kernel.empty() ? "" : " " + kernel) + "), or look at it anyway: ./warpwise puzzle " + name +
                 " --anyway");
}

std::vector<Posed> all_puzzles(const std::string& chapter) {
  const std::vector<ChapterFolder> chapters =
      chapter.empty() ? chapters_of_this_clone() : std::vector{chapter_named(chapter)};
  std::vector<Posed> all;
  for (const ChapterFolder& each : chapters) {
    const ChapterProgress progress(each);
    for (Puzzle& puzzle : puzzles_of(each)) {
      const bool is_right = progress.is_right(puzzle.attempt.kernel);
      all.push_back({each, std::move(puzzle), is_right});
    }
  }
  if (all.empty() && !is_handout()) throw Failure(chapter + " has no puzzles.", wrong_usage);
  return all;
}

/// Of the kernels in `chapter` (empty: in any) that are right, one with a mistake put in.
Posed own_puzzle_posed(const std::string& chapter, unsigned long long seed, bool is_same_for_all) {
  const std::set<std::string> solved = is_same_for_all ? std::set<std::string>{} : puzzles_solved();
  const std::vector<ChapterFolder> chapters =
      chapter.empty() ? chapters_of_this_clone() : std::vector{chapter_named(chapter)};
  bool has_right = false;
  for (const ChapterFolder& each : chapters) {
    std::vector<std::string> right;
    const ChapterProgress progress(each);
    for (const KernelProgress& one : progress.kernels())
      if (one.state == KernelState::right) right.push_back(one.kernel);
    has_right = has_right || !right.empty();
    if (auto own = own_puzzle(each, right, seed, solved)) {
      Judgement judgement{text::spelled(own->failure), lines_found_in("puzzle.cu", own->failure)};
      return {each, std::move(own->puzzle), true, std::move(judgement)};
    }
  }
  const std::string name = chapters.front().short_name();
  throw Failure(has_right
                    ? "no mistake that this command knows makes one of your kernels wrong."
                    : "a puzzle here is a kernel of your own with a mistake put in, so write one first: "
                      "./warpwise run " +
                          name);
}

/// By chance, the unsolved ones first; with a seed, the same for the same seed.
const Posed& choose(const std::vector<Posed>& all, std::optional<unsigned long long> seed) {
  std::vector<const Posed*> open;
  const std::set<std::string> solved = seed ? std::set<std::string>{} : puzzles_solved();
  for (const Posed& posed : all)
    if (!solved.contains(posed.puzzle.attempt.name)) open.push_back(&posed);
  if (open.empty())
    for (const Posed& posed : all) open.push_back(&posed);
  std::mt19937_64 random(seed ? *seed : std::random_device{}());
  return *open[random() % open.size()];
}

/// The smallest seed with which `choose` takes this one of `all`.
unsigned long long seed_of(const std::vector<Posed>& all, const std::string& attempt) {
  unsigned long long seed = 1;
  while (choose(all, seed).puzzle.attempt.name != attempt) ++seed;
  return seed;
}

/// `where_from`: "2 of 9 puzzles solved."
void pose(const Posed& posed, const std::string& where_from, unsigned long long seed) {
  const std::string& kernel = posed.puzzle.attempt.kernel;
  std::cout << wrapped_text(posed.chapter.name + ", " + kernel + ": one thing is wrong here. (" + where_from +
                                " This one again: --seed " + std::to_string(seed) + ".)",
                            0, 0)
            << "\n\n"
            << wrapped_text(
                   "What it must do: " + shown_path(posed.chapter.contract_file()) + ":" +
                       std::to_string(posed.chapter.contract(kernel).line) +
                       ". The kind is that of the finding; or `result`, wrong for some input or some "
                       "schedule; or `technique`, right, but not as the contract asks.",
                   0, 0)
            << "\n\n"
            << code_without_comments(posed.puzzle.source)
            << '\n'
            // The last on the screen: the code may have pushed the rest off it.
            << wrapped_text("Which line, and what kind of mistake? Kinds: " + joined(answer_kinds()) + ".", 0,
                            0)
            << "\n\n";
}

/// What is right in a wrong answer.
std::string advice(const Answer& answer, bool is_line_right, bool is_kind_right) {
  if (answer.line == 0 || answer.kind.empty())
    return "Please name both a line and a kind, such as: 9 race. An empty line gives up.";
  if (is_line_right) return "The line is right, but not the kind.";
  if (is_kind_right) return "The kind is right, but not the line.";
  return "Neither is right. Try again; an empty line gives up.";
}

/// What may be said of a kernel that fails so: the kinds of the findings, and `result` if it is wrong in the
/// usual order, too, and not only where warps overtake each other.
std::set<std::string> kinds_of(const report::Verdict& verdict) {
  std::set<std::string> kinds;
  for (const report::Failure& failure : verdict.failures) {
    for (const simulator::Finding& finding : failure.findings) kinds.emplace(name_of(finding.kind));
    if (verdict.aspect == report::Aspect::result && !failure.sentence.starts_with("under the schedule"))
      kinds.emplace(name_of(verdict.aspect));
  }
  return kinds;
}

Judgement judgement_of(const Posed& posed) {
  if (posed.judgement) return *posed.judgement;
  const Subject subject = subject_of(posed.chapter, false, posed.puzzle.attempt.name);
  build_or_fail(posed.chapter, subject);
  const report::Report report = report_of({posed.chapter.executable().string(), subject.module.string(),
                                           "--device", "sim", "--kernel", posed.puzzle.attempt.kernel},
                                          "the checks of " + posed.chapter.name + " cannot be run");
  const text::ExpectedRejection expected = text::read_rejection(subject.source.string());
  std::set<std::string> kinds;
  for (const report::Verdict& verdict : report.verdicts)
    if (verdict.kernel == posed.puzzle.attempt.kernel) kinds.merge(kinds_of(verdict));
  for (const report::Verdict& verdict : report.verdicts)
    for (const report::Failure& failure : verdict.failures)
      if (text::is_rejection(expected, failure))
        return {text::spelled(failure), lines_found_in(subject.source, failure), kinds};
  throw Failure("the checks of " + posed.chapter.name + " do not say what " + posed.puzzle.attempt.name +
                " promises.");
}

/// `is_answered`: or given up.
void print_answer(const Posed& posed, const std::string& judgement, bool is_answered,
                  const print::Paint& paint) {
  const Puzzle& puzzle = posed.puzzle;
  std::string lines;
  for (const unsigned line : puzzle.lines) lines += (lines.empty() ? "line " : " or ") + std::to_string(line);
  std::cout << (is_answered ? paint.good("✓ ") : paint.bad("✗ ")) << puzzle.kind << ", " << lines << "\n\n"
            << code_without_comments(puzzle.source, puzzle.lines) << '\n'
            << "  why      " << wrapped_text(puzzle.attempt.why, 11, 11) << '\n'
            << "  checked  " << wrapped_text(judgement, 11, 11) << "\n\n";
  if (posed.judgement) return;  // it has no name
  const std::string name = posed.chapter.short_name() + " --attempt " + puzzle.attempt.name;
  std::cout << "To see its picture, and everything the checks say:\n"
            << "  ./warpwise show " << name << "\n  ./warpwise run " << name << '\n';
}

/// Shows a wrong kernel without its label and asks on stdin for a line and a kind. Remembers what is solved.
int ask_puzzle(const Posed& posed, const std::string& where_from, unsigned long long seed) {
  pose(posed, where_from, seed);

  std::optional<Judgement> judgement;  // builds, and may show how far it is: once, and where it is needed
  const auto judged = [&] { return judgement ? *judgement : *(judgement = judgement_of(posed)); };
  // A line that the checks name is as good as one that was changed, if it is in the same function.
  const auto is_line_right = [&](const Answer& answer) {
    const Puzzle& asked = posed.puzzle;
    return answer.line != 0 &&
           (asked.lines.contains(answer.line) ||
            in_their_functions(judged().lines, asked.lines, asked.source).contains(answer.line));
  };
  const auto is_kind_right = [&](const Answer& answer) {
    return answer.kind == posed.puzzle.kind || (!answer.kind.empty() && judged().kinds.contains(answer.kind));
  };
  Dialogue dialogue = Dialogue::of_this_process();
  while (const std::optional<std::string> words = dialogue.ask("line and kind >")) {
    const Answer answer = parse_answer(*words);
    const bool is_line = is_line_right(answer), is_kind = is_kind_right(answer),
               is_right = is_line && is_kind;
    if (!is_right && !words->empty()) {
      std::cout << advice(answer, is_line, is_kind) << '\n';
      continue;
    }
    if (is_right) keep_puzzle_solved(posed.puzzle.attempt.name);
    print_answer(posed, judged().sentence, is_right, print::Paint::for_stdout());
    return all_well;
  }
  std::cout << "No answer, so it stays unsolved.\n";
  return all_well;
}

int puzzle(const PuzzleOptions& options) {
  const std::vector<Posed> with_seeds = all_puzzles(options.chapter);
  if (with_seeds.empty()) {  // a handout, where there is nothing to make attempts from
    constexpr unsigned long long most_seeds = 1000;
    const unsigned long long seed = options.seed ? *options.seed : std::random_device{}() % most_seeds;
    return ask_puzzle(own_puzzle_posed(options.chapter, seed, options.seed.has_value()),
                      "It is yours, with a mistake put in.", seed);
  }
  std::vector<Posed> all = with_seeds;
  const ChapterFolder first = all.front().chapter;
  // With a seed it is the same puzzle for everybody, whoever has written what.
  if (!options.shows_unsolved && !options.seed)
    std::erase_if(all, [](const Posed& posed) { return !posed.is_solved_by_reader; });
  if (all.empty()) throw gives_solution_away(first);
  const Posed& posed = choose(all, options.seed);
  if (!options.shows_unsolved && !posed.is_solved_by_reader)
    throw gives_solution_away(posed.chapter, posed.puzzle.attempt.kernel);
  const std::set<std::string> solved = puzzles_solved();
  const auto solved_here = std::count_if(
      all.begin(), all.end(), [&](const Posed& one) { return solved.contains(one.puzzle.attempt.name); });
  return ask_puzzle(posed,
                    std::to_string(solved_here) + " of " + std::to_string(all.size()) + " puzzles solved.",
                    options.seed ? *options.seed : seed_of(with_seeds, posed.puzzle.attempt.name));
}

void add_arguments(Arguments& arguments, PuzzleOptions& options) {
  arguments.option("chapter", options.chapter, "ch01, ch01_naive or 1 (default: any)");
  arguments.option("--seed", options.seed, "the same seed gives the same puzzle");
  arguments.flag(
      "--anyway", options.shows_unsolved,
      "include kernels that you have not written yet; shows the whole solution except for the mistake");
  arguments.footer("Answer with a line and a kind, such as `9 race`. An empty line gives up.");
}

const RegisterCommand puzzle_command("puzzle", with_options<PuzzleOptions>(add_arguments, puzzle));

}  // namespace
}  // namespace warpwise::cli
