// The program behind ./warpwise: the student's commands, and those that measure. The instructor's are another
// program's (main_class.cpp), so that nobody builds them who does not teach.

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "chapters.hpp"
#include "command_line.hpp"
#include "commands.hpp"
#include "exec.hpp"
#include "failure.hpp"
#include "main_program.hpp"
#include "process.hpp"

namespace warpwise::cli {
namespace {

/// The line as it was typed, without --output and its file.
std::string as_typed(const Words& words) {
  std::string line = "./warpwise";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--output")
      ++i;
    else if (!words[i].starts_with("--output="))
      line += ' ' + quoted_for_shell(words[i]);
  }
  return line;
}

/// Takes what stands behind -- off the words of `run` and `watch`: that is not ours to read.
Words take_for_checks(Words& words) {
  if (words.empty() || (words[0] != "run" && words[0] != "watch")) return {};
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (dashes == words.end()) return {};
  Words taken(dashes + 1, words.end());
  words.erase(dashes, words.end());
  return taken;
}

constexpr const char* exec_help =
    "FILE... [options] [nvcc's options] [-- the program's arguments]\n"
    "FILEs are .cu and .cpp sources and objects, or one program that was linked\n"
    "with the simulated GPU.\n"
    "  --report FILE      counters and findings of each launch, as JSON\n"
    "                     (docs/report.schema.json)\n"
    "  --show             draws its launches: a page for the browser; or\n"
    "    --text           ... for the terminal\n"
    "    --svg VIEW       ... of the first one picture: lanes, banks, sectors,\n"
    "                     shuffle, tree, finding, costs\n"
    "    --output FILE    where page or picture go (default: below build/show)\n"
    "    --at PLACE       the moment: a line, or words that it has; --time K,\n"
    "                     --warp W, --of-block B (docs/show.md)\n"
    "  --trace FILE       what each lane did, step by step, as JSON\n"
    "                     (docs/trace.schema.json)\n"
    "  --schedule ORDER   converged (default), lockstep or split:SEED\n"
    "  --threads N        host threads (default: one a processor; 1 is\n"
    "                     deterministic)\n"
    "  --budget N         warp instructions that a launch may spend (default: ten\n"
    "                     minutes for a block)\n"
    "  --strict           a shuffle from a lane that takes no part gives poison,\n"
    "                     not 0 as hardware does\n"
    "  --quiet            do not print findings\n"
    "Exit status: the program's; 3 for findings in an otherwise successful run;\n"
    "2 for what cannot be run.";

/// Becomes the program of the instructor's commands. Throws Failure where there is none.
int hand_over(const Words& words) {
  namespace fs = std::filesystem;
  const std::string& command = words.front();
  if (!fs::exists(root_folder() / "common" / "classroom")) {
    throw Failure(
        "this is a handout: `" + command + "` works in a clone of the course, from which this was made.",
        wrong_usage);
  }
  const std::string program = build_folder() / "common" / "cli" / "warpwise_class";
  std::vector<char*> arguments = {const_cast<char*>(program.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  throw Failure(program + " could not be started: `./warpwise " + command + " --help` builds it.");
}

int read_and_run(Words words) {
  const std::string typed = as_typed(words);
  const Words for_checks = take_for_checks(words);
  CommandLine line(words);
  line.add("tour", "run every chapter's solution; one table", tour);
  line.add("list", "the chapters, and how far you are", list);
  line.add("run", "build a chapter's exercise, run it, judge it", run).more = for_checks;
  line.add("watch", "run a chapter again whenever a file is saved, then go on to the next", watch).run.more =
      for_checks;
  line.add("show", "draw what a kernel did, lane by lane: a page for the browser", show).command = typed;
  line.add("predict", "guess a lesson's numbers, then have them measured", predict);
  line.add("puzzle", "find what is wrong in a kernel", puzzle);
  line.add("exec", "compile a CUDA program and run it on the simulated GPU", exec_help,
           [&typed](const Words& own) {
             ExecRequest request = read_exec_request(own);
             request.command = typed;
             return exec(request);
           });
  line.add("hint", "the next hint for a kernel", hint);
  line.add("solution", "print the reference solution", solution);
  line.add("reset", "put the skeleton back; your version is kept beside it", reset);
  line.add("test", "run every test of the project", test);
  line.add("bench", "on a GPU: your kernels beside CUB's; or the simulator's speed", bench);
  line.add("profile", "on a GPU: the hardware's counters beside the simulator's", profile);
  const auto handed_over = [&words] { return hand_over(words); };
  line.add_foreign("grade", "judge what a class has handed in", handed_over);
  line.add_foreign("new-chapter", "make a chapter that builds, to be filled in", handed_over);
  line.add_foreign("handout", "make a repository for students, without solutions", handed_over);
  return line.run();
}

}  // namespace
}  // namespace warpwise::cli

int main(int count, char** words) {
  return warpwise::cli::run_program(count, words, warpwise::cli::read_and_run);
}
