// finding: race at 15 or 9
// why: a block writes its sum where another block still reads its input
// launch: kernel=sum_in_place grid=4 block=64 args=data:f32[256]:random
#include "../program.cuh"

extern "C" __global__ void sum_in_place(float* data) {
  __shared__ float partial[64];
  const unsigned t = threadIdx.x;
  partial[t] = data[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) data[blockIdx.x] = partial[0];
}

int main() {
  const Buffer<float> data(256, Fill::random);
  sum_in_place<<<4, 64>>>(data.data());
  return data.show();
}
