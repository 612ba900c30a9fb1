// rejected by: score_matches: result: match 0 : 0
// why: two arms where there are three: where the goals are equal, all points go to the guests

#include "../kernels.hpp"

extern "C" __global__ void score_matches(const int* home_goals, const int* away_goals, int* home_points,
                                         int* away_points, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int is_home_win = home_goals[i] > away_goals[i];
    home_points[i] += 3 * is_home_win;
    away_points[i] += 3 * (1 - is_home_win);
  }
}
