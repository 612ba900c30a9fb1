// finding: none
// why: 16-byte loads with a head and a tail, warp sums, one atomic a block on a cleared total
// launch: kernel=sum grid=2 block=128 args=in:u32[1003]:random,out:u32[1]:zero,skip:u32:1,n:u32:1002
#include "../program.cuh"

extern "C" __global__ void sum(const unsigned* in, unsigned* out, unsigned skip, unsigned n) {
  __shared__ unsigned sums[4];
  in += skip;
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, threads = gridDim.x * blockDim.x;
  const unsigned head = min(n, static_cast<unsigned>((16 - reinterpret_cast<size_t>(in) % 16) % 16 / 4));
  const unsigned quads = (n - head) / 4, tail = head + 4 * quads;
  unsigned value = i < head ? in[i] : 0;
  for (unsigned q = i; q < quads; q += threads) {
    const uint4 v = reinterpret_cast<const uint4*>(in + head)[q];
    value += v.x + v.y + v.z + v.w;
  }
  if (tail + i < n) value += in[tail + i];
  for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (t % 32 == 0) sums[t / 32] = value;
  __syncthreads();
  if (t == 0) atomicAdd(out, sums[0] + sums[1] + sums[2] + sums[3]);
}

int main() {
  const Buffer<unsigned> in(1003, Fill::random);
  const Buffer<unsigned> out(1, Fill::zero);
  sum<<<2, 128>>>(in.data(), out.data(), unsigned(1), unsigned(1002));
  return out.show();
}
