// finding: none
// why: all blocks meet at a counter; barrier and fence carry the order to every thread
// launch: kernel=two_steps grid=4 block=64 cooperative=yes args=in:u32[256]:random,middle:u32[256]:poison,arrived:u32[1]:zero,out:u32[256]:poison
#include "../program.cuh"

__device__ void meet(unsigned* arrived) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}
extern "C" __global__ void two_steps(const unsigned* in, unsigned* middle, unsigned* arrived, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  middle[i] = 2 * in[i];
  meet(arrived);
  out[i] = middle[n - 1 - i];
}

int main() {
  const Buffer<unsigned> in(256, Fill::random);
  const Buffer<unsigned> middle(256, Fill::poison);
  const Buffer<unsigned> arrived(1, Fill::zero);
  const Buffer<unsigned> out(256, Fill::poison);
  launch_cooperatively(two_steps, 4, 64, 0, in.data(), middle.data(), arrived.data(), out.data());
  return out.show();
}
