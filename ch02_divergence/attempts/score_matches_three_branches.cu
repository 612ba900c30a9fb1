// rejected by: score_matches: technique: divergent branches
// why: right, but a warp with all three outcomes goes three ways, one after the other

#include "../kernels.hpp"

extern "C" __global__ void score_matches(const int* home_goals, const int* away_goals, int* home_points,
                                         int* away_points, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (home_goals[i] > away_goals[i]) {
    home_points[i] += 3;
  } else if (home_goals[i] < away_goals[i]) {
    away_points[i] += 3;
  } else {
    home_points[i] += 1;
    away_points[i] += 1;
  }
}
