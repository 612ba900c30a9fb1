// rejected by: score_matches: safety: out-of-bounds at 9
// why: threads without a match read behind the arrays

#include "../kernels.hpp"

extern "C" __global__ void score_matches(const int* home_goals, const int* away_goals, int* home_points,
                                         int* away_points, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lead = home_goals[i] - away_goals[i];
  home_points[i] += 3 * (lead > 0) + (lead == 0);
  away_points[i] += 3 * (lead < 0) + (lead == 0);
}
