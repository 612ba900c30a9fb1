// finding: barrier|deadlock at 11
// why: a barrier with a thread count waits for threads that have left
// launch: kernel=copy grid=1 block=256 args=in:f32[200]:random,out:f32[200]:poison,n:u32:200
#include "../program.cuh"

extern "C" __global__ void copy(const float* in, float* out, unsigned n) {
  __shared__ float s[256];
  const unsigned t = threadIdx.x;
  if (t >= n) return;
  s[t] = in[t];
  asm volatile("bar.sync 1, 256;" ::: "memory");
  out[t] = s[n - 1 - t];
}

int main() {
  const Buffer<float> in(200, Fill::random);
  const Buffer<float> out(200, Fill::poison);
  copy<<<1, 256>>>(in.data(), out.data(), unsigned(200));
  return out.show();
}
