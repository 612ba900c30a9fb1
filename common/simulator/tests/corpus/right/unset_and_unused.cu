/// \file Values that nobody has set, or padding, or more than the program asked for: and nothing depends on
/// it.
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_store.cuh>

#include "../program.cuh"

// finding: none
// why: nvcc reads a word for three bytes of it, the fourth is nobody's
// launch: kernel=sum grid=1 block=64 args=in:u8[256]:iota,out:u32[64]:poison
namespace three_of_four_bytes {

struct alignas(4) Colour {
  unsigned char r, g, b;
};
__global__ void sum(const unsigned char* in, unsigned* out) {
  __shared__ Colour s[64];
  const unsigned t = threadIdx.x;
  s[t].r = in[4 * t];
  s[t].g = in[4 * t + 1];
  s[t].b = in[4 * t + 2];
  __syncthreads();
  const Colour colour = s[63 - t];
  out[t] = colour.r + colour.g + colour.b;
}

const Program program("three_of_four_bytes", [] {
  const Buffer<unsigned char> in(256, Fill::iota);
  const Buffer<unsigned> out(64, Fill::poison);
  sum<<<1, 64>>>(in.data(), out.data());
  return out.show();
});

}  // namespace three_of_four_bytes

// finding: none
// why: nvcc reads four floats for three of them, while the owner of the fourth writes it
// launch: kernel=sum grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison
namespace three_of_four_floats {

__global__ void sum(const float* in, float* out) {
  __shared__ float4 s[64];
  const unsigned t = threadIdx.x;
  s[t].x = in[t];
  s[t].y = 2 * in[t];
  s[t].z = 3 * in[t];
  __syncthreads();
  const unsigned other = 63 - t;
  s[t].w = in[other];
  out[t] = s[other].x + s[other].y + s[other].z;
}

const Program program("three_of_four_floats", [] {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(64, Fill::poison);
  sum<<<1, 64>>>(in.data(), out.data());
  return out.show();
});

}  // namespace three_of_four_floats

// finding: none
// why: nvcc reads four floats for two of them, and the buffer ends behind those
// launch: kernel=sum grid=1 block=16 args=in:f32[63]:iota,out:f32[64]:poison
namespace fourth_float_beyond_the_end {

__global__ void sum(const float* in, float* out) {
  const float4* const values = reinterpret_cast<const float4*>(in);
  out[threadIdx.x] = values[threadIdx.x].x + values[threadIdx.x].z;
}

const Program program("fourth_float_beyond_the_end", [] {
  const Buffer<float> in(63, Fill::iota);
  const Buffer<float> out(64, Fill::poison);
  sum<<<1, 16>>>(in.data(), out.data());
  return out.show();
});

}  // namespace fourth_float_beyond_the_end

// finding: none
// why: a structure is copied with the padding at its end
// launch: kernel=reverse grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison
namespace padding_behind_an_integer {

struct Pair {
  double value;
  int index;
};
__global__ void reverse(const float* in, float* out) {
  __shared__ Pair s[64], reversed[64];
  const unsigned t = threadIdx.x;
  s[t].value = in[t];
  s[t].index = t;
  __syncthreads();
  reversed[t] = s[63 - t];
  __syncthreads();
  out[t] = static_cast<float>(reversed[t].value) + reversed[t].index;
}

const Program program("padding_behind_an_integer", [] {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(64, Fill::poison);
  reverse<<<1, 64>>>(in.data(), out.data());
  return out.show();
});

}  // namespace padding_behind_an_integer

// finding: none
// why: a structure is copied with the padding behind its first byte, to global memory as well
// launch: kernel=copy grid=1 block=32 args=in:u32[64]:random,out:u32[64]:poison
namespace padding_behind_a_byte {

struct Tagged {
  unsigned char tag;
  unsigned value;
};
__global__ void copy(const unsigned* in, unsigned* out) {
  __shared__ Tagged s[32];
  const unsigned t = threadIdx.x;
  s[t].tag = static_cast<unsigned char>(in[t]);
  s[t].value = in[t];
  __syncthreads();
  reinterpret_cast<Tagged*>(out)[t] = s[31 - t];
}

const Program program("padding_behind_a_byte", [] {
  const Buffer<unsigned> in(64, Fill::random);
  const Buffer<unsigned> out(64, Fill::poison);
  copy<<<1, 32>>>(in.data(), out.data());
  return out.show();
});

}  // namespace padding_behind_a_byte

