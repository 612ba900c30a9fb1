#pragma once
/// \file Given, not exercises: kernels in which CUB does what this chapter writes by hand (cub_reference.cu).

#include "common/harness/device/kernel.hpp"

/// The same as warp_reduce_sum and warp_reduce_max, with cub::WarpReduce. blockDim.x is 256.
WARPWISE_KERNEL(cub_warp_sum, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(cub_warp_max, (const float* in, float* out, unsigned n));

/// The same as reduce_shuffle, reduce_argmax and dot_product, with cub::BlockReduce. blockDim.x is 256.
WARPWISE_KERNEL(cub_block_sum, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(cub_block_argmax, (const float* in, float* value, unsigned* index, unsigned n));
WARPWISE_KERNEL(cub_block_dot, (const float* a, const float* b, float* out, unsigned n));
