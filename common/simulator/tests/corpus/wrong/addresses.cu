/// \file Accesses outside an array or a buffer, or on the wrong border.
#include "../launching_program.cuh"

// finding: out-of-bounds at `out[i] = in[i] - in[i - 1];`
// why: thread 0 of the first block has no left neighbour
namespace negative_index {

__global__ void difference(const float* in, float* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = in[i] - in[i - 1];
}

const LaunchingProgram program("negative_index",
                               {{difference, "grid=2 block=64 args=in:f32[128]:random,out:f32[128]:poison"}});

}  // namespace negative_index

// finding: out-of-bounds at `const float value = in[i];`
// why: the last block reads past the input
namespace no_guard_at_the_tail {

__global__ void twice(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = in[i];
  out[i] = 2 * value;
}

const LaunchingProgram program("no_guard_at_the_tail",
                               {{twice, "grid=4 block=256 args=in:f32[1000]:random,out:f32[1024]:poison"}});

}  // namespace no_guard_at_the_tail

// finding: out-of-bounds at `out[i] = 2 * value;`
// why: the guard protects the read but not the write
namespace write_without_guard {

__global__ void twice(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 0;
  if (i < n) value = in[i];
  out[i] = 2 * value;
}

const LaunchingProgram program(
    "write_without_guard",
    {{twice, "grid=4 block=256 args=in:f32[1000]:random,out:f32[1000]:poison,n:u32:1000"}});

}  // namespace write_without_guard

