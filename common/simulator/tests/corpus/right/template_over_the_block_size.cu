// finding: none
// why: the loop over the levels is unrolled by the compiler; the kernel's name is mangled
// launch: kernel=reduce_unrolled<128> grid=2 block=128 args=in:f32[256]:random,out:f32[2]:poison
#include "../program.cuh"

template <unsigned B>
__global__ void reduce_unrolled(const float* in, float* out) {
  __shared__ float partial[B];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * B + t];
  __syncthreads();
#pragma unroll
  for (unsigned stride = B / 2; stride >= 32; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t < 32) {
    float value = partial[t];
    for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
    if (t == 0) out[blockIdx.x] = value;
  }
}
template __global__ void reduce_unrolled<128>(const float*, float*);

int main() {
  const Buffer<float> in(256, Fill::random);
  const Buffer<float> out(2, Fill::poison);
  reduce_unrolled<128><<<2, 128>>>(in.data(), out.data());
  return out.show();
}
