// finding: sync at 15
// why: eight lanes reduce the warp sums with a mask and a tree for thirty-two
// launch: kernel=sum grid=2 block=256 args=in:f32[512]:random,out:f32[2]:poison
#include "../program.cuh"

extern "C" __global__ void sum(const float* in, float* out) {
  __shared__ float sums[8];
  const unsigned t = threadIdx.x;
  float value = in[blockIdx.x * blockDim.x + t];
  for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (t % 32 == 0) sums[t / 32] = value;
  __syncthreads();
  if (t < 8) {
    value = sums[t];
    for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
    if (t == 0) out[blockIdx.x] = value;
  }
}

int main() {
  const Buffer<float> in(512, Fill::random);
  const Buffer<float> out(2, Fill::poison);
  sum<<<2, 256>>>(in.data(), out.data());
  return out.show();
}
