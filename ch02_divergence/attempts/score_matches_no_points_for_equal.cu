// rejected by: score_matches: result: match 0 : 0
// why: both comparisons are strict: where the goals are equal, nobody gets a point

#include "../kernels.hpp"

extern "C" __global__ void score_matches(const int* home_goals, const int* away_goals, int* home_points,
                                         int* away_points, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    home_points[i] += 3 * (home_goals[i] > away_goals[i]);
    away_points[i] += 3 * (home_goals[i] < away_goals[i]);
  }
}
