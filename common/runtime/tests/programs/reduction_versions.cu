// A sum in seven versions, from the first idea to the last, each held against the host.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                   \
  do {                                                                                \
    cudaError_t status = (call);                                                      \
    if (status != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      exit(EXIT_FAILURE);                                                             \
    }                                                                                 \
  } while (0)

__global__ void interleaved(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  partial[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

__global__ void contiguous(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  partial[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    unsigned index = 2 * stride * t;
    if (index < blockDim.x) partial[index] += partial[index + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

__global__ void sequential(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  partial[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

__global__ void first_add(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  int sum = i < n ? in[i] : 0;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  partial[t] = sum;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (t < stride) partial[t] = sum = sum + partial[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sum;
}

__global__ void shuffled_tail(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  int sum = i < n ? in[i] : 0;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  partial[t] = sum;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 32; stride >>= 1) {
    if (t < stride) partial[t] = sum = sum + partial[t + stride];
    __syncthreads();
  }
  if (t < 32) {
    if (blockDim.x >= 64) sum += partial[t + 32];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  }
  if (t == 0) out[blockIdx.x] = sum;
}

template <unsigned block_size>
__global__ void unrolled(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  unsigned t = threadIdx.x, i = blockIdx.x * block_size * 2 + t;
  int sum = i < n ? in[i] : 0;
  if (i + block_size < n) sum += in[i + block_size];
  partial[t] = sum;
  __syncthreads();
  if (block_size >= 512) {
    if (t < 256) partial[t] = sum = sum + partial[t + 256];
    __syncthreads();
  }
  if (block_size >= 256) {
    if (t < 128) partial[t] = sum = sum + partial[t + 128];
    __syncthreads();
  }
  if (block_size >= 128) {
    if (t < 64) partial[t] = sum = sum + partial[t + 64];
    __syncthreads();
  }
  if (t < 32) {
    if (block_size >= 64) sum += partial[t + 32];
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  }
  if (t == 0) out[blockIdx.x] = sum;
}

template <unsigned block_size>
__global__ void grid_stride(const int* in, int* out, unsigned n) {
  int sum = 0;
  for (unsigned i = blockIdx.x * block_size + threadIdx.x; i < n; i += gridDim.x * block_size) sum += in[i];
  __shared__ int warp_sums[block_size / 32];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned w = 1; w < block_size / 32; ++w) sum += warp_sums[w];
    out[blockIdx.x] = sum;
  }
}

typedef void (*Reduction)(const int*, int*, unsigned);

int main() {
  const unsigned n = 100003, block = 256;
  std::vector<int> values(n);
  long expected = 0;
  for (unsigned i = 0; i < n; ++i) expected += values[i] = static_cast<int>((i * 2654435761u) >> 25);

  int *in, *out;
  CHECK(cudaMalloc(&in, n * sizeof(int)));
  CHECK(cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  struct {
    const char* name;
    Reduction kernel;
    unsigned blocks;
  } versions[] = {
      {"interleaved", interleaved, (n + block - 1) / block},
      {"contiguous", contiguous, (n + block - 1) / block},
      {"sequential", sequential, (n + block - 1) / block},
      {"first add", first_add, (n + 2 * block - 1) / (2 * block)},
      {"shuffled tail", shuffled_tail, (n + 2 * block - 1) / (2 * block)},
      {"unrolled", unrolled<block>, (n + 2 * block - 1) / (2 * block)},
      {"grid stride", grid_stride<block>, 24},
  };
  for (auto& version : versions) {
    CHECK(cudaMalloc(&out, version.blocks * sizeof(int)));
    version.kernel<<<version.blocks, block, block * sizeof(int)>>>(in, out, n);
    CHECK(cudaGetLastError());
    std::vector<int> sums(version.blocks);
    CHECK(cudaMemcpy(sums.data(), out, version.blocks * sizeof(int), cudaMemcpyDeviceToHost));
    long sum = 0;
    for (int s : sums) sum += s;
    printf("%-14s %u blocks: %ld %s\n", version.name, version.blocks, sum,
           sum == expected ? "right" : "WRONG");
    CHECK(cudaFree(out));
  }
  CHECK(cudaFree(in));
  return 0;
}

// output:
//   interleaved    391 blocks: 6350168 right
//   contiguous     391 blocks: 6350168 right
//   sequential     391 blocks: 6350168 right
//   first add      196 blocks: 6350168 right
//   shuffled tail  196 blocks: 6350168 right
//   unrolled       196 blocks: 6350168 right
//   grid stride    24 blocks: 6350168 right
