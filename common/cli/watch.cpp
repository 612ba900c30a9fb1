#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "build.hpp"
#include "run.hpp"
#include "show.hpp"
#include "student_progress.hpp"

namespace warpwise::cli {
namespace {

struct WatchOptions {
  RunOptions run;           ///< of each round
  bool keeps_page = false;  ///< draws the kernel again after each save
  TypedLine line = {};
};

namespace fs = std::filesystem;

/// When each source file of a chapter was last saved. A file that an editor is replacing right now is
/// missing, and counts as changed when it is back.
using SaveTimes = std::map<fs::path, fs::file_time_type>;

SaveTimes save_times(const ChapterFolder& chapter) {
  SaveTimes times;
  for (const fs::path& folder : {chapter.folder, chapter.checks_folder()}) {
    std::error_code error;  // what is gone has no time
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const fs::path extension = entry.path().extension();
      if (extension != ".cu" && extension != ".hpp" && extension != ".cpp") continue;
      const fs::file_time_type time = fs::last_write_time(entry.path(), error);
      if (!error) times[entry.path()] = time;
    }
  }
  return times;
}

/// Whether anything but a kernel file was saved, for which the chapter's program is built again.
bool has_saved_checks(const SaveTimes& before, SaveTimes now) {
  std::erase_if(now, [&](const auto& saved) {
    const auto known = before.find(saved.first);
    return saved.first.extension() == ".cu" || (known != before.end() && known->second == saved.second);
  });
  return !now.empty();
}

/// On a terminal that knows how.
bool can_clear_screen() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

/// What is judged next, and the chapters in which a save is waited for.
struct Round {
  RunOptions options;
  std::vector<ChapterFolder> chapters;  ///< the one that was judged, and the next one where it is done
};

/// Judges once. Where all is well, the next kernel or chapter is looked at as well from now on.
Round judge_round(RunOptions options, const ChapterFolder& chapter) {
  Round round{options, {chapter}};
  try {
    // By this line and the last one an editor tells the rounds apart (.vscode/tasks.json).
    std::cout << "Judging " << shown_path(chapter.folder) << "/" << std::endl;
    const bool is_right = run(options) == all_well;
    if (!is_right || options.uses_solution || !options.attempt.empty()) return round;
    const auto next = next_step(progress_of(chapters_of_this_clone()), chapter.name);
    if (!next) return round;
    const bool is_other_chapter = next->chapter.name != chapter.name;
    if (is_other_chapter) round.chapters.push_back(next->chapter);
    if (!is_other_chapter && !options.kernel.empty()) round.options.kernel = next->kernel.kernel;
  } catch (const Failure& failure) {
    if (failure.status() == wrong_usage) throw;
    std::cout << "warpwise: " << failure.what() << "\n";
  } catch (const std::exception& error) {  // a page that cannot be read
    std::cout << "warpwise: " << error.what() << "\n";
  }
  return round;
}

/// The page of the kernel that is not right yet; a browser shows the new one when it is loaded again.
void draw_page(const RunOptions& options, const ChapterFolder& chapter, bool is_first) {
  ShowOptions wanted;
  wanted.chapter = chapter.name;
  wanted.kernel = options.kernel;
  wanted.uses_solution = options.uses_solution;
  wanted.attempt = options.attempt;
  wanted.drawing.is_opened = is_first;
  try {
    std::cout << '\n';
    show(wanted);
  } catch (const std::exception& error) {  // a kernel that does not compile; the judgement has said so
    std::cout << "No page was drawn: " << error.what() << "\n";
  }
}

/// Waits until a file of one of the chapters is saved; which one.
ChapterFolder wait_for_save(const std::vector<ChapterFolder>& chapters,
                            const std::vector<SaveTimes>& before) {
  while (true) {
    for (std::size_t i = 0; i < chapters.size(); ++i)
      if (save_times(chapters[i]) != before[i]) return chapters[i];
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
  }
}

/// Runs the chapter again whenever a file in it is saved, and once it is right goes on to the next step; ends
/// with Ctrl-C.
int watch(const WatchOptions& options) {
  Round round{options.run, {chapter_named(options.run.chapter)}};
  round.options.line = options.line;
  ChapterFolder chapter = round.chapters.front();
  for (bool is_first = true;; is_first = false) {
    // Whatever is saved from now on counts, while this round still runs too.
    std::map<std::string, SaveTimes> before;
    for (const ChapterFolder& each : chapters_of_this_clone()) before[each.name] = save_times(each);
    if (can_clear_screen()) std::cout << "\033[2J\033[H";
    round = judge_round(round.options, chapter);
    if (options.keeps_page) draw_page(round.options, chapter, is_first);
    std::string watched;
    std::vector<SaveTimes> since;
    for (const ChapterFolder& each : round.chapters) {
      watched += (watched.empty() ? "" : ", ") + shown_path(each.folder) + "/";
      since.push_back(before[each.name]);
    }
    std::cout << "\nWatching " << watched << "; save a file to run again, Ctrl-C to end." << std::endl;
    const ChapterFolder saved = wait_for_save(round.chapters, since);
    if (has_saved_checks(before[saved.name], save_times(saved))) forget_builds();
    if (saved.name != chapter.name) round.options.kernel.clear();
    round.options.chapter = saved.name;
    chapter = saved;
  }
}

void add_arguments(Arguments& arguments, WatchOptions& options) {
  add_arguments(arguments, options.run);
  arguments.flag("--show", options.keeps_page, "also rewrite the page of `show` after each save");
}

const RegisterCommand watch_command("watch", with_options<WatchOptions>(add_arguments, watch));

}  // namespace
}  // namespace warpwise::cli
