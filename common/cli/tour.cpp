#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <string>
#include <utility>

#include "../print/ladder.hpp"
#include "../print/terminal.hpp"
#include "../process/process.hpp"
#include "../report/json.hpp"
#include "build.hpp"
#include "clone.hpp"
#include "commands.hpp"
#include "gpu_presence.hpp"

namespace warpwise::cli {
namespace {

struct TourOptions {
  std::string device = "auto";  ///< sim, gpu or auto
  unsigned long long n = 0;     ///< elements; 0: each kernel's own choice
  std::string report;           ///< JSON file to write; empty: none
  bool shows_counters = false;  ///< all of them
};

/// The solution; in a handout that has none yet, the student's own kernels.
Subject shown_kernels(const ChapterFolder& chapter) {
  return subject_of(chapter, chapter.has_solution(), {});
}

/// The chapters whose kernels can be shown, compiled. Of the student's own kernels, a chapter whose exercise
/// does not compile is named and left out.
std::vector<ChapterFolder> open_chapters() {
  std::vector<ChapterFolder> chapters = chapters_of_this_clone();
  std::erase_if(chapters, [](const ChapterFolder& chapter) {
    if (chapter.has_solution()) {
      build_or_fail(chapter, shown_kernels(chapter));
      return false;
    }
    if (chapter.has_exercise() && build_module(chapter, shown_kernels(chapter)).is_built) return false;
    std::cout << chapter.name << " is left out: its exercise.cu does not compile (./warpwise run "
              << chapter.short_name() << " says why).\n";
    return true;
  });
  return chapters;
}

bool is_all_right(const report::Report& report) {
  return std::all_of(report.chapters.begin(), report.chapters.end(), [&](const report::Chapter& chapter) {
    return std::all_of(chapter.kernels.begin(), chapter.kernels.end(), [&](const report::Kernel& kernel) {
      return report.is_right(chapter.name, kernel.name);
    });
  });
}

/// What the chapter's kernels come to.
KnownReport visit(const ChapterFolder& chapter, const TourOptions& options, bool is_simulated) {
  Words command = {chapter.executable().string(), shown_kernels(chapter).module.string(), "--device",
                   options.device};
  if (options.n != 0) command.insert(command.end(), {"--n", std::to_string(options.n)});
  const std::string otherwise = chapter.name + " could not be run";
  if (!is_simulated) return {report_of(std::move(command), otherwise)};
  return report_while_unchanged(command, otherwise, is_all_right);
}

/// The width of the terminal in columns; without a terminal there is no limit.
std::size_t terminal_width() {
  winsize size{};
  const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  return is_known ? size.ws_col : std::numeric_limits<std::size_t>::max();
}

/// Runs every chapter's solution and prints the ladder.
int tour(const TourOptions& options) {
  // Side by side; but where a GPU is timed, one after the other.
  const bool is_timed = options.device != "sim" && find_gpu().is_there;
  const std::vector<ChapterFolder> chapters = open_chapters();
  const bool has_solutions = std::all_of(chapters.begin(), chapters.end(),
                                         [](const ChapterFolder& chapter) { return chapter.has_solution(); });
  std::vector<KnownReport> known(chapters.size());
  process::for_all(chapters.size(), is_timed ? 1 : chapters.size(),
                   [&](std::size_t i) { known[i] = visit(chapters[i], options, !is_timed); });
  report::Report report;
  std::size_t kept = 0;
  for (KnownReport& one : known) {
    kept += one.was_kept;
    report.append(std::move(one.report));
  }
  const bool is_right = is_all_right(report);
  const auto counters = options.shows_counters ? print::LadderCounters::all : print::LadderCounters::none;
  const report::PublishedTimes published =
      report::read_times(course_folder() / "docs/results/h200/times.json");
  std::cout << (has_solutions ? "The solutions of all chapters, on "
                              : "Your own kernels, if there is no solution yet, on ")
            << (options.device == "gpu" ? "the GPU" : "the simulated GPU") << ":\n";
  if (kept != 0)
    std::cout << print::Paint::for_stdout().faint(std::to_string(kept) + " of " +
                                                  std::to_string(chapters.size()) +
                                                  " chapters as judged before: nothing has changed\n");
  std::cout << '\n' << print::ladder_table(report, published, counters, terminal_width());
  if (const std::string ladder = print::ladder_text(report, published); !ladder.empty())
    std::cout << "\nThe ladder: one sum, and how each kernel changes the one that it comes from\n\n"
              << ladder;
  if (has_solutions && !options.shows_counters)
    std::cout << "\nHow much less, and how much more? The lessons ask you to predict it first.\n"
                 "With all counters: ./warpwise tour --counters\n";
  const bool is_as_it_should = is_right || !has_solutions;
  if (!is_as_it_should)
    std::cout << "\nSomething is wrong: ./warpwise test says what.\n";
  else if (std::filesystem::exists(root_folder() / "warpwise"))
    std::cout << "\nYour turn: ./warpwise list\n";
  else  // of a wheel, outside of a student's folder
    std::cout << "\nYour turn: warpwise start FOLDER\n";
  if (!options.report.empty()) report::write_file(options.report, report);
  return is_as_it_should ? all_well : failed;
}

void add_arguments(Arguments& arguments, TourOptions& options) {
  add_device_options(arguments, options.device, options.n, options.report);
  arguments.flag("--counters", options.shows_counters,
                 "all counters: they give away what the lessons ask you to predict");
}

const RegisterCommand tour_command("tour", with_options<TourOptions>(add_arguments, tour));

}  // namespace
}  // namespace warpwise::cli
