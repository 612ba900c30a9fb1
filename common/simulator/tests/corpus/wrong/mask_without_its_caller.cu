// finding: sync at 8
// why: lanes 16 to 31 call with a mask that leaves them out
// launch: kernel=broadcast grid=1 block=32 args=in:f32[32]:random,out:f32[32]:poison
#include "../program.cuh"

extern "C" __global__ void broadcast(const float* in, float* out) {
  const unsigned lane = threadIdx.x;
  out[lane] = __shfl_sync(0x0000ffffu, in[lane], 3);
}

int main() {
  const Buffer<float> in(32, Fill::random);
  const Buffer<float> out(32, Fill::poison);
  broadcast<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
