// Chapter 3: 32 banks. README.md is the lesson; kernels.hpp says what each kernel must do.

#include "kernels.hpp"
#include "operators.hpp"

/// Combines the blockDim.x values of `partial` into partial[0]. All threads of the block call this, each
/// after it has stored its own partial[threadIdx.x]. Thread 0 can read the result right away.
template <class Operator>
__device__ void reduce_tree(float* partial) {
  // TODO tree (about 5 lines): write this for reduce_sequential; the other reductions use it again. For
  //      stride blockDim.x / 2, blockDim.x / 4 ... 1, the threads below the stride combine their own value
  //      with the one `stride` further on (Operator::combine). Where do the barriers go?
}

/// out[b] = the sum of the blockDim.x elements of `in` that belong to block b.
extern "C" __global__ void reduce_sequential(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  // TODO load (about 3 lines): as in chapters 1 and 2.
  // TODO tree (1 line here, about 5 in reduce_tree above): call reduce_tree<Sum>.
  // TODO store (1 line): one thread writes the block's sum to out[blockIdx.x].
}

/// out[b] = the sum of the 2 * blockDim.x elements of `in` that belong to block b.
extern "C" __global__ void reduce_first_add(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  // TODO load (about 5 lines): each thread adds two elements, blockDim.x apart, in a register, and stores
  //      the sum. Either of the two may be at or past n.
  // TODO tree and store (2 lines): as before.
}

/// Each block of the next two kernels does this: it reduces the elements that it takes. `partial` is the
/// block's shared memory.
template <class Operator>
__device__ void reduce_any_grid(const float* in, float* out, unsigned n, float* partial) {
  // TODO walk (about 6 lines): each thread starts at its index in the whole grid, and moves on by the number
  //      of threads in the grid, as long as there are elements. It combines them in a register. Then come
  //      the tree and the store, as before.
}

/// out[b] = the sum of the elements that block b took.
extern "C" __global__ void reduce_grid_stride(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  // TODO call (1 line here, about 6 in reduce_any_grid above): call reduce_any_grid<Sum>.
}

/// out[b] = the largest of the elements that block b took.
extern "C" __global__ void reduce_max(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  // TODO call (1 line): the same with another operator from operators.hpp.
}

/// out[c] = the sum of the 32 floats in[32 * c] to in[32 * c + 31].
extern "C" __global__ void column_sums(const float* in, float* out, unsigned columns) {
  // TODO tile (1 line): declare a __shared__ array in which neither of the next two steps has a bank conflict.
  // TODO load (about 3 lines): 32 times, the warp reads a whole column, one element per lane, and stores it as
  //      one row of the tile, or zeros if there is no such column. Then all lanes wait for each other: why?
  // TODO sum (about 3 lines): each lane adds up one row of the tile, and writes the sum if it has a column.
}
