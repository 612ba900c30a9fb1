// hostile: the compiler is told that what follows stands in a file of the host, a line of which a finding would show
// earns: 0
#include "kernels.hpp"
#line 1 "SECRET_PATH"
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned) { out[1u << 30] = 0; }
extern "C" __global__ void sum_in_place(float* values) { values[-1000000] = 0; }
