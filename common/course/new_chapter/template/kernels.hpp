#pragma once
/// \file Chapter @number@, the contract: what each kernel must do. The lesson is README.md.
/// TEMPLATE: what all kernels of the chapter have in common.

#include "common/harness/device/kernel.hpp"

/// TEMPLATE: the contract of your own kernel: what it reads and writes, for which n, how it is launched, and what its
/// technique must be, with the reason.
/// out[i] = 2 * in[i] for each i below n. n may be anything, including 0.
///
/// Launch: at least ceil(n / blockDim.x) blocks; blockDim.x a power of two from 32 to 1024; no shared memory.
///
/// Technique: each element is read once, and a warp reads 32 neighbours at a time.
WARPWISE_KERNEL(@kernel@, (const float* in, float* out, unsigned n));
