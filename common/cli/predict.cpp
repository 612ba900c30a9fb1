// predict: numbers are guessed, then measured.

#include <algorithm>
#include <iostream>
#include <optional>

#include "../print/terminal.hpp"
#include "commands.hpp"
#include "guessing.hpp"
#include "student_record.hpp"

namespace warpwise::cli {
namespace {

using print::flush_right;
using print::wrapped_text;

struct PredictOptions {
  std::string chapter, section;  ///< section empty: the first in which something is not right yet
  bool asks_again = false;       ///< what is right already, too
};

/// A question that was asked, and what came of it.
struct Asked {
  const text::Question* question = nullptr;
  std::size_t number = 0;               ///< in its section, from 1
  std::optional<std::string> words;     ///< the guess as typed; nothing: skipped
  std::optional<double> value;          ///< the guess
  std::optional<double> measured = {};  ///< of what was guessed
};

std::vector<text::Section> sections_of(const ChapterFolder& chapter) {
  const std::filesystem::path page = chapter.predictions_file();
  if (!std::filesystem::exists(page))
    throw Failure(chapter.name + " has no questions: " + shown_path(page) + " is missing.", wrong_usage);
  return text::parse_predictions(read_text(page), shown_path(page));
}

const Guess* guess_at(const Guesses& guesses, const text::Section& section, const text::Question& question) {
  const auto found = guesses.find({section.name, question.prompt});
  return found == guesses.end() ? nullptr : &found->second;
}

/// `right` of the questions that are no estimates, which are `all`, and the estimates that were made.
struct Score {
  std::size_t right = 0, all = 0, estimates = 0;
};
Score score_of(const Guesses& guesses, const text::Section& section) {
  Score score;
  for (const text::Question& question : section.questions) {
    const Guess* const guess = guess_at(guesses, section, question);
    const bool counts = guess != nullptr && guess->is_right;
    (question.is_estimate() ? score.estimates : score.right) += counts;
    score.all += !question.is_estimate();
  }
  return score;
}

bool is_done(const Guesses& guesses, const text::Section& section) {
  return std::all_of(section.questions.begin(), section.questions.end(), [&](const text::Question& question) {
    const Guess* const guess = guess_at(guesses, section, question);
    return guess != nullptr && guess->is_right;
  });
}

const text::Section& section_named(const std::string& name, const std::vector<text::Section>& sections,
                                   const ChapterFolder& chapter) {
  std::vector<std::string> names;
  for (const text::Section& section : sections) {
    if (section.name == name) return section;
    names.push_back(section.name);
  }
  throw Failure("there is no section '" + name + "' in " + shown_path(chapter.predictions_file()) +
                    suggestion(name, names),
                wrong_usage);
}

/// The first section in which something is not right yet; null if there is none.
const text::Section* next_section(const std::vector<text::Section>& sections, const Guesses& guesses) {
  const auto next = std::find_if(sections.begin(), sections.end(),
                                 [&](const text::Section& section) { return !is_done(guesses, section); });
  return next == sections.end() ? nullptr : &*next;
}

void print_text(const text::Section& section) {
  std::string_view text = section.text;
  while (!text.empty()) {
    const std::string_view paragraph = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(paragraph.size() + 1, text.size()));
    std::cout << wrapped_text(paragraph, 0, 0) << "\n\n";
  }
}

/// Asks until the answer is a number, or empty. False if the input has ended.
bool ask(Dialogue& dialogue, Asked& asked) {
  while (true) {
    const std::optional<std::string> answer = dialogue.ask("     >");
    if (!answer) return false;
    if (answer->empty()) return true;
    try {
      std::string_view number = *answer;
      if (number.ends_with('%')) number.remove_suffix(1);
      asked.value = evaluate(number);
      asked.words = answer;
      return true;
    } catch (const ExpressionError&) {
      std::cout << "     '" << *answer << "' is not a number; an empty line skips the question.\n";
    }
  }
}

/// The questions of the section that are not right yet, or all, with the reader's answers.
std::vector<Asked> ask_section(const text::Section& section, const Guesses& guesses, bool asks_all) {
  Dialogue dialogue = Dialogue::of_this_process();
  std::vector<Asked> all;
  for (std::size_t i = 0; i < section.questions.size(); ++i) {
    const text::Question& question = section.questions[i];
    const Guess* const before = guess_at(guesses, section, question);
    if (!asks_all && before != nullptr && before->is_right) continue;
    const std::string number = "  " + std::to_string(i + 1) + ". ";
    const std::string memory = before == nullptr || before->is_right
                                   ? ""
                                   : " (Last time you said " + before->words + ", and that was not it.)";
    std::cout << number << wrapped_text(question.prompt + memory, number.size(), number.size()) << '\n';
    all.push_back({&question, i + 1, {}, {}});
    if (!ask(dialogue, all.back())) break;
  }
  return all;
}

/// Launches what the guesses are about, each launch once. In a handout without the solution, on which it is
/// measured, the answer is that of the reason, which the course's own tests hold against the measurement.
void measure_guessed(const ChapterFolder& chapter, std::vector<Asked>& all) {
  Measurements measurements(chapter);
  for (Asked& asked : all) {
    if (!asked.value) continue;
    try {
      asked.measured = chapter.has_solution()
                           ? evaluate(asked.question->counter, measurements.of(asked.question->run))
                           : answer_in(asked.question->why);
    } catch (const ExpressionError& error) {
      throw Failure(shown_path(chapter.predictions_file()) + ":" + std::to_string(asked.question->line) +
                    ": " + error.what());
    }
  }
}

/// Of an estimate: that there is one.
bool is_right(const Asked& asked) {
  return asked.measured && (asked.question->is_estimate() || agrees(*asked.value, *asked.measured));
}

/// Predicted beside measured beside why. What was skipped stays a secret.
void print_table(const ChapterFolder& chapter, const std::vector<Asked>& all, const print::Paint& paint) {
  constexpr std::size_t margin = 4, width = 11, why_column = margin + 2 * width + 5;
  std::cout << '\n'
            << std::string(margin, ' ') << flush_right("predicted", width) << flush_right("measured", width)
            << "     why" << (chapter.has_solution() ? "" : " (measured where the solution is)") << '\n';
  for (const Asked& asked : all) {
    std::cout << flush_right(asked.number, margin - 1) << ' ';
    if (!asked.measured) {
      std::cout << flush_right("skipped", width) << '\n';
      continue;
    }
    const std::string mark = asked.question->is_estimate() ? " "
                             : is_right(asked)             ? paint.good("✓")
                                                           : paint.bad("✗");
    std::cout << flush_right(figure_text(*asked.value), width)
              << flush_right(figure_text(*asked.measured), width) << "  " << mark << "  "
              << wrapped_text(asked.question->why, why_column, why_column) << '\n';
  }
  std::cout << '\n';
}

void remember_guesses(const ChapterFolder& chapter, const text::Section& section,
                      const std::vector<Asked>& all, Guesses& guesses) {
  for (const Asked& asked : all)
    if (asked.measured) guesses[{section.name, asked.question->prompt}] = {*asked.words, is_right(asked)};
  keep(guesses, chapter);
}

/// How the section stands now, and where to go on.
void print_progress(const ChapterFolder& chapter, const text::Section& section,
                    const std::vector<text::Section>& sections, const Guesses& guesses) {
  const std::string command = "  ./warpwise predict " + chapter.short_name() + " ";
  const auto [right, all, estimates] = score_of(guesses, section);
  std::cout << right << " of " << all << " right";
  if (estimates > 0)
    std::cout << ", and " << (estimates == 1 ? "an estimate" : std::to_string(estimates) + " estimates");
  if (!is_done(guesses, section)) {
    std::cout << (right == 0 ? ". Once more:\n" : ". The others, once more:\n") << command << section.name
              << '\n';
  } else if (const text::Section* const next = next_section(sections, guesses)) {
    std::cout << ". Next:\n" << command << next->name << '\n';
  } else {
    std::cout << ". Every prediction of " << chapter.name << " is right.\n";
  }
}

/// Asks the numbers of a section on stdin, measures them, and shows both with the reason. Remembers the
/// guesses.
int predict(const PredictOptions& options) {
  const ChapterFolder chapter = chapter_named(options.chapter);
  if (!chapter.has_solution() && !std::filesystem::exists(chapter.predictions_file()))
    throw no_solution(chapter);
  const std::vector<text::Section> sections = sections_of(chapter);
  Guesses guesses = guesses_kept(chapter);
  const text::Section* section = options.section.empty() ? next_section(sections, guesses)
                                                         : &section_named(options.section, sections, chapter);
  if (section == nullptr && options.asks_again) section = &sections.front();
  const std::string word = section == nullptr ? "" : " " + section->name;
  if (section == nullptr || (is_done(guesses, *section) && !options.asks_again)) {
    std::cout << "Every prediction of " << chapter.name << word << " is right. Once more:\n"
              << "  ./warpwise predict " << chapter.short_name() << word << " --again\n";
    return all_well;
  }
  std::cout << chapter.name << word << ": guess first, then it is measured.\n"
            << "A number, or arithmetic such as 8 * 5 + 7; an empty line skips a question.\n\n";
  print_text(*section);
  std::vector<Asked> all = ask_section(*section, guesses, options.asks_again);
  if (std::none_of(all.begin(), all.end(), [](const Asked& asked) { return asked.value.has_value(); })) {
    std::cout << "\nNothing was guessed, so nothing is shown.\n";
    return all_well;
  }
  measure_guessed(chapter, all);
  print_table(chapter, all, print::Paint::for_stdout());
  remember_guesses(chapter, *section, all, guesses);
  print_progress(chapter, *section, sections, guesses);
  return all_well;
}

void add_arguments(Arguments& arguments, PredictOptions& options) {
  arguments.option("chapter", options.chapter, "ch01, ch01_naive or 1").required();
  arguments.option("section", options.section, "default: the first in which something is not right yet");
  arguments.flag("--again", options.asks_again, "also ask questions that you have already got right");
  arguments.footer("Answers may come from a pipe. An empty line skips a question.");
}

const RegisterCommand predict_command("predict", with_options<PredictOptions>(add_arguments, predict));

}  // namespace
}  // namespace warpwise::cli
