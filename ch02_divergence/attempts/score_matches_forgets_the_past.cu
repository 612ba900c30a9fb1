// rejected by: score_matches: result: away_points[0]
// why: writes the points of this match in place of adding them

#include "../kernels.hpp"

extern "C" __global__ void score_matches(const int* home_goals, const int* away_goals, int* home_points,
                                         int* away_points, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int lead = home_goals[i] - away_goals[i];
    home_points[i] += 3 * (lead > 0) + (lead == 0);
    away_points[i] = 3 * (lead < 0) + (lead == 0);
  }
}
