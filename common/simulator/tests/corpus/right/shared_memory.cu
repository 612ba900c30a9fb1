/// \file Shared memory, with the barriers that it needs and no more.
#include "../launching_program.cuh"

// finding: none
// why: after the barrier the counter is read plainly: nobody adds to it any more
namespace atomics_then_plain_read {

__global__ void count(const unsigned* in, unsigned* out) {
  __shared__ unsigned odd;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) odd = 0;
  __syncthreads();
  if (in[i] % 2 == 1) atomicAdd(&odd, 1u);
  __syncthreads();
  out[i] = odd;
}

const LaunchingProgram program("atomics_then_plain_read",
                               {{count, "grid=2 block=128 args=in:u32[256]:random,out:u32[256]:poison"}});

}  // namespace atomics_then_plain_read

// finding: none
// why: shared atomics from all threads, cleared before and read after a barrier
namespace histogram_with_atomics {

__global__ void histogram(const unsigned* in, unsigned* out) {
  __shared__ unsigned bins[32];
  const unsigned t = threadIdx.x;
  if (t < 32) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[in[blockIdx.x * blockDim.x + t] % 32], 1u);
  __syncthreads();
  if (t < 32) atomicAdd(&out[t], bins[t]);
}

const LaunchingProgram program("histogram_with_atomics",
                               {{histogram, "grid=3 block=128 args=in:u32[384]:random,out:u32[32]:zero"}});

}  // namespace histogram_with_atomics

// finding: none
// why: many threads store the same value into the same word; a barrier comes before it is read
namespace everybody_stores_the_same {

__global__ void any_large(const unsigned* in, unsigned* out) {
  __shared__ unsigned found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (in[blockIdx.x * blockDim.x + threadIdx.x] % 5 == 0) found = 1;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = found;
}

const LaunchingProgram program("everybody_stores_the_same",
                               {{any_large, "grid=2 block=128 args=in:u32[256]:random,out:u32[2]:poison"}});

}  // namespace everybody_stores_the_same

// finding: none
// why: four threads write the four bytes of a word: neighbours, not the same place
namespace bytes_of_one_word {

__global__ void bytes(const unsigned* in, unsigned char* out) {
  __shared__ unsigned char s[64];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = static_cast<unsigned char>(in[i]);
  out[i] = static_cast<unsigned char>(s[t] + 1);
  __syncthreads();
  out[i] = static_cast<unsigned char>(out[i] + s[63 - t]);
}

const LaunchingProgram program("bytes_of_one_word",
                               {{bytes, "grid=2 block=64 args=in:u32[128]:random,out:u8[128]:poison"}});

}  // namespace bytes_of_one_word

// finding: none
// why: a tile with a padded row is written by row and read by column
namespace columns_of_a_padded_tile {

__global__ void column_sums(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[32][33];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[32 * y + x];
  __syncthreads();
  unsigned value = tile[x][y];
  for (unsigned d = 16; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
  if (x == 0) out[y] = value;
}

const LaunchingProgram program("columns_of_a_padded_tile",
                               {{column_sums,
                                 "grid=1 block=32x32 args=in:u32[1024]:random,out:u32[32]:poison"}});

}  // namespace columns_of_a_padded_tile

// finding: none
// why: two buffers taken in turn need one barrier a step
namespace double_buffering {

__global__ void scan(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[2][128];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  unsigned from = 0;
  s[0][t] = in[i];
  __syncthreads();
  for (unsigned d = 1; d < 128; d *= 2) {
    s[1 - from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[i] = s[from][t];
}

const LaunchingProgram program("double_buffering",
                               {{scan, "grid=2 block=128 args=in:u32[256]:random,out:u32[256]:poison"}});

}  // namespace double_buffering

// finding: none
// why: two static arrays and a dynamic one side by side, each filled to its end
namespace dynamic_and_static_shared {

extern __shared__ unsigned dynamic_part[];
__global__ void three(const unsigned* in, unsigned* out) {
  __shared__ unsigned first[128];
  __shared__ unsigned short second[128];
  const unsigned t = threadIdx.x;
  first[t] = in[t];
  second[t] = static_cast<unsigned short>(in[t] >> 3);
  dynamic_part[t] = in[t] ^ 0x5555u;
  __syncthreads();
  out[t] = first[127 - t] + second[(t + 1) % 128] + dynamic_part[t ^ 64];
}

const LaunchingProgram program("dynamic_and_static_shared",
                               {{three,
                                 "grid=1 block=128 shared=512 args=in:u32[128]:random,out:u32[128]:poison"}});

}  // namespace dynamic_and_static_shared

// finding: none
// why: floats, then integers in the same bytes, with a barrier between the two lives
namespace shared_memory_reused {

union Storage {
  float values[128];
  unsigned long long keys[64];
};
__global__ void two_lives(const float* in, unsigned* out) {
  __shared__ Storage storage;
  const unsigned t = threadIdx.x;
  storage.values[t] = in[t];
  __syncthreads();
  const float mirrored = storage.values[127 - t];
  __syncthreads();
  if (t < 64) storage.keys[t] = __float_as_uint(mirrored);
  __syncthreads();
  out[t] = static_cast<unsigned>(storage.keys[t / 2]) + __float_as_uint(mirrored);
}

const LaunchingProgram program("shared_memory_reused",
                               {{two_lives, "grid=1 block=128 args=in:f32[128]:random,out:u32[128]:poison"}});

}  // namespace shared_memory_reused

// finding: none
// why: a function that is not inlined sees shared and global memory through one pointer type
namespace shared_through_generic_pointers {

__device__ __noinline__ void copy_mirrored(const unsigned* from, unsigned* to, unsigned t, unsigned n) {
  to[t] = from[n - 1 - t];
}
__global__ void mirror(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[64];
  copy_mirrored(in, s, threadIdx.x, 64);
  __syncthreads();
  copy_mirrored(s, out, threadIdx.x, 64);
}

const LaunchingProgram program("shared_through_generic_pointers",
                               {{mirror, "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison"}});

}  // namespace shared_through_generic_pointers

// finding: none
// why: four floats are written at once, read one by one, and two at once are written over them
namespace vectors_and_their_elements {

__global__ void mix(const float4* in, float* out) {
  __shared__ float4 quads[64];
  const unsigned t = threadIdx.x;
  quads[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  out[blockIdx.x * 64 + t] = reinterpret_cast<const float*>(quads)[t * 3];
  __syncthreads();
  reinterpret_cast<float2*>(quads)[t] = make_float2(1, 2);
}

const LaunchingProgram program("vectors_and_their_elements",
                               {{mix, "grid=2 block=64 args=in:f32[512]:random,out:f32[128]:poison"}});

}  // namespace vectors_and_their_elements
