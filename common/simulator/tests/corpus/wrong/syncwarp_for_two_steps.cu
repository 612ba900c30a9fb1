// finding: race at 14 or 13
// why: one __syncwarp serves two additions
// launch: kernel=warp_sum grid=1 block=32 args=in:f32[64]:random,out:f32[1]:poison
#include "../program.cuh"

extern "C" __global__ void warp_sum(const float* in, float* out) {
  __shared__ float partial[64];
  const unsigned lane = threadIdx.x;
  partial[lane] = in[lane];
  partial[lane + 32] = in[lane + 32];
  __syncwarp();
  if (lane < 16) {
    partial[lane] += partial[lane + 16];
    partial[lane] += partial[lane + 8];
  }
  __syncwarp();
  if (lane == 0) out[0] = partial[0] + partial[1];
}

int main() {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(1, Fill::poison);
  warp_sum<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
