// finding: none
// why: a tile with a padded row is written by row and read by column
// launch: kernel=column_sums grid=1 block=32x32 args=in:u32[1024]:random,out:u32[32]:poison
#include "../program.cuh"

extern "C" __global__ void column_sums(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[32][33];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[32 * y + x];
  __syncthreads();
  unsigned value = tile[x][y];
  for (unsigned d = 16; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
  if (x == 0) out[y] = value;
}

int main() {
  const Buffer<unsigned> in(1024, Fill::random);
  const Buffer<unsigned> out(32, Fill::poison);
  column_sums<<<1, dim3(32, 32)>>>(in.data(), out.data());
  return out.show();
}
