// An example of a chapter. README.md is the lesson; kernels.hpp says what its kernel must do.

#include "kernels.hpp"

/// out[c * rows + r] = in[r * columns + c]
extern "C" __global__ void transpose(const float* in, float* out, unsigned rows, unsigned columns) {
  // TODO tile (1 line): declare a __shared__ array for 32 x 32 elements, in which neither a row nor a column of
  //      32 has two elements in one bank.

  // TODO load (about 5 lines): each warp of the block has one value of threadIdx.y, and reads every eighth row
  //      of the tile. A lane reads the element in its column, if there is one. Then the block waits: for what?

  // TODO store (about 5 lines): the lanes of a warp write neighbours in `out`, which are a column of the tile.
}
