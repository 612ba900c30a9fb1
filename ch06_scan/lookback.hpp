#pragma once
/// \file Given, not an exercise: what blocks of scan_device tell each other, and how.

/// What is known of a tile. `total`: the sum of its own elements. `prefix`: the sum of all elements up to its
/// end; whoever finds one need not look further back.
enum class Known : unsigned { nothing = 0, total = 1, prefix = 2 };

// [word]
/// Status and value in one 64-bit word, which is written and read as a whole: who sees the status has the
/// value that belongs to it, and no fence is needed to put the two in order.
__device__ inline unsigned long long word_of(Known known, int value) {
  return static_cast<unsigned long long>(known) << 32 | static_cast<unsigned>(value);
}
__device__ inline Known known_of(unsigned long long word) { return static_cast<Known>(word >> 32); }
__device__ inline int value_of(unsigned long long word) { return static_cast<int>(word); }
// [/word]

// Relaxed at the scope of the device: other blocks see the word, whole, some time; nothing else is ordered by
// it (PTX ISA, "Memory consistency model"). Older code says `volatile` here and means the same.
__device__ inline void publish(unsigned long long* state, unsigned long long word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(state)), "l"(word)
               : "memory");
}
__device__ inline unsigned long long poll(const unsigned long long* state) {
  unsigned long long word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
               : "=l"(word)
               : "l"(__cvta_generic_to_global(state))
               : "memory");
  return word;
}

/// The number of the next tile, for the whole block; one block barrier. Blocks draw in the order in which
/// they start, so whoever waits for a smaller number waits for a block that already runs.
__device__ inline unsigned draw_tile(unsigned* counters) {
  __shared__ unsigned tile;
  if (threadIdx.x == 0) tile = atomicAdd(&counters[0], 1u);
  __syncthreads();
  return tile;
}

/// To be called by all lanes of warp 0, the one that looks back, when the block needs `states` no more. The
/// last block to leave sets all words back to 0 for the next launch.
__device__ inline void leave_scan(unsigned long long* states, unsigned* counters) {
  const unsigned lane = threadIdx.x % 32;
  unsigned left = 0;
  __syncwarp();  // all lanes have polled for the last time ...
  if (lane == 0) {
    __threadfence();                                // ... before the others are told
    left = atomicInc(&counters[1], gridDim.x - 1);  // the last one makes it 0 again
    __threadfence();
  }
  __syncwarp();
  left = __shfl_sync(0xffffffffu, left, 0);
  if (left != gridDim.x - 1) return;
  for (unsigned i = lane; i < gridDim.x; i += 32) states[i] = 0;
  if (lane == 0) counters[0] = 0;
}
