// finding: race at 13 or 15
// why: the flag and the value it announces are read by two unordered loads
// launch: kernel=prefix grid=4 block=32 args=in:u32[4]:iota,value:u32[4]:poison,flag:u32[4]:zero,out:u32[4]:poison
#include "../program.cuh"

extern "C" __global__ void prefix(const unsigned* in, unsigned* value, unsigned* flag, unsigned* out) {
  if (threadIdx.x != 0) return;
  const unsigned b = blockIdx.x;
  unsigned sum = in[b];
  if (b > 0) {
    while (*static_cast<volatile unsigned*>(flag + b - 1) == 0) {
    }
    sum += value[b - 1];
  }
  value[b] = sum;
  __threadfence();
  *static_cast<volatile unsigned*>(flag + b) = 1;
  out[b] = sum;
}

int main() {
  const Buffer<unsigned> in(4, Fill::iota);
  const Buffer<unsigned> value(4, Fill::poison);
  const Buffer<unsigned> flag(4, Fill::zero);
  const Buffer<unsigned> out(4, Fill::poison);
  prefix<<<4, 32>>>(in.data(), value.data(), flag.data(), out.data());
  return out.show();
}
