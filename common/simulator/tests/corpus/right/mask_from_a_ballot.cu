// finding: none
// why: a ballot before the branch gives exactly the lanes that enter it
// launch: kernel=sum_of_odd grid=1 block=64 args=in:u32[64]:random,out:u32[64]:zero
#include "../program.cuh"

extern "C" __global__ void sum_of_odd(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, key = in[t];
  const unsigned mask = __ballot_sync(0xffffffffu, key % 2 == 1);
  if (key % 2 == 1) {
    unsigned sum = 0;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) sum += __shfl_sync(mask, key, __ffs(rest) - 1);
    out[t] = sum;
  }
}

int main() {
  const Buffer<unsigned> in(64, Fill::random);
  const Buffer<unsigned> out(64, Fill::zero);
  sum_of_odd<<<1, 64>>>(in.data(), out.data());
  return out.show();
}
