// The instructor's commands. ./warpwise builds them when one is called.

#include <utility>

#include "command_line.hpp"
#include "commands.hpp"
#include "main_program.hpp"

namespace warpwise::cli {
namespace {

int read_and_run(Words words) {
  CommandLine line(std::move(words));
  line.add("grade", "judge what a class has handed in", grade);
  line.add("new-chapter", "make a chapter that builds, to be filled in", new_chapter);
  line.add("handout", "make a repository for students, without solutions", handout);
  return line.run();
}

}  // namespace
}  // namespace warpwise::cli

int main(int count, char** words) {
  return warpwise::cli::run_program(count, words, warpwise::cli::read_and_run);
}
