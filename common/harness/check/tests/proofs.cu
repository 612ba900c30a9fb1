// Kernels of which the test says what can be known of their results for every value (proof_test.cpp). Each
// sums or finds the maximum of the elements of its block, as `how` says, which is fixed in a launch.

#include <cfloat>

namespace {

__device__ float kept = 0.0f;

/// The sum of what each thread brings, by a tree; `last` is the stride of its last level.
__device__ float sum_by_tree(float value, unsigned last = 1) {
  __shared__ float partial[64];
  const unsigned tid = threadIdx.x;
  partial[tid] = value;
  for (unsigned stride = blockDim.x / 2; stride >= last; stride /= 2) {
    __syncthreads();
    if (tid < stride) partial[tid] += partial[tid + stride];
  }
  __syncthreads();
  return partial[0];
}

}  // namespace

/// Another sum for every `how`: elements are left out, taken twice, or taken from another place.
extern "C" __global__ void wrong_sums(const float* in, float* out, unsigned n, unsigned how) {
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  float value = i < n ? in[i] : 0.0f;
  float extra = 0.0f;
  unsigned last = 1;
  switch (how) {
    case 0:
      value = i < n && i != 5 ? in[i] : 0.0f;
      break;
    case 1:
      if (i == 7) value += in[7];
      break;
    case 2:
      value = in[(i + 1) % n];
      break;
    case 3:
      last = 2;
      break;
    case 4:
      if (tid >= 32) value = 0.0f;
      break;
    case 5:
      value = in[i & ~1u];
      break;
    case 6:
      value = in[(i + 64) % n];
      break;
    case 7:
      value = 0.0f;
      break;
    case 8:
      value += in[0];
      break;
    case 9:
      if (tid % 2 != 0) value = 0.0f;
      break;
    case 10:
      value = i + 1 < n ? in[i] : 0.0f;
      break;
    case 11:
      if (tid == 63) extra = in[n - 1];
      break;
    case 12:
      value = in[i / 2];
      break;
    case 13:
      value = in[i * 3 % 128];
      break;
    case 14:
      if (tid == 0) value = in[i + 1];
      break;
    case 15:
      if (tid == 0) extra = in[i];
      break;
    case 16:
      if (tid >= 32 && tid < 40) value = 0.0f;
      break;
    case 17:
      value = __shfl_down_sync(0xffffffff, value, 1);
      break;
    case 18:
      value = __shfl_sync(0xffffffff, value, 0);
      break;
    default:
      value = __shfl_xor_sync(0xffffffff, value, 32 % 32) + __shfl_xor_sync(0xffffffff, value, 1);
  }
  const float sum = sum_by_tree(value + extra, last);
  if (tid == 0) out[blockIdx.x] = sum;
}

/// The sum of ones, and of most other values; but something on the way depends on a value, on the order of
/// the threads, or on what was there before.
extern "C" __global__ void lucky_sums(const float* in, float* out, unsigned* ticket, unsigned n,
                                      unsigned how) {
  __shared__ float place;
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  float value = i < n ? in[i] : 0.0f;
  bool adds_to_out = false;
  switch (how) {
    case 0:
      if (value > 1e30f) value = 0.0f;
      break;
    case 1:
      value += value * 0.0f;
      break;
    case 2:
      value = fmaxf(value, 0.0f);
      break;
    case 3:
      if (atomicAdd(ticket, 1u) == 0xffffffffu) value = 0.0f;
      break;
    case 4:
      adds_to_out = true;
      break;
    case 5:
      value += kept;
      break;
    case 6:
      value = (value - 0.5f) + 0.5f;
      break;
    case 7:
      if (i < n) value = in[static_cast<unsigned>(value) * i];
      break;
    case 8:
      value = __shfl_sync(0xffffffff, value, (tid + static_cast<unsigned>(in[0])) % 32);
      break;
    case 9:
      value *= static_cast<float>(__popc(__activemask())) / 32.0f;
      break;
    case 10:
      value += clock() == 0 ? 1.0f : 0.0f;
      break;
    case 11:
      value = static_cast<float>(static_cast<int>(value));
      break;
    case 12:
      value = __fadd_rz(value, 0.0f);
      break;
    case 13:
      if (__any_sync(0xffffffff, value < 0.0f)) value = 0.0f;
      break;
    case 14:
      if (__popc(__match_any_sync(0xffffffff, __float_as_uint(value))) == 1) value = 0.0f;
      break;
    case 15: {  // two threads store what only happens to be equal
      if (tid % 2 == 0 && i < n) place = value;
      __syncthreads();
      if (tid == 1) value = place;
      break;
    }
    case 16:
      value = __uint_as_float(__float_as_uint(value) & 0xfffffffeu);
      break;
    case 17:
      if (atomicExch(ticket, tid) > 1u << 20) value = 0.0f;
      break;
    case 18:
      value = value / 3.0f * 3.0f;
      break;
    case 19: {
      unsigned where;
      asm("mov.u32 %0, %%smid;" : "=r"(where));
      if (where == 0xffffffffu) value = 0.0f;
      break;
    }
    case 20:
      value = sqrtf(value * value);
      break;
    default:
      if (value == 12345.5f) value = 0.0f;
  }
  const float sum = sum_by_tree(value);
  if (tid != 0) return;
  if (adds_to_out)
    out[blockIdx.x] += sum;
  else
    out[blockIdx.x] = sum;
}

