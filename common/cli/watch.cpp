#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string_view>
#include <thread>

#include <unistd.h>

#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;
using Times = std::map<fs::path, fs::file_time_type>;

/// On a terminal that knows how.
bool can_clear_screen() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

/// When each source file of the chapter was last saved. A file that an editor is replacing right now is
/// missing, and counts as changed when it is back.
Times save_times(const Chapter& chapter) {
  Times times;
  for (const auto& entry : fs::directory_iterator(chapter.folder)) {
    const fs::path extension = entry.path().extension();
    if (extension != ".cu" && extension != ".hpp" && extension != ".cpp") continue;
    std::error_code error;
    const fs::file_time_type time = fs::last_write_time(entry.path(), error);
    if (!error) times[entry.path()] = time;
  }
  return times;
}

}  // namespace

int watch(const RunOptions& options) {
  const Chapter chapter = chapter_named(options.chapter);
  while (true) {
    const Times before = save_times(chapter);
    if (can_clear_screen()) std::cout << "\033[2J\033[H";
    try {
      // By this line and the last one an editor tells the rounds apart (.vscode/tasks.json).
      std::cout << "Judging " << shown(chapter.folder) << "/" << std::endl;
      run(options);
    } catch (const Failure& failure) {
      if (failure.status() == wrong_usage) throw;
      std::cout << "warpwise: " << failure.what() << "\n";
    }
    std::cout << "\nWatching " << shown(chapter.folder) << "/; save a file to run again, Ctrl-C to end."
              << std::endl;
    while (save_times(chapter) == before) std::this_thread::sleep_for(std::chrono::milliseconds(150));
  }
}

}  // namespace warpwise::cli
