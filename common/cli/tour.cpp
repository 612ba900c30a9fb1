#include <cstring>
#include <future>
#include <iostream>

#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "gpu_presence.hpp"
#include "ladder.hpp"
#include "process.hpp"
#include "report.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

fs::path report_lines_of(const Chapter& chapter) { return chapter.built / "tour-report.txt"; }

/// Runs the chapter's solution and reads its rows. What it says beside them goes to the terminal.
LadderSection visit(const Chapter& chapter, const TourOptions& options) {
  std::vector<std::string> command = {chapter.executable().string(),
                                      (chapter.built / "solution.ptx").string(), "--ladder", "--device",
                                      options.device};
  if (options.n != 0) command.insert(command.end(), {"--n", std::to_string(options.n)});
  if (!options.report.empty())
    command.insert(command.end(), {"--report-lines", report_lines_of(chapter).string()});
  const ProcessResult result = capture_process(command, {}, false);
  if (result.signal != 0)
    throw Failure(chapter.name + " was ended by a signal: " + strsignal(result.signal) + ".");
  if (result.status > failed) throw Failure(chapter.name + " could not be run: see the line above.");
  return {chapter.name + ": " + chapter.title, parse_ladder(result.output)};
}

}  // namespace

int tour(const TourOptions& options) {
  std::vector<LadderSection> sections;
  std::vector<fs::path> lines;
  bool is_right = true;
  // Side by side; but where a GPU is timed, one after the other.
  const bool is_timed = options.device != "sim" && find_gpu().is_there;
  const std::vector<Chapter> chapters = chapters_of_this_clone();
  std::vector<std::future<LadderSection>> visits;
  for (const Chapter& chapter : chapters) {
    visits.push_back(std::async(is_timed ? std::launch::deferred : std::launch::async,
                                [&chapter, &options] { return visit(chapter, options); }));
  }
  for (std::size_t i = 0; i < chapters.size(); ++i) {
    sections.push_back(visits[i].get());
    lines.push_back(report_lines_of(chapters[i]));
    for (const LadderRow& row : sections.back().rows) is_right = is_right && row.is_right();
  }
  std::cout << "The solutions of all chapters, on "
            << (options.device == "gpu" ? "the GPU" : "the simulated GPU") << ":\n\n"
            << ladder_table(sections);
  if (const std::string climb = climb_text(sections); !climb.empty())
    std::cout << "\nThe climb: one sum, and what each rung gained and paid against the one before it\n\n"
              << climb;
  std::cout << (is_right ? "\nYour turn: ./warpwise list\n"
                         : "\nSomething is wrong: ./warpwise test says what.\n");
  if (!options.report.empty()) write_json(options.report, lines);
  return is_right ? all_well : failed;
}

}  // namespace warpwise::cli
