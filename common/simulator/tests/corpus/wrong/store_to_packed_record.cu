// finding: misaligned at 9
// why: an int behind a one-byte tag is not on a 4-byte border
// launch: kernel=pack grid=1 block=32 args=out:u8[160]:poison
#include "../program.cuh"

extern "C" __global__ void pack(unsigned char* out) {
  unsigned char* record = out + 5 * threadIdx.x;
  record[0] = 1;
  *reinterpret_cast<int*>(record + 1) = -1;
}

int main() {
  const Buffer<unsigned char> out(160, Fill::poison);
  pack<<<1, 32>>>(out.data());
  return out.show();
}
