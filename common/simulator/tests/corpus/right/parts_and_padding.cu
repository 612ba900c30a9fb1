/// \file Parts of words and of structures: what the program asked for has been set; what comes with it,
/// padding or a neighbour, need not be.
#include "../launching_program.cuh"

// finding: none
// why: the compiler reads a word for three bytes of it, the fourth is nobody's
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

const LaunchingProgram program("three_of_four_bytes",
                               {{sum, "grid=1 block=64 args=in:u8[256]:iota,out:u32[64]:poison"}});

}  // namespace three_of_four_bytes

// finding: none
// why: the compiler reads four floats for three of them, while the owner of the fourth writes it
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

const LaunchingProgram program("three_of_four_floats",
                               {{sum, "grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison"}});

}  // namespace three_of_four_floats

// finding: none
// why: the compiler reads four floats for two of them, and the buffer ends behind those
namespace fourth_float_beyond_the_end {

__global__ void sum(const float* in, float* out) {
  const float4* const values = reinterpret_cast<const float4*>(in);
  out[threadIdx.x] = values[threadIdx.x].x + values[threadIdx.x].z;
}

const LaunchingProgram program("fourth_float_beyond_the_end",
                               {{sum, "grid=1 block=16 args=in:f32[63]:iota,out:f32[64]:poison"}});

}  // namespace fourth_float_beyond_the_end

// finding: none
// why: a structure is copied with the padding at its end
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

const LaunchingProgram program("padding_behind_an_integer",
                               {{reverse, "grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison"}});

}  // namespace padding_behind_an_integer

// finding: none
// why: a structure is copied with the padding behind its first byte, to global memory as well
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

const LaunchingProgram program("padding_behind_a_byte",
                               {{copy, "grid=1 block=32 args=in:u32[64]:random,out:u32[64]:poison"}});

}  // namespace padding_behind_a_byte

// finding: none
// why: a large structure is copied in a loop of words, its padding among them
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

const LaunchingProgram program("padding_of_a_large_structure",
                               {{copy, "grid=1 block=8 args=in:f32[64]:random,out:f32[512]:poison"}});

}  // namespace padding_of_a_large_structure

// finding: none
// why: fields are put into words that held nothing, and read out again
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

const LaunchingProgram program("fields_of_bits",
                               {{pack, "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison"}});

}  // namespace fields_of_bits

// finding: none
// why: a word is read of which three bytes are written, and the fourth is masked out
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

const LaunchingProgram program("bytes_masked_out",
                               {{pack, "grid=1 block=64 args=in:u8[256]:iota,out:u32[64]:poison"}});

}  // namespace bytes_masked_out

// finding: none
// why: a structure is copied in words, as libraries do; the last holds three marks and five bytes of padding
namespace padding_in_a_word {

struct Tagged {
  unsigned long long key, value;
  char marks[3];
};
constexpr unsigned words = sizeof(Tagged) / sizeof(unsigned long long);

__device__ void store_words(unsigned long long* to, Tagged tagged) {
  const auto* const from = reinterpret_cast<const unsigned long long*>(&tagged);
  for (unsigned i = 0; i < words; ++i) to[i] = from[i];
}

__global__ void copy(const unsigned long long* in, unsigned long long* copies, unsigned long long* out) {
  __shared__ Tagged s[32];
  const unsigned t = threadIdx.x;
  s[t].key = in[t];
  s[t].value = t;
  for (char& mark : s[t].marks) mark = 'x';
  __syncthreads();
  Tagged least = s[t];
  for (unsigned i = 0; i < 32; ++i)
    if (s[i].key < least.key) least = s[i];
  store_words(copies + words * t, least);
  out[t] = least.value;
}

const LaunchingProgram program(
    "padding_in_a_word",
    {{copy, "grid=1 block=32 args=in:u64[32]:random,copies:u64[96]:poison,out:u64[32]:poison"}});

}  // namespace padding_in_a_word

// finding: none
// why: to set a bit-field is to read its word and write it back: the bits around it are nobody's
namespace bit_fields_in_new_memory {

struct Marks {
  unsigned char kind : 4, is_last : 1;
};

__global__ void mark(Marks* marks, unsigned* out) {
  __shared__ Marks s[32];
  const unsigned t = threadIdx.x;
  s[t].kind = t % 16;
  s[t].is_last = t == 31;
  __syncthreads();
  marks[t] = s[31 - t];
  marks[32 + t].kind = t % 8;
  __syncthreads();
  marks[32 + t].is_last = t == 0;
  __syncthreads();
  out[t] = s[t].kind + marks[63 - t].kind + marks[32 + t].is_last;
}

const LaunchingProgram program("bit_fields_in_new_memory",
                               {{mark, "grid=1 block=32 args=marks:u8[64]:poison,out:u32[32]:poison"}});

}  // namespace bit_fields_in_new_memory

// finding: none
// why: what a function returns is copied with its padding, by way of shared memory
namespace padding_that_is_returned {

struct Sample {
  char mark;
  double values[3];
  char last;
};

__device__ __noinline__ Sample make(unsigned t) {
  Sample sample;
  sample.mark = 'a';
  for (unsigned i = 0; i < 3; ++i) sample.values[i] = t + i;
  sample.last = 'z';
  return sample;
}

__global__ void reverse(double* copies, double* out) {
  __shared__ Sample s[32];
  const unsigned t = threadIdx.x;
  s[t] = make(t);
  __syncthreads();
  reinterpret_cast<Sample*>(copies)[t] = s[31 - t];
  out[t] = s[31 - t].values[2];
}

const LaunchingProgram program("padding_that_is_returned",
                               {{reverse, "grid=1 block=32 args=copies:f64[160]:poison,out:f64[32]:poison"}});

}  // namespace padding_that_is_returned

// finding: none
// why: the members of an entry are written by threads of two blocks, each member by one
namespace entry_of_several_threads {

struct Entry {
  unsigned long long key;
  unsigned value;
  unsigned short count;
  unsigned char owner, state;
};
__global__ void fill(unsigned long long* table) {
  auto* entries = reinterpret_cast<Entry*>(table);
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  Entry& mine = entries[t / 5];
  switch (t % 5) {
    case 0:
      mine.key = t;
      break;
    case 1:
      mine.value = t;
      break;
    case 2:
      mine.count = static_cast<unsigned short>(t);
      break;
    case 3:
      mine.owner = static_cast<unsigned char>(t);
      break;
    default:
      mine.state = 1;
  }
}

const LaunchingProgram program("entry_of_several_threads",
                               {{fill, "grid=2 block=40 args=table:u64[32]:zero"}});

}  // namespace entry_of_several_threads

// finding: none
// why: four threads write the bytes of a word, and behind a barrier others read it whole; then halves, then words
namespace word_of_several_threads {

__global__ void mix(unsigned* out) {
  __shared__ unsigned words[32];
  const unsigned t = threadIdx.x;
  reinterpret_cast<unsigned char*>(words)[t] = static_cast<unsigned char>(t);
  __syncthreads();
  unsigned sum = words[(t + 7) % 32];
  __syncthreads();
  if (t < 64) reinterpret_cast<unsigned short*>(words)[t] = static_cast<unsigned short>(sum);
  __syncthreads();
  sum += words[(t + 3) % 32];
  __syncthreads();
  if (t < 32) words[t] = sum;
  __syncthreads();
  out[t] = words[t / 4] + reinterpret_cast<unsigned char*>(words)[127 - t];
}

const LaunchingProgram program("word_of_several_threads",
                               {{mix, "grid=1 block=128 args=out:u32[128]:poison"}});

}  // namespace word_of_several_threads
