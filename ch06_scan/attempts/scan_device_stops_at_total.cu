// rejected by: scan_device: result: out[
// why: takes the total of the tile just ahead for the sum of all

#include "around_look_back.cuh"

__device__ int look_back(unsigned long long* states, unsigned launch, unsigned tile, int total) {
  int ahead = 0;
  if (threadIdx.x == 0) {
    publish(&states[tile], word_of(launch, tile == 0 ? Known::prefix : Known::total, total));
    for (unsigned other = tile; other-- > 0;) {
      unsigned long long word = poll(&states[other]);
      while (known_of(launch, word) == Known::nothing) word = poll(&states[other]);
      ahead += value_of(word);
      break;
    }
  }
  return ahead;
}
