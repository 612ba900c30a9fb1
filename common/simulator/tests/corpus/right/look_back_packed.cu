// finding: none
// why: flag and value travel in one 64-bit word, so one load sees both
// launch: kernel=prefix grid=8 block=32 args=in:u32[256]:random,state:u64[8]:zero,out:u32[256]:poison
#include "../program.cuh"

extern "C" __global__ void prefix(const unsigned* in, unsigned long long* state, unsigned* out) {
  __shared__ unsigned before;
  const unsigned lane = threadIdx.x, i = blockIdx.x * blockDim.x + lane;
  unsigned value = in[i] % 1000;
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned other = __shfl_up_sync(0xffffffffu, value, d);
    if (lane >= d) value += other;
  }
  if (lane == 31) {
    unsigned sum = 0;
    if (blockIdx.x > 0) {
      unsigned long long word = 0;
      do {
        word = *static_cast<volatile unsigned long long*>(state + blockIdx.x - 1);
      } while (word >> 32 == 0);
      sum = static_cast<unsigned>(word);
    }
    atomicExch(state + blockIdx.x, 1ull << 32 | (sum + value));
    before = sum;
  }
  __syncwarp();
  out[i] = before + value;
}

int main() {
  const Buffer<unsigned> in(256, Fill::random);
  const Buffer<unsigned long long> state(8, Fill::zero);
  const Buffer<unsigned> out(256, Fill::poison);
  prefix<<<8, 32>>>(in.data(), state.data(), out.data());
  return out.show();
}
