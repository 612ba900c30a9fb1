#pragma once
/// \file Given, not an exercise: what the blocks of scan_device tell each other, and how.

/// What is known of a tile. `total`: the sum of its own elements. `prefix`: the sum of all elements up to its
/// end; a block that finds one does not look further back.
enum class Known : unsigned { nothing = 0, total = 1, prefix = 2 };

// [word]
/// Status and value in one 64-bit word, which is written and read as a whole. A block that sees the status
/// also has the value that belongs to it, and no fence is needed to order the two. The status contains the
/// number of the launch, so words of earlier launches count as nothing and never have to be cleared.
__device__ inline unsigned long long word_of(unsigned launch, Known known, int value) {
  const unsigned status = 2 * launch + static_cast<unsigned>(known);
  return static_cast<unsigned long long>(status) << 32 | static_cast<unsigned>(value);
}
__device__ inline Known known_of(unsigned launch, unsigned long long word) {
  const unsigned known = static_cast<unsigned>(word >> 32) - 2 * launch;
  return known == 1 || known == 2 ? static_cast<Known>(known) : Known::nothing;
}
__device__ inline int value_of(unsigned long long word) { return static_cast<int>(word); }
// [/word]

// Relaxed at the scope of the device: other blocks see the whole word sooner or later, and it orders nothing
// else (PTX ISA, "Memory consistency model"). Older code says `volatile` here: the same, at the
// scope of the whole system.
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

/// The number of this launch, counted from 0, and the number of a tile that no other block of it has.
struct Ticket {
  unsigned launch, tile;
};

// [ticket]
/// Draws a ticket for the whole block, with one block barrier. The lower half of `drawn` is the number of
/// tiles of this launch that are drawn, the upper half the number of launches before. Whoever has
/// drawn has started, so a block that waits for a smaller number waits for a block that is already running.
__device__ inline Ticket draw_tile(unsigned long long* drawn) {
  __shared__ unsigned long long shared_word;
  if (threadIdx.x == 0) {
    const unsigned long long word = atomicAdd(drawn, 1ull);
    if (static_cast<unsigned>(word) == gridDim.x - 1)  // the last of this launch: the next one starts at 0
      atomicAdd(drawn, (1ull << 32) - gridDim.x);
    shared_word = word;
  }
  __syncthreads();
  return {static_cast<unsigned>(shared_word >> 32), static_cast<unsigned>(shared_word)};
}
// [/ticket]