// finding: none
// why: a large structure is copied in a loop of words, its padding among them
// launch: kernel=copy grid=1 block=8 args=in:f32[64]:random,out:f32[512]:poison
namespace padding_of_a_large_structure {

struct Row {
  char name;
  double values[20];
};
__global__ void copy(const float* in, float* out) {
  __shared__ Row s[8];
  const unsigned t = threadIdx.x;
  s[t].name = 'a';
  for (unsigned i = 0; i < 20; ++i) s[t].values[i] = in[(t + i) % 64];
  __syncthreads();
  reinterpret_cast<Row*>(out)[t / 2] = s[t / 2 * 2];
}

const Program program("padding_of_a_large_structure", [] {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(512, Fill::poison);
  copy<<<1, 8>>>(in.data(), out.data());
  return out.show();
});

}  // namespace padding_of_a_large_structure

// finding: none
// why: fields are put into words that held nothing, and read out again
// launch: kernel=pack grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison
namespace fields_of_bits {

struct Fields {
  unsigned low : 5, middle : 9, rest : 18;
};
__global__ void pack(const unsigned* in, unsigned* out) {
  __shared__ Fields s[64];
  const unsigned t = threadIdx.x;
  s[t].middle = in[t];
  __syncwarp();
  if (t % 2 == 0) s[t].low = t;
  __syncthreads();
  out[t] = s[63 - t].middle;
  if (t % 2 == 1) out[t] += s[63 - t].low;
}

const Program program("fields_of_bits", [] {
  const Buffer<unsigned> in(64, Fill::random);
  const Buffer<unsigned> out(64, Fill::poison);
  pack<<<1, 64>>>(in.data(), out.data());
  return out.show();
});

}  // namespace fields_of_bits

// finding: none
// why: a word is read of which three bytes are written, and the fourth is masked out
// launch: kernel=pack grid=1 block=64 args=in:u8[256]:iota,out:u32[64]:poison
namespace bytes_masked_out {

__global__ void pack(const unsigned char* in, unsigned* out) {
  __shared__ unsigned s[64];
  auto* bytes = reinterpret_cast<unsigned char*>(s);
  const unsigned t = threadIdx.x;
  for (unsigned i = 0; i < 3; ++i) bytes[4 * t + i] = in[4 * t + i];
  __syncthreads();
  const unsigned word = s[63 - t];
  out[t] = word << 8 | (word >> 8 & 255);
  if ((word & 0x00ff00ffu) == 5) out[t] = __byte_perm(word, 0, 0x4012);
}

const Program program("bytes_masked_out", [] {
  const Buffer<unsigned char> in(256, Fill::iota);
  const Buffer<unsigned> out(64, Fill::poison);
  pack<<<1, 64>>>(in.data(), out.data());
  return out.show();
});

}  // namespace bytes_masked_out

// finding: none
// why: an element nobody wrote is loaded, and not chosen
// launch: kernel=neighbours grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison
namespace loaded_and_not_chosen {

__global__ void neighbours(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[65];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  const unsigned next = s[t + 1];
  out[t] = t == 63 ? 0 : next;
}

const Program program("loaded_and_not_chosen", [] {
  const Buffer<unsigned> in(64, Fill::random);
  const Buffer<unsigned> out(64, Fill::poison);
  neighbours<<<1, 64>>>(in.data(), out.data());
  return out.show();
});

}  // namespace loaded_and_not_chosen

// finding: none
// why: threads past n have set nothing, and store nothing
// launch: kernel=scale grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison,n:u32:40
namespace loaded_and_not_used {

__global__ void scale(const float* in, float* out, unsigned n) {
  float value;
  if (threadIdx.x < n) value = in[threadIdx.x];
  __syncthreads();
  value *= 2;
  if (threadIdx.x < n) out[threadIdx.x] = value;
}

const Program program("loaded_and_not_used", [] {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(64, Fill::poison);
  scale<<<1, 64>>>(in.data(), out.data(), unsigned(40));
  return out.show();
});

}  // namespace loaded_and_not_used