/// 0 to 2 are maxima: by a shuffle, with an identity that is none, with a comparison that a NaN wins.
extern "C" __global__ void maxima(const float* in, float* out, unsigned n, unsigned how) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? in[i] : how == 1 ? -FLT_MAX : __int_as_float(0xff800000);
  for (unsigned distance = 16; distance != 0; distance /= 2) {
    const float other = __shfl_xor_sync(0xffffffff, value, distance);
    value = how == 2 ? (other > value ? other : value) : fmaxf(value, other);
  }
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

/// The same sum in ways that have nothing in common but that it is one.
extern "C" __global__ void right_sums(const float* in, float* out, unsigned n, unsigned how) {
  __shared__ float total;
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  float value = i < n ? in[i] : 0.0f;
  if (how == 0) {
    const float sum = sum_by_tree(value);
    if (tid == 0) out[blockIdx.x] = sum;
  } else if (how == 1) {  // in any order
    if (tid == 0) total = 0.0f;
    __syncthreads();
    atomicAdd(&total, value);
    __syncthreads();
    if (tid == 0) out[blockIdx.x] = total;
  } else if (how == 2) {  // one thread, four at a time
    float sum = 0.0f;
    for (unsigned k = blockIdx.x * 64; tid == 0 && k < (blockIdx.x + 1) * 64; k += 4) {
      float4 four = {};
      if (k + 3 < n) {
        four = *reinterpret_cast<const float4*>(in + k);
      } else {
        if (k < n) four.x = in[k];
        if (k + 1 < n) four.y = in[k + 1];
        if (k + 2 < n) four.z = in[k + 2];
      }
      sum += (four.x + four.y) + (four.z + four.w);
    }
    if (tid == 0) out[blockIdx.x] = sum;
  } else {  // through registers, then local memory
    for (unsigned distance = 16; distance != 0; distance /= 2)
      value += __shfl_down_sync(0xffffffff, value, distance);
    const float sum = sum_by_tree(tid % 32 == 0 ? value : 0.0f);
    if (tid == 0) out[blockIdx.x] = sum;
  }
}

/// *out is the index of the largest of n elements, of which element 37 is left out.
extern "C" __global__ void index_of_largest_but_one(const float* in, unsigned* out, unsigned n) {
  unsigned best = 0;
  for (unsigned i = 1; i < n; ++i)
    if (i != 37 && in[i] > in[best]) best = i;
  *out = best;
}

/// Whether keys 2 k and 2 k + 1 are equal, but for their highest bit.
extern "C" __global__ void are_nearly_equal(const unsigned long long* keys, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = keys[2 * i] << 1 == keys[2 * i + 1] << 1;
}

namespace {

struct Add {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct Multiply {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a * b;
  }
};
struct Larger {
  __device__ int operator()(int a, int b) const { return max(a, b); }
};
struct Or {
  __device__ unsigned operator()(unsigned a, unsigned b) const { return a | b; }
};

/// A reduction by a tree, right where `how` is 0. Else an element is dropped (1), doubled (2) or moved (3),
/// the identity is `other` (4), or one level has another operator (5).
template <class T, class Join, class Wrong>
__device__ void mutated(const T* in, T* out, unsigned n, unsigned how, T identity, T other, Join join,
                        Wrong wrong) {
  __shared__ T partial[64];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  T value = i < n ? in[how == 3 && tid == 2 ? i + 1 : i] : how == 4 ? other : identity;
  if (how == 1 && tid == 5) value = identity;
  partial[tid] = value;
  for (unsigned stride = 32; stride != 0; stride /= 2) {
    __syncthreads();
    if (tid >= stride) continue;
    const T mine = partial[tid], its = partial[tid + stride];
    partial[tid] = how == 5 && stride == 1 ? wrong(mine, its) : join(mine, its);
  }
  if (tid == 0) out[blockIdx.x] = how == 2 ? join(partial[0], in[7]) : partial[0];
}

}  // namespace

extern "C" __global__ void mutated_int(const int* in, int* out, unsigned n, unsigned how) {
  mutated(in, out, n, how, 0, 1, Add{}, Larger{});
}
extern "C" __global__ void mutated_double(const double* in, double* out, unsigned n, unsigned how) {
  mutated(in, out, n, how, 0.0, -0.5, Add{}, Multiply{});
}
extern "C" __global__ void mutated_product(const float* in, float* out, unsigned n, unsigned how) {
  mutated(in, out, n, how, 1.0f, 0.0f, Multiply{}, Add{});
}
extern "C" __global__ void mutated_maximum(const int* in, int* out, unsigned n, unsigned how) {
  mutated(in, out, n, how, static_cast<int>(0x80000000u), 0, Larger{}, Add{});
}
extern "C" __global__ void mutated_or(const unsigned* in, unsigned* out, unsigned n, unsigned how) {
  mutated(in, out, n, how, 0u, 1u << 31, Or{}, Add{});
}

