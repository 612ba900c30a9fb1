// Chapter 3: 32 banks. README.md is the lesson; kernels.hpp says what each kernel must do.

#include "kernels.hpp"
#include "operators.hpp"

/// Combines the blockDim.x values of `partial` into partial[0]. All threads of the block call this, each
/// after it has stored its own partial[threadIdx.x]. Thread 0 can read the result right away.
template <class Operator>
__device__ void reduce_tree(float* partial) {
  // TODO tree (about 5 lines): at every level the values to combine are side by side, from partial[0] on, and
  //      so are the threads. Nobody reads a value that another thread may still write: where do the barriers go?
}

/// out[b] = the sum of the blockDim.x elements of `in` that belong to block b.
extern "C" __global__ void reduce_sequential(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  // TODO sum (about 5 lines): each thread's element is in `partial`, or what changes no sum, before reduce_tree
  //      begins.
}

/// out[b] = the sum of the 2 * blockDim.x elements of `in` that belong to block b.
extern "C" __global__ void reduce_first_add(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  // TODO sum (about 6 lines): before the tree begins, every element of the block that exists is in the sum of
  //      exactly one thread. Which tests does that need?
}

/// Each block of the next two kernels does this: it reduces the elements that it takes. `partial` is the
/// block's shared memory.
template <class Operator>
__device__ void reduce_any_grid(const float* in, float* out, unsigned n, float* partial) {
  // TODO walk (about 6 lines): each element that exists belongs to exactly one thread of the grid, whatever n
  //      is, and the 32 lanes of a warp take neighbours. Then reduce_tree does its work.
}

/// out[b] = the sum of the elements that block b took.
extern "C" __global__ void reduce_grid_stride(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  // TODO call (1 line here, about 6 in reduce_any_grid above)
}

/// out[b] = the largest of the elements that block b took.
extern "C" __global__ void reduce_max(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  // TODO call (1 line, of reduce_any_grid): the operator is one of operators.hpp.
}

/// out[c] = the sum of the 32 floats in[32 * c] to in[32 * c + 31].
extern "C" __global__ void column_sums(const float* in, float* out, unsigned columns) {
  // TODO (about 7 lines): in global memory the lanes of a warp read neighbours. In the __shared__ tile they
  //      have no bank conflict, neither when they store a column nor when each sums one. No lane reads what
  //      another may still store; a column that does not exist is neither read nor written.
}
