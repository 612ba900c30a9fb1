/// \file Blocks that share memory, and grids whose blocks meet.
#include <cooperative_groups.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../../testing/program.cuh"

// finding: none
// Scans of a segment in shared memory: Kogge-Stone with two buffers, Brent-Kung, and an exclusive
// work-efficient one with padding against bank conflicts.
namespace block_scans {

#define SECTION 512
#define CONFLICT_FREE(i) ((i) + ((i) >> 5))

__global__ void kogge_stone(const float* x, float* y, unsigned n) {
  __shared__ float buffers[2][SECTION];
  float *from = buffers[0], *to = buffers[1];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  from[t] = i < n ? x[i] : 0.0f;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    to[t] = t >= stride ? from[t] + from[t - stride] : from[t];
    float* other = from;
    from = to;
    to = other;
  }
  if (i < n) y[i] = from[t];
}

__global__ void brent_kung(const float* x, float* y, unsigned n) {
  __shared__ float xy[SECTION];
  unsigned i = 2 * blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  xy[t] = i < n ? x[i] : 0;
  xy[t + blockDim.x] = i + blockDim.x < n ? x[i + blockDim.x] : 0;
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned index = (t + 1) * 2 * stride - 1;
    if (index < SECTION) xy[index] += xy[index - stride];
  }
  for (int stride = SECTION / 4; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned index = (t + 1) * stride * 2 - 1;
    if (index + stride < SECTION) xy[index + stride] += xy[index];
  }
  __syncthreads();
  if (i < n) y[i] = xy[t];
  if (i + blockDim.x < n) y[i + blockDim.x] = xy[t + blockDim.x];
}

__global__ void exclusive_prescan(const float* in, float* out, int n) {
  extern __shared__ float temp[];
  int t = threadIdx.x, offset = 1, a = t, b = t + n / 2;
  temp[CONFLICT_FREE(a)] = in[a];
  temp[CONFLICT_FREE(b)] = in[b];
  for (int d = n >> 1; d > 0; d >>= 1, offset *= 2) {
    __syncthreads();
    if (t < d) temp[CONFLICT_FREE(offset * (2 * t + 2) - 1)] += temp[CONFLICT_FREE(offset * (2 * t + 1) - 1)];
  }
  if (t == 0) temp[CONFLICT_FREE(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int low = CONFLICT_FREE(offset * (2 * t + 1) - 1), high = CONFLICT_FREE(offset * (2 * t + 2) - 1);
      float left = temp[low];
      temp[low] = temp[high];
      temp[high] += left;
    }
  }
  __syncthreads();
  out[a] = temp[CONFLICT_FREE(a)];
  out[b] = temp[CONFLICT_FREE(b)];
}

int run() {
  const unsigned n = SECTION;
  float x[n], y[n], *dx, *dy;
  for (unsigned i = 0; i < n; ++i) x[i] = (float)(i % 5);
  cudaMalloc(&dx, sizeof x);
  cudaMalloc(&dy, sizeof y);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  const char* names[] = {"Kogge-Stone", "Brent-Kung", "exclusive"};
  for (int version = 0; version < 3; ++version) {
    if (version == 0) kogge_stone<<<1, SECTION>>>(dx, dy, n - 3);
    if (version == 1) brent_kung<<<1, SECTION / 2>>>(dx, dy, n - 3);
    if (version == 2)
      exclusive_prescan<<<1, SECTION / 2, CONFLICT_FREE(SECTION) * sizeof(float)>>>(dx, dy, n);
    cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
    float sum = 0;
    int wrong = 0;
    for (unsigned i = 0; i < n - 3; ++i) {
      if (version == 2) wrong += y[i] != sum;
      sum += x[i];
      if (version != 2) wrong += y[i] != sum;
    }
    printf("%s: y[100] = %g, y[508] = %g, %d wrong\n", names[version], y[100], y[508], wrong);
  }
  cudaFree(dx);
  cudaFree(dy);
  return 0;
}

