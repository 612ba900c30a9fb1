// finding: out-of-bounds at 8
// why: the table in constant memory has 16 entries, the index goes to 31
// launch: kernel=look_up grid=1 block=32 args=out:u32[32]:poison
#include "../program.cuh"

__constant__ unsigned table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
extern "C" __global__ void look_up(unsigned* out) {
  const unsigned value = table[threadIdx.x];
  out[threadIdx.x] = value;
}

int main() {
  const Buffer<unsigned> out(32, Fill::poison);
  look_up<<<1, 32>>>(out.data());
  return out.show();
}
