// finding: timeout at 8 or 9 or 10 or 11 or 13 or 14
// why: low = middle makes no progress once two elements are left
// launch: kernel=search grid=1 block=32 args=in:u32[64]:iota,out:u32[32]:poison
#include "../program.cuh"

extern "C" __global__ void search(const unsigned* in, unsigned* out) {
  unsigned low = 0, high = 64;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (in[middle] <= threadIdx.x)
      low = middle;
    else
      high = middle;
  }
  out[threadIdx.x] = low;
}

int main() {
  const Buffer<unsigned> in(64, Fill::iota);
  const Buffer<unsigned> out(32, Fill::poison);
  search<<<1, 32>>>(in.data(), out.data());
  return out.show();
}
