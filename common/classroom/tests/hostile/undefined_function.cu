// hostile: calls what is nowhere
// earns: 0
#include "kernels.hpp"
extern "C" __device__ float judge_passes(float*);
extern "C" __device__ int system(const char*);
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned) { out[blockIdx.x] = judge_passes(out); }
extern "C" __global__ void sum_in_place(float* values) { values[0] = 0; }
