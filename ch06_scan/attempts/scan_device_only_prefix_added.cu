// rejected by: scan_device: technique: tile 75
// why: takes the nearest prefix, without the totals that lie between

#include "around_look_back.cuh"

__device__ int look_back(unsigned long long* states, unsigned launch, unsigned tile, int total) {
  const unsigned lane = threadIdx.x % 32;
  if (lane == 0) publish(&states[tile], word_of(launch, tile == 0 ? Known::prefix : Known::total, total));
  if (tile == 0) return 0;
  int ahead = 0;
  for (int looked_at = static_cast<int>(tile) - 1 - static_cast<int>(lane);; looked_at -= 32) {
    unsigned long long word = 0;
    do {
      word = looked_at >= 0 ? poll(&states[looked_at]) : word_of(launch, Known::prefix, 0);
    } while (__any_sync(0xffffffffu, known_of(launch, word) == Known::nothing));
    const unsigned prefixes = __ballot_sync(0xffffffffu, known_of(launch, word) == Known::prefix);
    const unsigned last = prefixes != 0 ? __ffs(prefixes) - 1 : 31;
    int sum = lane == last ? value_of(word) : 0;
    for (unsigned distance = 16; distance > 0; distance /= 2)
      sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    ahead += sum;
    if (prefixes != 0) break;
  }
  if (lane == 0) publish(&states[tile], word_of(launch, Known::prefix, ahead + total));
  return ahead;
}
