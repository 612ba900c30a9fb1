#pragma once
/// \file An example of a chapter, the contract: what its kernel must do. The lesson is README.md.

#include "common/harness/device/kernel.hpp"

/// Transposes a matrix that is stored row by row: out[c * rows + r] = in[r * columns + c] for each r below
/// `rows` and each c below `columns`. Either can be anything, including 0; their product is below 2^32.
///
/// Launch: blocks of 32 x 8 threads, at least ceil(columns / 32) x ceil(rows / 32) of them, which can be more
/// than there are tiles; no dynamic shared memory. Block (x, y) moves the tile of 32 x 32 elements that
/// begins in row 32 * y and column 32 * x. `in` and `out` do not overlap.
///
/// Technique: each warp reads 32 neighbouring elements at a time, each element once, and writes 32
/// neighbouring elements: 4 sectors of 32 bytes for 32 elements, both ways. The elements of a row are
/// neighbours in `in`, and those of a column in `out`. So the tile is transposed in shared memory: no bank
/// conflict there, neither on the way in nor on the way out, and one block barrier. No shuffles and no
/// atomics, though you could do it with them. Source: G. Ruetsch, P. Micikevicius, "Optimizing Matrix
/// Transpose in CUDA", NVIDIA, 2009.
WARPWISE_KERNEL(transpose, (const float* in, float* out, unsigned rows, unsigned columns));
