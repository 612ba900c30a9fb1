// finding: race at 11 or 13
// why: the next tile overwrites what a slower thread still reads
// launch: kernel=sum_of_tiles grid=1 block=128 shared=512 args=in:f32[512]:random,out:f32[128]:poison,tiles:u32:4
#include "../program.cuh"

extern "C" __global__ void sum_of_tiles(const float* in, float* out, unsigned tiles) {
  extern __shared__ float tile[];
  const unsigned t = threadIdx.x;
  float sum = 0;
  for (unsigned i = 0; i < tiles; ++i) {
    tile[t] = in[i * blockDim.x + t];
    __syncthreads();
    sum += tile[blockDim.x - 1 - t];
  }
  out[t] = sum;
}

int main() {
  const Buffer<float> in(512, Fill::random);
  const Buffer<float> out(128, Fill::poison);
  sum_of_tiles<<<1, 128, 512>>>(in.data(), out.data(), unsigned(4));
  return out.show();
}
