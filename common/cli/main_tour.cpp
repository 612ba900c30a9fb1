// `./warpwise tour`, and no more: what a fresh clone builds first.

#include "tour.hpp"

int main(int count, char** words) {
  using namespace warpwise::cli;
  return run_program(count, words, [](const Words&) { return tour(TourOptions{}); });
}
