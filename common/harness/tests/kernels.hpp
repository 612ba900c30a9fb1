#pragma once
#include "common/harness/kernel.hpp"

/// out[i] = 2 * in[i] + offset
WARPWISE_KERNEL(twice, (const int* in, int* out, unsigned n, int offset));
WARPWISE_KERNEL(nothing, (int* out));
/// Writes out[0] only.
WARPWISE_KERNEL(first_only, (int* out));
WARPWISE_KERNEL(endless, (volatile int* flag));
WARPWISE_KERNEL(out_of_bounds, (int* out, unsigned n));