const Program program("block_scans", run);

}  // namespace block_scans
// output:
//   Kogge-Stone: y[100] = 200, y[508] = 1016, 0 wrong
//   Brent-Kung: y[100] = 200, y[508] = 1016, 0 wrong
//   exclusive: y[100] = 200, y[508] = 1013, 0 wrong

// finding: none
// A matrix product with tiles in shared memory, sizes that are no multiple of the tile, and a template for
// the tile.
namespace matrix_product {

template <int TILE>
__global__ void multiply(float* C, const float* A, const float* B, int rows, int inner, int columns) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < inner; start += TILE) {
    As[threadIdx.y][threadIdx.x] =
        row < rows && start + threadIdx.x < inner ? A[row * inner + start + threadIdx.x] : 0;
    Bs[threadIdx.y][threadIdx.x] =
        start + threadIdx.y < inner && column < columns ? B[(start + threadIdx.y) * columns + column] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < columns) C[row * columns + column] = sum;
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int run() {
  const int rows = 70, inner = 45, columns = 83;
  std::vector<float> A(rows * inner), B(inner * columns), C(rows * columns), T(rows * columns);
  for (size_t i = 0; i < A.size(); ++i) A[i] = float(i % 9) - 4;
  for (size_t i = 0; i < B.size(); ++i) B[i] = float(i % 7) - 3;
  float *dA, *dB, *dC, *dT;
  cudaMalloc(&dA, A.size() * sizeof(float));
  cudaMalloc(&dB, B.size() * sizeof(float));
  cudaMalloc(&dC, C.size() * sizeof(float));
  cudaMalloc(&dT, C.size() * sizeof(float));
  cudaMemcpy(dA, A.data(), A.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dB, B.data(), B.size() * sizeof(float), cudaMemcpyHostToDevice);
  for (int tile : {16, 32}) {
    dim3 threads(tile, tile), blocks((columns + tile - 1) / tile, (rows + tile - 1) / tile);
    cudaMemset(dC, 0, C.size() * sizeof(float));
    if (tile == 16)
      multiply<16><<<blocks, threads>>>(dC, dA, dB, rows, inner, columns);
    else
      multiply<32><<<blocks, threads>>>(dC, dA, dB, rows, inner, columns);
    transpose<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(dT, dC, columns, rows);
    cudaMemcpy(C.data(), dC, C.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(T.data(), dT, T.size() * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        float expected = 0;
        for (int k = 0; k < inner; ++k) expected += A[r * inner + k] * B[k * columns + c];
        wrong += C[r * columns + c] != expected || T[c * rows + r] != expected;
      }
    printf("tile %d: C[0][0] = %g, C[69][82] = %g, %d wrong\n", tile, C[0], C[rows * columns - 1], wrong);
  }
  printf("Result = %s\n", cudaDeviceSynchronize() == cudaSuccess ? "PASS" : "FAIL");
  cudaFree(dA);
  cudaFree(dB);
  cudaFree(dC);
  cudaFree(dT);
  return 0;
}

const Program program("matrix_product", run);

}  // namespace matrix_product
// output:
//   tile 16: C[0][0] = -13, C[69][82] = 1, 0 wrong
//   tile 32: C[0][0] = -13, C[69][82] = 1, 0 wrong
//   Result = PASS

// finding: none
// A reduction in one launch: the block that finishes last adds up what all the others have left.
namespace last_block {

__device__ unsigned retired_blocks = 0;
__shared__ bool is_last_block;

template <int block_size>
__device__ float block_sum(float sum) {
  __shared__ float partial[block_size];
  const int t = threadIdx.x;
  partial[t] = sum;
  __syncthreads();
  for (int stride = block_size / 2; stride > 0; stride >>= 1) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  sum = partial[0];
  __syncthreads();
  return sum;
}

template <int block_size>
__global__ void reduce_single_pass(const float* in, volatile float* out, unsigned n) {
  float sum = 0;
  for (unsigned i = blockIdx.x * block_size + threadIdx.x; i < n; i += gridDim.x * block_size) sum += in[i];
  sum = block_sum<block_size>(sum);
  if (threadIdx.x == 0) {
    out[blockIdx.x] = sum;
    __threadfence();
    unsigned ticket = atomicInc(&retired_blocks, gridDim.x);
    is_last_block = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last_block) {
    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += block_size) sum += out[i];
    sum = block_sum<block_size>(sum);
    if (threadIdx.x == 0) {
      out[0] = sum;
      retired_blocks = 0;
    }
  }
}