// finding: none
// why: lanes past n bring what they have not set to a shuffle, and nobody takes it
// launch: kernel=differences grid=1 block=32 args=in:f32[64]:random,out:f32[64]:poison,n:u32:20
namespace shuffled_and_not_used {

__global__ void differences(const float* in, float* out, unsigned n) {
  const unsigned lane = threadIdx.x;
  float value;
  if (lane < n) value = in[lane];
  const float next = __shfl_down_sync(0xffffffffu, value, 1);
  if (lane + 1 < n) out[lane] = next - value;
}

const Program program("shuffled_and_not_used", [] {
  const Buffer<float> in(64, Fill::random);
  const Buffer<float> out(64, Fill::poison);
  differences<<<1, 32>>>(in.data(), out.data(), unsigned(20));
  return out.show();
});

}  // namespace shuffled_and_not_used

// finding: none
// why: what the last element was is asked only where there is one
// launch: kernel=changes grid=1 block=32 args=in:u32[64]:random,out:u32[64]:poison,n:u32:50
namespace guarded_first_time {

__global__ void changes(const unsigned* in, unsigned* out, unsigned n) {
  unsigned last, count = 0;
  bool has_last = false;
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < n; i += 7) {
    if (in[i] % 4 == 0) continue;
    if (has_last && in[i] != last) ++count;
    last = in[i];
    has_last = true;
  }
  out[threadIdx.x] = count;
}

const Program program("guarded_first_time", [] {
  const Buffer<unsigned> in(64, Fill::random);
  const Buffer<unsigned> out(64, Fill::poison);
  changes<<<1, 32>>>(in.data(), out.data(), unsigned(50));
  return out.show();
});

}  // namespace guarded_first_time

// finding: none
// why: a flag is set under the condition under which it is asked
// launch: kernel=flags grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison,n:u32:40
namespace two_conditions_alike {

__global__ void flags(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned t = threadIdx.x;
  bool is_even;
  if (t < n) is_even = in[t] % 2 == 0;
  __syncthreads();
  out[t] = t < n && is_even ? 1 : 0;
}

const Program program("two_conditions_alike", [] {
  const Buffer<unsigned> in(64, Fill::random);
  const Buffer<unsigned> out(64, Fill::poison);
  flags<<<1, 64>>>(in.data(), out.data(), unsigned(40));
  return out.show();
});

}  // namespace two_conditions_alike

// finding: none
// why: of a thread's own array only what it has filled is added up
// launch: kernel=sums grid=1 block=32 args=in:u32[64]:random,out:u32[64]:poison,n:u32:5
namespace array_filled_in_part {

__global__ void sums(const unsigned* in, unsigned* out, unsigned n) {
  unsigned own[8];
  for (unsigned i = 0; i < n; ++i) own[(i + in[0]) % 8] = in[i] * threadIdx.x;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) sum += own[(i + in[0]) % 8];
  out[threadIdx.x] = sum;
}

const Program program("array_filled_in_part", [] {
  const Buffer<unsigned> in(64, Fill::random);
  const Buffer<unsigned> out(64, Fill::poison);
  sums<<<1, 32>>>(in.data(), out.data(), unsigned(5));
  return out.show();
});

}  // namespace array_filled_in_part

// finding: none
// why: a function gets an argument that it does not look at
// launch: kernel=scale grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison,n:u32:40
namespace handed_to_a_function {

__device__ __noinline__ unsigned twice_or_zero(unsigned value, bool is_valid) {
  return is_valid ? 2 * value : 0;
}
__global__ void scale(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value;
  if (threadIdx.x < n) value = in[threadIdx.x];
  out[threadIdx.x] = twice_or_zero(value, threadIdx.x < n);
}

const Program program("handed_to_a_function", [] {
  const Buffer<unsigned> in(64, Fill::random);
  const Buffer<unsigned> out(64, Fill::poison);
  scale<<<1, 64>>>(in.data(), out.data(), unsigned(40));
  return out.show();
});

}  // namespace handed_to_a_function

