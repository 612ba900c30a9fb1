// finding: none
// why: lanes with the same key share one atomic; each lane gets its own ticket
// launch: kernel=tickets grid=2 block=100 args=in:u32[200]:random,counters:u32[8]:zero,seen:u32[1600]:zero,n:u32:200
#include "../program.cuh"

extern "C" __global__ void tickets(const unsigned* in, unsigned* counters, unsigned* seen, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const unsigned here = min(32u, blockDim.x - threadIdx.x / 32 * 32);
  const unsigned mask = here == 32 ? 0xffffffffu : (1u << here) - 1;
  const unsigned key = in[i] % 8;
  const unsigned peers = __match_any_sync(mask, key);
  const unsigned leader = __ffs(peers) - 1, rank = __popc(peers & ((1u << lane) - 1));
  unsigned first = 0;
  if (lane == leader) first = atomicAdd(&counters[key], __popc(peers));
  first = __shfl_sync(peers, first, leader);
  seen[n * key + first + rank] += 1;
}

int main() {
  const Buffer<unsigned> in(200, Fill::random);
  const Buffer<unsigned> counters(8, Fill::zero);
  const Buffer<unsigned> seen(1600, Fill::zero);
  tickets<<<2, 100>>>(in.data(), counters.data(), seen.data(), unsigned(200));
  return seen.show();
}
