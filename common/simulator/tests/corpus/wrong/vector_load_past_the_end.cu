// finding: out-of-bounds at 7
// why: the last 16-byte load of 1002 floats reaches two past them
// launch: kernel=sum_of_four grid=1 block=251 args=in:f32[1002]:random,out:f32[251]:poison
#include "../program.cuh"

extern "C" __global__ void sum_of_four(const float* in, float* out) {
  const float4 v = reinterpret_cast<const float4*>(in)[threadIdx.x];
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
  const Buffer<float> in(1002, Fill::random);
  const Buffer<float> out(251, Fill::poison);
  sum_of_four<<<1, 251>>>(in.data(), out.data());
  return out.show();
}