int run() {
  const unsigned n = 50000, blocks = 40;
  float *host = new float[n], *in, *out;
  double expected = 0;
  for (unsigned i = 0; i < n; ++i) expected += host[i] = float(i % 64);
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, blocks * sizeof(float));
  cudaMemcpy(in, host, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int time = 0; time < 2; ++time) {
    float sum;
    reduce_single_pass<128><<<blocks, 128>>>(in, out, n);
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    unsigned left;
    cudaMemcpyFromSymbol(&left, retired_blocks, sizeof left);
    printf("%.0f of %.0f, counter %u\n", sum, expected, left);
  }
  cudaFree(in);
  cudaFree(out);
  delete[] host;
  return 0;
}

const Program program("last_block", run);

}  // namespace last_block
// output:
//   1574616 of 1574616, counter 0
//   1574616 of 1574616, counter 0

// finding: none
// A cooperative launch: all blocks meet twice, then one adds what all have left.
namespace grid_sync {

namespace cg = cooperative_groups;

#define checkCudaErrors(call)                                                                             \
  if (cudaError_t e = (call); e != cudaSuccess) {                                                         \
    fprintf(stderr, "CUDA error at %d: %s (%s)\n", __LINE__, cudaGetErrorName(e), cudaGetErrorString(e)); \
    exit(EXIT_FAILURE);                                                                                   \
  }

__global__ void reduce_whole(const float* in, double* partial, double* result, int n) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  extern __shared__ double sums[];
  double sum = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += in[i];
  sums[block.thread_rank()] = sum;
  cg::sync(block);
  for (int stride = block.size() / 2; stride > 0; stride /= 2) {
    if (block.thread_rank() < stride) sums[block.thread_rank()] += sums[block.thread_rank() + stride];
    cg::sync(block);
  }
  if (block.thread_rank() == 0) partial[blockIdx.x] = sums[0];
  cg::sync(grid);
  if (grid.thread_rank() == 0) {
    double total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += partial[b];
    *result = total;
  }
  grid.sync();
  if (block.thread_rank() == 0) partial[blockIdx.x] /= *result;
}

int run() {
  int device = 0, cooperative = 0;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device));
  printf("cooperative launch: %d\n", cooperative);
  const int threads = 128;
  int blocks_a_multiprocessor = 0, n = 40000, blocks = 16;
  checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_a_multiprocessor, reduce_whole,
                                                                threads, threads * sizeof(double)));
  printf("fits: %d\n", blocks_a_multiprocessor >= 1);
  float* in;
  double *partial, *result;
  checkCudaErrors(cudaMallocManaged(&in, n * sizeof(float)));
  checkCudaErrors(cudaMallocManaged(&partial, blocks * sizeof(double)));
  checkCudaErrors(cudaMallocManaged(&result, sizeof(double)));
  for (int i = 0; i < n; ++i) in[i] = (float)(i % 100) / 4;
  void* arguments[] = {&in, &partial, &result, &n};
  checkCudaErrors(cudaLaunchCooperativeKernel((void*)reduce_whole, dim3(blocks), dim3(threads), arguments,
                                              threads * sizeof(double), 0));
  checkCudaErrors(cudaDeviceSynchronize());
  double share = 0;
  for (int b = 0; b < blocks; ++b) share += partial[b];
  printf("sum %.2f, shares %.3f\n", *result, share);
  cudaFree(in);
  cudaFree(partial);
  cudaFree(result);
  return 0;
}

const Program program("grid_sync", run);

}  // namespace grid_sync
// output:
//   cooperative launch: 1
//   fits: 1
//   sum 495000.00, shares 1.000
