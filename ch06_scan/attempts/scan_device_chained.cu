// rejected by: scan_device: technique: it must add up the totals
// why: right, but each tile waits for the prefix just ahead, and so for all before it, one after the other

#include "around_look_back.cuh"

__device__ int look_back(unsigned long long* states, unsigned launch, unsigned tile, int total) {
  const unsigned lane = threadIdx.x % 32;
  int ahead = 0;
  if (tile > 0) {
    unsigned long long word = 0;
    do word = poll(&states[tile - 1]);
    while (known_of(launch, word) != Known::prefix);
    ahead = value_of(word);
  }
  if (lane == 0) publish(&states[tile], word_of(launch, Known::prefix, ahead + total));
  return ahead;
}
