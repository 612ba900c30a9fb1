// finding: none
// why: __syncthreads_count, _and, _or are barriers too
// launch: kernel=votes grid=2 block=96 args=in:u32[192]:random,out:u32[192]:poison
#include "../program.cuh"

extern "C" __global__ void votes(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[96];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  const int odd = __syncthreads_count(static_cast<int>(in[i] % 2));
  unsigned result = s[95 - t] + static_cast<unsigned>(odd);
  if (__syncthreads_or(odd > 90)) result += 1;
  s[t] = result;
  if (__syncthreads_and(in[i] != 12345u)) result += s[(t + 1) % 96];
  out[i] = result;
}

int main() {
  const Buffer<unsigned> in(192, Fill::random);
  const Buffer<unsigned> out(192, Fill::poison);
  votes<<<2, 96>>>(in.data(), out.data());
  return out.show();
}