// finding: out-of-bounds at `const float4 v = reinterpret_cast<const float4*>(in)[threadIdx.x];`
// why: the last 16-byte load of 1002 floats reaches two past them
namespace vector_load_past_the_end {

__global__ void sum_of_four(const float* in, float* out) {
  const float4 v = reinterpret_cast<const float4*>(in)[threadIdx.x];
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

const LaunchingProgram program("vector_load_past_the_end",
                               {{sum_of_four,
                                 "grid=1 block=251 args=in:f32[1002]:random,out:f32[251]:poison"}});

}  // namespace vector_load_past_the_end

// finding: out-of-bounds at `atomicAdd(&out[key], 1u);`
// why: the largest key has no bin
namespace atomic_past_the_bins {

__global__ void histogram(const unsigned* in, unsigned* out) {
  const unsigned key = in[threadIdx.x] % 17;
  atomicAdd(&out[key], 1u);
}

const LaunchingProgram program("atomic_past_the_bins",
                               {{histogram, "grid=1 block=128 args=in:u32[128]:iota,out:u32[16]:zero"}});

}  // namespace atomic_past_the_bins

// finding: out-of-bounds at `const unsigned value = table[threadIdx.x];`
// why: the table in constant memory has 16 entries, the index goes to 31
namespace const_bank_table_overrun {

__constant__ unsigned table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
__global__ void look_up(unsigned* out) {
  const unsigned value = table[threadIdx.x];
  out[threadIdx.x] = value;
}

const LaunchingProgram program("const_bank_table_overrun",
                               {{look_up, "grid=1 block=32 args=out:u32[32]:poison"}});

}  // namespace const_bank_table_overrun

// finding: out-of-bounds at `__global__ void clear(float* out) { out[threadIdx.x] = 0; }`
// why: a buffer that was never allocated
namespace null_pointer {

__global__ void clear(float* out) { out[threadIdx.x] = 0; }

const LaunchingProgram program("null_pointer", {{clear, "grid=1 block=32 args=out:f32[0]:null"}});

}  // namespace null_pointer

// finding: out-of-bounds at `__global__ void clear(float* out) { out[threadIdx.x] = 0; }`
// why: the buffer was freed before the launch
namespace after_free {

__global__ void clear(float* out) { out[threadIdx.x] = 0; }

const LaunchingProgram program("after_free", {{clear, "grid=1 block=32 args=out:f32[4096]:freed"}});

}  // namespace after_free

// finding: out-of-bounds at `if (threadIdx.x == 0) free(out);`
// why: the host has allocated the buffer: no heap of kernels knows it
namespace free_of_the_hosts {

__global__ void clear(float* out) {
  out[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 0) free(out);
}

const LaunchingProgram program("free_of_the_hosts", {{clear, "grid=1 block=32 args=out:f32[32]:poison"}});

}  // namespace free_of_the_hosts

// finding: out-of-bounds at `free(place + 1);`
// why: free() takes the pointer that malloc() gave, and no other
namespace free_in_the_middle {

__global__ void keep(int* out) {
  int* const place = static_cast<int*>(malloc(16));
  place[1] = 7;
  out[threadIdx.x] = place[1];
  free(place + 1);
}

const LaunchingProgram program("free_in_the_middle", {{keep, "grid=1 block=32 args=out:s32[32]:poison"}});

}  // namespace free_in_the_middle

// finding: out-of-bounds at `free(place);`
// why: every thread frees what one of them has allocated
namespace free_by_everybody {

__global__ void share(int* out) {
  __shared__ int* place;
  if (threadIdx.x == 0) place = static_cast<int*>(malloc(32 * sizeof(int)));
  __syncthreads();
  place[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = place[threadIdx.x];
  __syncthreads();
  free(place);
}

const LaunchingProgram program("free_by_everybody", {{share, "grid=1 block=32 args=out:s32[32]:poison"}});

}  // namespace free_by_everybody

// finding: out-of-bounds at `partial[index] += partial[index + stride];`
// why: index = 2 * stride * t leaves the array for most threads
namespace index_without_its_bound {

__global__ void sum(const float* in, float* out) {
  extern __shared__ float partial[];
  const unsigned t = threadIdx.x;
  partial[t] = in[t];
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned index = 2 * stride * t;
    partial[index] += partial[index + stride];
    __syncthreads();
  }
  if (t == 0) out[0] = partial[0];
}

const LaunchingProgram program("index_without_its_bound",
                               {{sum,
                                 "grid=1 block=128 shared=512 args=in:f32[128]:random,out:f32[1]:poison"}});

}  // namespace index_without_its_bound

// finding: out-of-bounds at `a[t + 16] = in[t];`
// why: the upper half of the block writes past the end of one shared array, on a GPU into the other
namespace neighbour_of_a_shared_array {

__global__ void rotate(const float* in, float* out) {
  __shared__ float a[32], b[32];
  const unsigned t = threadIdx.x;
  b[t] = in[t];
  a[t + 16] = in[t];
  __syncthreads();
  out[t] = t < 16 ? b[t] : a[t];
}

const LaunchingProgram program("neighbour_of_a_shared_array",
                               {{rotate, "grid=1 block=32 args=in:f32[32]:random,out:f32[32]:poison"}});

}  // namespace neighbour_of_a_shared_array

// finding: out-of-bounds at `s[t] = in[t];`
// also: out-of-bounds at `out[t] = s[255 - t];`
// why: the launch gives half the shared memory that the kernel uses
namespace shared_memory_too_small {

__global__ void reverse(const float* in, float* out) {
  extern __shared__ float s[];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[255 - t];
}

const LaunchingProgram program("shared_memory_too_small",
                               {{reverse,
                                 "grid=1 block=256 shared=512 args=in:f32[256]:random,out:f32[256]:poison"}});

}  // namespace shared_memory_too_small

// finding: out-of-bounds at `s[t] = in[t];`
// also: out-of-bounds at `out[t] = s[63 - t];`
// why: 64 threads write an array of 32
namespace static_array_too_short {

__global__ void reverse(const float* in, float* out) {
  __shared__ float s[32];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[63 - t];
}

const LaunchingProgram program("static_array_too_short",
                               {{reverse, "grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison"}});

}  // namespace static_array_too_short

// finding: out-of-bounds at `s[t] = in[t];`
// also: out-of-bounds at `out[t] = s[63 - t];`
// why: the array is too short, and the dynamic shared memory behind it hides that on a GPU
namespace static_array_before_dynamic_memory {

// Whoever launches it provides memory for a block of any size; the kernel does not use it.
__global__ void reverse(const float* in, float* out) {
  __shared__ float s[32];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[63 - t];
}

const LaunchingProgram program("static_array_before_dynamic_memory",
                               {{reverse,
                                 "grid=1 block=64 shared=256 args=in:f32[64]:random,out:f32[64]:poison"}});

}  // namespace static_array_before_dynamic_memory

// finding: out-of-bounds at `if (t < 32) partial[t] += partial[t + 32];`
// why: a block of 32 has no second half to add
namespace warp_tail_past_the_array {

__global__ void sum(const float* in, float* out) {
  extern __shared__ float partial[];
  const unsigned t = threadIdx.x;
  partial[t] = in[t];
  __syncthreads();
  if (t < 32) partial[t] += partial[t + 32];
  __syncwarp();
  if (t == 0) out[0] = partial[0];
}

const LaunchingProgram program("warp_tail_past_the_array",
                               {{sum,
                                 "grid=1 block=32 shared=128 args=in:f32[32]:random,out:f32[1]:poison"}});

}  // namespace warp_tail_past_the_array

// finding: out-of-bounds at `out[threadIdx.x] = table[k];`
// also: uninitialised at `out[threadIdx.x] = table[k];`
// why: the index into a local array is not bounded
namespace local_array_too_short {

__global__ void pick(const unsigned* in, unsigned* out) {
  unsigned table[8];
  for (unsigned i = 0; i < 8; ++i) table[i] = in[i] * in[threadIdx.x];
  const unsigned k = in[threadIdx.x] * 97;
  out[threadIdx.x] = table[k];
}

const LaunchingProgram program("local_array_too_short",
                               {{pick, "grid=1 block=32 args=in:u32[32]:iota,out:u32[32]:poison"}});

}  // namespace local_array_too_short

// finding: misaligned at `const float4 v = reinterpret_cast<const float4*>(in + 1)[threadIdx.x];`
// why: a 16-byte load from an address that is a multiple of 4 only
namespace float4_from_an_odd_pointer {

__global__ void sums(const float* in, float* out) {
  const float4 v = reinterpret_cast<const float4*>(in + 1)[threadIdx.x];
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

const LaunchingProgram program("float4_from_an_odd_pointer",
                               {{sums, "grid=1 block=16 args=in:f32[128]:random,out:f32[16]:poison"}});

}  // namespace float4_from_an_odd_pointer

// finding: misaligned at `atomicAdd(reinterpret_cast<unsigned long long*>(words + 1), 1ull);`
// why: an 8-byte atomic on a 4-byte border of shared memory
namespace int64_on_a_4_byte_border {

__global__ void count(unsigned* out) {
  __shared__ __align__(8) unsigned words[4];
  if (threadIdx.x < 4) words[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(reinterpret_cast<unsigned long long*>(words + 1), 1ull);
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = words[threadIdx.x];
}

const LaunchingProgram program("int64_on_a_4_byte_border",
                               {{count, "grid=1 block=64 args=out:u32[4]:poison"}});

}  // namespace int64_on_a_4_byte_border

// finding: misaligned at `*reinterpret_cast<int*>(record + 1) = -1;`
// why: an int behind a one-byte tag is not on a 4-byte border
namespace store_to_packed_record {

__global__ void pack(unsigned char* out) {
  unsigned char* record = out + 5 * threadIdx.x;
  record[0] = 1;
  *reinterpret_cast<int*>(record + 1) = -1;
}

const LaunchingProgram program("store_to_packed_record", {{pack, "grid=1 block=32 args=out:u8[160]:poison"}});

}  // namespace store_to_packed_record
