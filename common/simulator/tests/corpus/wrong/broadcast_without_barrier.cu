// finding: race at 11 or 10
// also: uninitialised at 11
// why: the other threads read the shared value before it is written
// launch: kernel=subtract_first grid=1 block=96 args=in:f32[96]:random,out:f32[96]:poison
#include "../program.cuh"

extern "C" __global__ void subtract_first(const float* in, float* out) {
  __shared__ float first;
  const unsigned t = threadIdx.x;
  if (t == 0) first = in[0];
  out[t] = in[t] - first;
}

int main() {
  const Buffer<float> in(96, Fill::random);
  const Buffer<float> out(96, Fill::poison);
  subtract_first<<<1, 96>>>(in.data(), out.data());
  return out.show();
}
