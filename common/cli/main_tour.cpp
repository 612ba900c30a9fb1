// `./warpwise tour`, and no more: what a fresh clone builds first.

#include "commands.hpp"
#include "main_program.hpp"

int main(int count, char** words) {
  using namespace warpwise::cli;
  return run_program(count, words, [](Words) { return tour(TourOptions{}); });
}