// finding: none
// why: threads put what they have not set into shared memory, where nobody reads it
// launch: kernel=reverse grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison,n:u32:40
namespace parked_in_shared_memory {

__global__ void reverse(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned s[64];
  unsigned value;
  if (threadIdx.x < n) value = in[threadIdx.x];
  s[threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = s[n - 1 - threadIdx.x];
}

const Program program("parked_in_shared_memory", [] {
  const Buffer<unsigned> in(64, Fill::random);
  const Buffer<unsigned> out(64, Fill::poison);
  reverse<<<1, 64>>>(in.data(), out.data(), unsigned(40));
  return out.show();
});

}  // namespace parked_in_shared_memory

// finding: none
// why: a place is kept where one is found, and used where one was found
// launch: kernel=pick grid=1 block=32 args=in:u32[64]:iota,out:u32[64]:poison,limit:u32:60
namespace last_of_a_search {

__global__ void pick(const unsigned* in, unsigned* out, unsigned limit) {
  unsigned place;
  bool is_found = false;
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < 64; i += 5)
    if (in[i] > limit) {
      place = i;
      is_found = true;
    }
  out[threadIdx.x] = is_found ? in[place] : 0;
}

const Program program("last_of_a_search", [] {
  const Buffer<unsigned> in(64, Fill::iota);
  const Buffer<unsigned> out(64, Fill::poison);
  pick<<<1, 32>>>(in.data(), out.data(), unsigned(60));
  return out.show();
});

}  // namespace last_of_a_search

// finding: none
// why: an exchange puts a value where there was none, and the old one is not used
// launch: kernel=swap grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison
namespace old_value_thrown_away {

__global__ void swap(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[64];
  const unsigned t = threadIdx.x;
  const unsigned old = atomicExch(&s[t], in[t]);
  __syncthreads();
  out[t] = t < 64 ? s[63 - t] : old;
}

const Program program("old_value_thrown_away", [] {
  const Buffer<unsigned> in(64, Fill::random);
  const Buffer<unsigned> out(64, Fill::poison);
  swap<<<1, 64>>>(in.data(), out.data());
  return out.show();
});

}  // namespace old_value_thrown_away

// finding: none
// why: CUB loads a tile that is not full, sorts it with what nobody loaded, and stores what was there
// launch: kernel=tile grid=1 block=64 args=in:u32[200]:random,out:u32[200]:poison,n:u32:200
namespace cub_tile_in_part {

__global__ void tile(const unsigned* in, unsigned* out, unsigned n) {
  using Load = cub::BlockLoad<unsigned, 64, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<unsigned, 64, 4, cub::BLOCK_STORE_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } storage;
  unsigned items[4];
  Load(storage.load).Load(in, items, n);
  __syncthreads();
  for (unsigned& item : items) item *= 2;
  Store(storage.store).Store(out, items, n);
}

const Program program("cub_tile_in_part", [] {
  const Buffer<unsigned> in(200, Fill::random);
  const Buffer<unsigned> out(200, Fill::poison);
  tile<<<1, 64>>>(in.data(), out.data(), unsigned(200));
  return out.show();
});

}  // namespace cub_tile_in_part

// finding: none
// why: CUB reduces a block of which only some threads have a value
// launch: kernel=sum grid=1 block=128 args=in:u32[128]:random,out:u32[1]:poison,n:u32:70
namespace cub_block_in_part {

__global__ void sum(const unsigned* in, unsigned* out, unsigned n) {
  using Reduce = cub::BlockReduce<unsigned, 128>;
  __shared__ typename Reduce::TempStorage storage;
  unsigned value;
  if (threadIdx.x < n) value = in[threadIdx.x];
  const unsigned total = Reduce(storage).Sum(value, static_cast<int>(n));
  if (threadIdx.x == 0) out[0] = total;
}

const Program program("cub_block_in_part", [] {
  const Buffer<unsigned> in(128, Fill::random);
  const Buffer<unsigned> out(1, Fill::poison);
  sum<<<1, 128>>>(in.data(), out.data(), unsigned(70));
  return out.show();
});

}  // namespace cub_block_in_part

// finding: none
// why: CUB's merge sort looks one element past those that it has written, and does not choose it
// launch: kernel=sort grid=1 block=64 args=in:u32[256]:random,out:u32[256]:poison
namespace cub_merge_sort {

__global__ void sort(const unsigned* in, unsigned* out) {
  using Sort = cub::BlockMergeSort<unsigned, 64, 4>;
  __shared__ typename Sort::TempStorage storage;
  unsigned items[4];
  for (unsigned k = 0; k < 4; ++k) items[k] = in[4 * threadIdx.x + k];
  Sort(storage).Sort(items, [](unsigned a, unsigned b) { return a < b; });
  for (unsigned k = 0; k < 4; ++k) out[4 * threadIdx.x + k] = items[k];
}

const Program program("cub_merge_sort", [] {
  const Buffer<unsigned> in(256, Fill::random);
  const Buffer<unsigned> out(256, Fill::poison);
  sort<<<1, 64>>>(in.data(), out.data());
  return out.show();
});

}  // namespace cub_merge_sort
