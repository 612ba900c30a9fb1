// rejected by: broadcast: technique: shuffles a warp: 0
// why: right, but each lane fetches the element from memory instead of asking the lane that has it

#include "../kernels.hpp"

extern "C" __global__ void broadcast(const float* in, float* out, unsigned source) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i / 32 * 32 + source];
}
