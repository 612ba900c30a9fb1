/// \file A tile in shared memory in three layouts: where the words of its column 0 are, drawn as if there
/// were 8 banks and 8 lanes, and how many wavefronts 32 lanes need with 32 banks, by the simulator's rule
/// (shared_cost).

#include <cstdio>
#include <string>

#include "common/simulator/observer.hpp"

namespace {

using namespace warpwise::simulator;

/// The word that holds the element in row `row` and column `column` of a tile of `size` * `size`.
using Layout = unsigned (*)(unsigned row, unsigned column, unsigned size);

unsigned plain(unsigned row, unsigned column, unsigned size) { return size * row + column; }
unsigned padded(unsigned row, unsigned column, unsigned size) { return (size + 1) * row + column; }
unsigned swizzled(unsigned row, unsigned column, unsigned size) { return size * row + (column ^ row); }

/// What to draw for word `word`: the lane that reads it on the way down column 0, a dot for the rest of the
/// tile, an underscore for padding.
char content(Layout layout, unsigned word, unsigned size) {
  for (unsigned row = 0; row < size; ++row)
    for (unsigned column = 0; column < size; ++column)
      if (layout(row, column, size) == word) return column == 0 ? static_cast<char>('0' + row) : '.';
  return '_';
}

std::string line_of(Layout layout, unsigned line) {
  constexpr unsigned size = 8;
  if (layout(size - 1, size - 1, size) < size * line) return std::string(2 * size, ' ');  // past the end
  std::string text;
  for (unsigned bank = 0; bank < size; ++bank) {
    text += ' ';
    text += content(layout, size * line + bank, size);
  }
  return text;
}

/// The wavefronts of 32 lanes, if lane i reads element i of column 0, or of a row: which row makes no
/// difference.
unsigned wavefronts(Layout layout, bool goes_down) {
  std::uint64_t address[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane)
    address[lane] = 4 * std::uint64_t{goes_down ? layout(lane, 0, 32) : layout(0, lane, 32)};
  return shared_cost(AccessKind::load, 4, all_lanes, address).wavefronts;
}

}  // namespace

int main() {
  std::printf("bank   0 1 2 3 4 5 6 7      0 1 2 3 4 5 6 7      0 1 2 3 4 5 6 7\n");
  for (unsigned line = 0; line < 9; ++line) {
    std::string text =
        "      " + line_of(plain, line) + "     " + line_of(padded, line) + "     " + line_of(swizzled, line);
    text.erase(text.find_last_not_of(' ') + 1);
    std::printf("%s\n", text.c_str());
  }
  std::printf("       plain                padded               swizzled\n");
  std::printf("wavefronts for 32 lanes, with 32 banks\n");
  for (const bool goes_down : {false, true})
    std::printf("%s %2u %20u %20u\n", goes_down ? "down a column   " : "along a row     ",
                wavefronts(plain, goes_down), wavefronts(padded, goes_down), wavefronts(swizzled, goes_down));
}
