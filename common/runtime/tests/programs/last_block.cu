// A reduction in one launch: the block that finishes last adds up what all the others have left.
#include <cstdio>

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

int main() {
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

// output:
//   1574616 of 1574616, counter 0
//   1574616 of 1574616, counter 0