/// An inclusive scan of each block of 64, right where `how` is 0.
extern "C" __global__ void mutated_scan(const float* in, float* out, unsigned n, unsigned how) {
  __shared__ float sums[64];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  sums[tid] = i < n && (how != 1 || tid != 5) ? in[i] : 0.0f;
  for (unsigned distance = 1; distance < 64; distance *= 2) {
    __syncthreads();
    const bool adds = how == 2 ? tid > distance : tid >= distance;
    const float before = adds && (how != 3 || distance != 4) ? sums[tid - distance] : 0.0f;
    __syncthreads();
    sums[tid] += how == 4 && distance == 2 && tid == 9 ? before + before : before;
  }
  __syncthreads();
  if (i < n) out[i] = how == 5 ? (tid == 0 ? 0.0f : sums[tid - 1]) : sums[tid];
}

/// Dot products of blocks of 64, right where `how` is 0.
extern "C" __global__ void mutated_dot(const float* in, const float* other, float* out, unsigned n,
                                       unsigned how) {
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  float value = 0.0f;
  if (i < n && (how != 1 || tid != 5)) value = in[i] * other[how == 2 && tid == 6 ? i + 1 : i];
  if (how == 3 && tid == 7) value += in[i] * other[i];
  if (how == 4 && tid == 2) value = in[i + 1] * other[i + 1];
  const float sum = sum_by_tree(value);
  if (tid == 0) out[blockIdx.x] = sum;
}

/// The sum of each block by a tree in shared memory that corrects what it rounds (0) or that adds whole
/// numbers (1); by one thread that adds whole numbers (2). By a tree in shared memory of what each thread
/// takes back from global memory (6), and by a tree there (7).
__device__ float left[128];
extern "C" __global__ void joined_sums(const float* in, float* out, unsigned n, unsigned how) {
  __shared__ float partial[64], lost[64];
  __shared__ int whole[64];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  float value = i < n ? in[i] : 0.0f;
  if (how >= 6) {
    left[i] = value;
    for (unsigned stride = 32; how == 7 && stride != 0; stride /= 2) {
      __syncthreads();
      if (tid < stride) left[i] += left[i + stride];
    }
    value = *static_cast<volatile float*>(left + i);
    if (how == 6) value = sum_by_tree(value);
    if (tid == 0) out[blockIdx.x] = value;
    return;
  }
  partial[tid] = value, lost[tid] = 0.0f, whole[tid] = __float2int_rn(value);
  for (unsigned stride = 32; stride != 0; stride /= 2) {
    __syncthreads();
    if (how == 1 && tid < stride) whole[tid] += whole[tid + stride];
    if (how != 0 || tid >= stride) continue;
    const float a = partial[tid], b = partial[tid + stride], sum = a + b;
    const float part = sum - a;
    lost[tid] += lost[tid + stride] + ((a - (sum - part)) + (b - part));
    partial[tid] = sum;
  }
  unsigned bits = 0;
  for (unsigned bit = 0; (how == 3 || how == 4) && bit < 4; ++bit) {
    const bool is_set = (__float2uint_rn(value) >> bit & 1) != 0;
    bits += (how == 4 ? __syncthreads_count(is_set) : __popc(__ballot_sync(0xffffffff, is_set))) << bit;
  }
  if (how == 3 && tid % 32 == 0) whole[tid] = bits;
  if (how == 4) whole[0] = bits;
  for (unsigned k = 1; how >= 3 && k < 64; ++k) {  // one after another
    __syncthreads();
    if (how == 3 && tid == 0 && k == 32) whole[0] += whole[32];
    if (how == 5 && tid == 63 - k) whole[tid] += whole[tid + 1];
  }
  if (tid != 0) return;
  for (unsigned k = 1; how == 2 && k < 64; ++k) whole[0] += whole[k];
  out[blockIdx.x] = how == 0 ? partial[0] + lost[0] : __int2float_rn(whole[0]);
}

/// The sum of each block; with another one where the clock says so, by a selection (0) or a branch (1); by
/// the multiprocessor (2); that of a block that waits a while (3).
extern "C" __global__ void sums_by_clock(const float* in, float* out, unsigned n, unsigned how) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const long long start = clock64();
  float sum = sum_by_tree(i < n ? in[i] : 0.0f);
  if (threadIdx.x != 0) return;
  if (how == 0) sum += (start & 0xffff) == 0x1234 ? 1.0f : 0.0f;
  if (how == 1 && (start & 0xffff) == 0x1234) out[1 - blockIdx.x] = -1.0f;
  unsigned multiprocessor;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  if (how == 2) sum += static_cast<float>(multiprocessor / 1000);
  unsigned warp;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  if (how == 4) out[blockIdx.x + warp] = sum;  // of each block the first warp, here
  while (how == 3 && clock64() - start < 100) {
  }
  out[blockIdx.x] = sum;
}
