// rejected by: scan_sums: technique: global load sectors
// why: right, but one thread walks along the whole array

#include "../kernels.hpp"

extern "C" __global__ void scan_sums(int* sums, unsigned count) {
  if (threadIdx.x != 0) return;
  int ahead = 0;
  for (unsigned i = 0; i < count; ++i) {
    const int value = sums[i];
    sums[i] = ahead;
    ahead += value;
  }
}
