// finding: misaligned at 7
// why: a 16-byte load from an address that is a multiple of 4 only
// launch: kernel=sums grid=1 block=16 args=in:f32[128]:random,out:f32[16]:poison
#include "../program.cuh"

extern "C" __global__ void sums(const float* in, float* out) {
  const float4 v = reinterpret_cast<const float4*>(in + 1)[threadIdx.x];
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
  const Buffer<float> in(128, Fill::random);
  const Buffer<float> out(16, Fill::poison);
  sums<<<1, 16>>>(in.data(), out.data());
  return out.show();
}
