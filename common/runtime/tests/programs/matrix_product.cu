// A matrix product with tiles in shared memory, sizes that are no multiple of the tile, and a template for
// the tile.
#include <cmath>
#include <cstdio>
#include <vector>

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

int main() {
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

// output:
//   tile 16: C[0][0] = -13, C[69][82] = 1, 0 wrong
//   tile 32: C[0][0] = -13, C[69][82] = 1, 0 wrong
//   Result = PASS
