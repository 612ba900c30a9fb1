// Chapter 1: a tree of adjacent pairs. README.md is the lesson; kernels.hpp says what each kernel must do.

#include "kernels.hpp"

/// out[b] = the sum of the blockDim.x elements of `in` that belong to block b.
extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  // TODO load (about 3 lines): each thread copies its element of `in` to partial[threadIdx.x], or writes
  //      the identity of addition there if it has no element. Then all threads wait for each other: why?

  // TODO tree (about 4 lines): for stride 1, 2, 4 ... below blockDim.x, every thread whose index is a
  //      multiple of 2 * stride adds the value `stride` further on to its own. Where does each level's
  //      barrier go?

  // TODO store (1 line): one thread writes the block's sum to out[blockIdx.x].
}

/// values[0] = the sum of the 2 * blockDim.x values; one block, in place, in global memory.
extern "C" __global__ void sum_in_place(float* values) {
  // TODO tree in place (about 5 lines): thread t owns element 2t, and adds the element `stride` further on
  //      to it. Which threads have work at a stride, and how far does it go? Where does each level's
  //      barrier go?
}
