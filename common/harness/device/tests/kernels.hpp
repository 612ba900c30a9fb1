#pragma once
#include "common/harness/device/kernel.hpp"

/// out[i] = 2 * in[i] + offset
WARPWISE_KERNEL(twice, (const int* in, int* out, unsigned n, int offset));
WARPWISE_KERNEL(nothing, (int* out));
/// Writes out[0] only.
WARPWISE_KERNEL(first_only, (int* out));
WARPWISE_KERNEL(endless, (volatile int* flag));
WARPWISE_KERNEL(out_of_bounds, (int* out, unsigned n));
/// Each thread reads what another one writes, then its loop never ends. 64 threads.
WARPWISE_KERNEL(races_for_ever, (volatile int* flags));

/// out[b] = the sum of the blockDim.x elements of block b; blockDim.x floats of dynamic shared memory.
WARPWISE_KERNEL(sums_by_tree, (const float* in, float* out, unsigned n));
/// The same by thread 0 alone.
WARPWISE_KERNEL(sums_one_by_one, (const float* in, float* out, unsigned n));
/// The same, but in the first launch alone.
WARPWISE_KERNEL(sums_of_first_launch, (const float* in, float* out, unsigned n));
/// Writes in[1], though it may not.
WARPWISE_KERNEL(writes_its_input, (const int* in, int* out));
/// In each block warp 0 loads all n elements, the others none; out: one element a thread.
WARPWISE_KERNEL(first_warp_loads, (const int* in, int* out, unsigned n));
/// All warps load the same number of the n elements; out: one element a thread.
WARPWISE_KERNEL(all_warps_load, (const int* in, int* out, unsigned n));
/// Block 0 ends when all threads of all blocks have begun. *begun is 0 before.
WARPWISE_KERNEL(waits_for_later_blocks, (unsigned* begun));
/// Waits until *flag is not 0, and nobody changes it.
WARPWISE_KERNEL(polls_for_ever, (const volatile int* flag));
/// Warp 0 waits at one barrier and warp 1 at another one, each for both.
WARPWISE_KERNEL(warps_at_two_barriers, (int* out));
/// Warp 0 waits at one barrier and warp 1 at another one of the same line, which opens.
WARPWISE_KERNEL(one_barrier_of_two_instructions, (int* out));
/// The lanes below 16 meet at two barriers; at the second the mask names all, the others of which have left.
WARPWISE_KERNEL(mask_names_who_left, (int* out));
/// Each lane stores to out[lane] as often as `rounds` says.
WARPWISE_KERNEL(counts_to, (int* out, int rounds));
/// out[i] grows by in[i] for even i; with is_careful == 0, odd elements are loaded too.
WARPWISE_KERNEL(adds_even, (const int* in, int* out, unsigned is_careful));
/// out[i] = 2 * in[i], as long as a float holds i.
WARPWISE_KERNEL(twice_through_float, (const float* in, float* out, unsigned n));
/// out[i] = the sum of what thread i of the grid took, in a grid-stride loop.
WARPWISE_KERNEL(sums_of_rounds, (const float* in, float* out, unsigned n));
/// The same, as long as 16 bits hold the number of the block.
WARPWISE_KERNEL(sums_through_16_bits, (const float* in, float* out, unsigned n));
