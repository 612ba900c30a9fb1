// finding: race at 11 or 10
// also: uninitialised at 11
// why: the tile is read by column before all of its rows are there
// launch: kernel=transpose grid=1 block=16x16 args=in:f32[256]:random,out:f32[256]:poison
#include "../program.cuh"

extern "C" __global__ void transpose(const float* in, float* out) {
  __shared__ float tile[16][17];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[16 * y + x];
  out[16 * y + x] = tile[x][y];
}

int main() {
  const Buffer<float> in(256, Fill::random);
  const Buffer<float> out(256, Fill::poison);
  transpose<<<1, dim3(16, 16)>>>(in.data(), out.data());
  return out.show();
}
