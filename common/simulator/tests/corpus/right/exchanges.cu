/// \file Compare-and-swap loops that begin with a plain read.
#include "../launching_program.cuh"

// finding: none
// why: the programming guide's atomicAdd for doubles: a stale first read makes the exchange fail, and no more
namespace double_addition_by_exchange {

__device__ void add(double* place, double value) {
  unsigned long long* const word = reinterpret_cast<unsigned long long*>(place);
  unsigned long long old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
}
__global__ void update(const unsigned* in, double* out) {
  add(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

const LaunchingProgram program("double_addition_by_exchange",
                               {{update, "grid=4 block=64 args=in:u32[256]:random,out:f64[1]:zero"}});

}  // namespace double_addition_by_exchange

// finding: none
// why: the first guess moves from a float's register to the exchange's
namespace guess_kept_as_a_float {

__global__ void update(const unsigned* in, float* out) {
  const float value = in[blockIdx.x * blockDim.x + threadIdx.x] % 16;
  float old = *out, assumed;
  do {
    assumed = old;
    old = __int_as_float(
        atomicCAS(reinterpret_cast<int*>(out), __float_as_int(assumed), __float_as_int(assumed + value)));
  } while (__float_as_int(assumed) != __float_as_int(old));
}

const LaunchingProgram program("guess_kept_as_a_float",
                               {{update, "grid=4 block=64 args=in:u32[256]:random,out:f32[1]:zero"}});

}  // namespace guess_kept_as_a_float

// finding: none
// why: two floats in one word: the guess is cut in two and put together again
namespace guess_of_two_halves {

__device__ void add(unsigned long long* word, float2 value) {
  unsigned long long old = *word, assumed;
  do {
    assumed = old;
    float2 both;
    memcpy(&both, &assumed, sizeof both);
    both.x += value.x;
    both.y += value.y;
    unsigned long long wanted;
    memcpy(&wanted, &both, sizeof wanted);
    old = atomicCAS(word, assumed, wanted);
  } while (assumed != old);
}
__global__ void update(const unsigned* in, float* out) {
  const float value = in[blockIdx.x * blockDim.x + threadIdx.x] % 16;
  add(reinterpret_cast<unsigned long long*>(out), make_float2(value, 1));
}

const LaunchingProgram program("guess_of_two_halves",
                               {{update, "grid=4 block=64 args=in:u32[256]:random,out:f32[2]:zero"}});

}  // namespace guess_of_two_halves

// finding: none
// why: the largest element and its index: a guess read as two words and put together by a shift and an `|`
namespace guess_of_a_pair {

__global__ void find_largest(const unsigned* in, uint2* best) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  uint2 seen = *best;
  while (in[i] > seen.x || (in[i] == seen.x && i < seen.y)) {
    const unsigned long long assumed = static_cast<unsigned long long>(seen.y) << 32 | seen.x;
    const unsigned long long wanted = static_cast<unsigned long long>(i) << 32 | in[i];
    const unsigned long long old = atomicCAS(reinterpret_cast<unsigned long long*>(best), assumed, wanted);
    if (old == assumed) break;
    seen = make_uint2(static_cast<unsigned>(old), static_cast<unsigned>(old >> 32));
  }
}

const LaunchingProgram program("guess_of_a_pair",
                               {{find_largest, "grid=4 block=64 args=in:u32[256]:random,best:u64[1]:zero"}});

}  // namespace guess_of_a_pair

// finding: none
// why: a byte is added to by exchanging the word around it
namespace byte_in_an_exchanged_word {

__device__ void add(unsigned char* place, unsigned value) {
  const auto address = reinterpret_cast<size_t>(place);
  unsigned* const word = reinterpret_cast<unsigned*>(address & ~size_t{3});
  const unsigned shift = 8 * (address & 3);
  unsigned old = *word, assumed;
  do {
    assumed = old;
    const unsigned byte = (assumed >> shift) + value & 0xff;
    old = atomicCAS(word, assumed, assumed & ~(0xffu << shift) | byte << shift);
  } while (assumed != old);
}
__global__ void update(const unsigned* in, unsigned char* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  add(out + i % 8, in[i]);
}

const LaunchingProgram program("byte_in_an_exchanged_word",
                               {{update, "grid=4 block=64 args=in:u32[256]:random,out:u8[8]:zero"}});

}  // namespace byte_in_an_exchanged_word

// finding: none
// why: atomicCAS on an unsigned short, with a plain first read of one
namespace exchange_of_sixteen_bits {

__global__ void update(const unsigned* in, unsigned short* out) {
  const unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned short old = *out, assumed;
  do {
    assumed = old;
    old = atomicCAS(out, assumed, static_cast<unsigned short>(assumed ^ value));
  } while (assumed != old);
}

const LaunchingProgram program("exchange_of_sixteen_bits",
                               {{update, "grid=4 block=64 args=in:u32[256]:random,out:u16[1]:zero"}});

}  // namespace exchange_of_sixteen_bits

// finding: none
// why: every round guesses anew by a plain read
namespace guess_read_again_in_each_round {

__global__ void update(const unsigned* in, unsigned* out) {
  const unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned guess;
  do {
    guess = *out;
  } while (atomicCAS(out, guess, guess + value) != guess);
}

const LaunchingProgram program("guess_read_again_in_each_round",
                               {{update, "grid=4 block=64 args=in:u32[256]:random,out:u32[1]:zero"}});

}  // namespace guess_read_again_in_each_round

// finding: none
// why: the guess is a volatile read: strong, and so no race by any reading
namespace volatile_guess {

__global__ void update(const unsigned* in, unsigned* out) {
  const unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned guess;
  do {
    guess = *static_cast<volatile unsigned*>(out);
  } while (atomicCAS(out, guess, max(guess, value)) != guess);
}

const LaunchingProgram program("volatile_guess",
                               {{update, "grid=4 block=64 args=in:u32[256]:random,out:u32[1]:zero"}});

}  // namespace volatile_guess

// finding: none
// why: a lock-free stack: the head is guessed, the next one's index belongs to its owner
namespace stack_of_indices {

__global__ void update(const unsigned*, unsigned* out) {
  const unsigned mine = blockIdx.x * blockDim.x + threadIdx.x + 1;
  unsigned* const head = out;
  unsigned old = *head, assumed;
  do {
    assumed = old;
    out[mine] = assumed;
    old = atomicCAS(head, assumed, mine);
  } while (assumed != old);
}

const LaunchingProgram program("stack_of_indices",
                               {{update, "grid=4 block=64 args=in:u32[256]:random,out:u32[257]:zero"}});

}  // namespace stack_of_indices

// finding: none
// why: four bytes in one word: the guess is put together of them
namespace guess_of_four_bytes {

__global__ void widen(const unsigned* in, uchar4* box) {
  const unsigned char x = in[blockIdx.x * blockDim.x + threadIdx.x] % 251, y = x / 2;
  uchar4 seen = *box;
  unsigned old, assumed;
  memcpy(&old, &seen, sizeof old);
  do {
    assumed = old;
    memcpy(&seen, &assumed, sizeof seen);
    const uchar4 wanted = make_uchar4(max(seen.x, x), max(seen.y, y), seen.z, seen.w);
    unsigned word;
    memcpy(&word, &wanted, sizeof word);
    old = atomicCAS(reinterpret_cast<unsigned*>(box), assumed, word);
  } while (old != assumed);
}

const LaunchingProgram program("guess_of_four_bytes",
                               {{widen, "grid=4 block=64 args=in:u32[256]:random,box:u32[1]:zero"}});

}  // namespace guess_of_four_bytes

// finding: none
// why: the exchange is by a generic address, as those of libcu++ are
namespace guess_of_a_generic_exchange {

__device__ unsigned exchange(unsigned* place, unsigned assumed, unsigned wanted) {
  unsigned old;
  asm volatile("atom.relaxed.gpu.cas.b32 %0, [%1], %2, %3;"
               : "=r"(old)
               : "l"(place), "r"(assumed), "r"(wanted)
               : "memory");
  return old;
}

__global__ void count(unsigned* total) {
  unsigned old = *total, assumed;
  do {
    assumed = old;
    old = exchange(total, assumed, assumed + 1);
  } while (old != assumed);
}

const LaunchingProgram program("guess_of_a_generic_exchange",
                               {{count, "grid=4 block=64 args=total:u32[1]:zero"}});

}  // namespace guess_of_a_generic_exchange
