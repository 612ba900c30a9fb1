#include "student_record.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "../text/predictions.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

fs::path file_of_hints(const ChapterFolder& chapter) { return chapter.built / "hints-shown"; }
fs::path file_of_puzzles() { return build_folder() / "puzzles-solved"; }
fs::path file_of_guesses(const ChapterFolder& chapter) { return chapter.built / "predicted"; }

}  // namespace

HintsShown hints_shown(const ChapterFolder& chapter) {
  std::istringstream lines(text_or_nothing(file_of_hints(chapter)));
  HintsShown hints;
  std::string kernel;
  for (std::size_t count = 0; lines >> kernel >> count;) hints[kernel] = count;
  return hints;
}

void keep_hints_shown(const HintsShown& hints, const ChapterFolder& chapter) {
  fs::create_directories(chapter.built);
  std::ofstream file(file_of_hints(chapter));
  for (const auto& [kernel, count] : hints) file << kernel << ' ' << count << '\n';
}

void forget_hints_shown(const ChapterFolder& chapter) { fs::remove(file_of_hints(chapter)); }

std::set<std::string> puzzles_solved() {
  std::istringstream words(text_or_nothing(file_of_puzzles()));
  return {std::istream_iterator<std::string>(words), {}};
}

void keep_puzzle_solved(const std::string& name) {
  std::set<std::string> names = puzzles_solved();
  names.insert(name);
  std::ofstream file(file_of_puzzles());
  for (const std::string& each : names) file << each << '\n';
}

Guesses guesses_kept(const ChapterFolder& chapter) {
  Guesses guesses;
  for (const std::string& line : text::lines_of(text_or_nothing(file_of_guesses(chapter)))) {
    const std::vector<std::string> cells = text::tab_separated(line);  // verdict, section, prompt, words
    if (cells.size() == 4 && (cells[0] == "right" || cells[0] == "wrong"))
      guesses[{cells[1], cells[2]}] = {cells[3], cells[0] == "right"};
  }
  return guesses;
}

void keep(const Guesses& guesses, const ChapterFolder& chapter) {
  fs::create_directories(chapter.built);
  std::ofstream file(file_of_guesses(chapter));
  for (const auto& [question, guess] : guesses)
    file << (guess.is_right ? "right" : "wrong") << '\t' << question.first << '\t' << question.second << '\t'
         << guess.words << '\n';
}

std::vector<print::Unpredicted> unpredicted(const ChapterFolder& chapter) {
  const fs::path page = chapter.predictions_file();
  if (!fs::exists(page)) return {};
  const Guesses guesses = guesses_kept(chapter);
  const std::vector<std::string> kernels = chapter.exercise().kernels();
  std::vector<print::Unpredicted> open;
  const auto add = [&](const std::string& kernel, const text::Section& section,
                       const text::Question& question) {
    open.push_back({kernel, section.name, question.counter});
    // A kernel that comes later may cost the same: it would give the answer away.
    for (auto later = std::find(kernels.begin(), kernels.end(), kernel); later != kernels.end(); ++later)
      if (*later != kernel) open.push_back({*later, section.name, question.counter});
  };
  try {
    for (const text::Section& section : text::parse_predictions(read_text(page), shown_path(page)))
      for (const text::Question& question : section.questions)
        if (question.run.of == text::MeasuredRun::Of::solution &&
            !guesses.contains({section.name, question.prompt}))
          add(question.run.kernel, section, question);
  } catch (const text::PageError&) {
    return {};  // `predict` says why
  }
  return open;
}

}  // namespace warpwise::cli
