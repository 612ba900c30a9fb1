// finding: none
// why: floats, then integers in the same bytes, with a barrier between the two lives
// launch: kernel=two_lives grid=1 block=128 args=in:f32[128]:random,out:u32[128]:poison
#include "../program.cuh"

union Storage {
  float values[128];
  unsigned long long keys[64];
};
extern "C" __global__ void two_lives(const float* in, unsigned* out) {
  __shared__ Storage storage;
  const unsigned t = threadIdx.x;
  storage.values[t] = in[t];
  __syncthreads();
  const float mirrored = storage.values[127 - t];
  __syncthreads();
  if (t < 64) storage.keys[t] = __float_as_uint(mirrored);
  __syncthreads();
  out[t] = static_cast<unsigned>(storage.keys[t / 2]) + __float_as_uint(mirrored);
}

int main() {
  const Buffer<float> in(128, Fill::random);
  const Buffer<unsigned> out(128, Fill::poison);
  two_lives<<<1, 128>>>(in.data(), out.data());
  return out.show();
}
