// finding: none
// why: the lanes that are in the branch form a group, elect a leader and share one atomic
// launch: kernel=compact grid=2 block=64 args=in:u32[128]:random,used:u32[1]:zero,seen:u32[128]:zero
#include <cooperative_groups.h>

#include "../program.cuh"

namespace cg = cooperative_groups;
extern "C" __global__ void compact(const unsigned* in, unsigned* used, unsigned* seen) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] % 3 == 0) {
    const auto group = cg::coalesced_threads();
    unsigned first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(used, group.size());
    const unsigned slot = group.shfl(first, 0) + group.thread_rank();
    seen[slot] = 1;
  }
}

int main() {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned> used(1, Fill::zero);
  const Buffer<unsigned> seen(128, Fill::zero);
  compact<<<2, 64>>>(in.data(), used.data(), seen.data());
  return seen.show();
}
