// What ./warpwise predict ch03 banks measures: one load by one warp, in which lane i reads word factor * i.

#include <cstdio>

/// Writes all 32 * 33 words, so that every word that is read afterwards has a value.
__device__ void fill(float* words) {
  for (unsigned i = threadIdx.x; i < 32 * 33; i += 32) words[i] = static_cast<float>(i);
  __syncwarp();  // or a lane could read a word before another has stored it
}

template <unsigned factor>
__device__ void read_multiples(float* out) {
  __shared__ float words[32 * 33];
  fill(words);
  out[threadIdx.x] = words[factor * threadIdx.x];
}

extern "C" __global__ void reads_2i(float* out) { read_multiples<2>(out); }
extern "C" __global__ void reads_3i(float* out) { read_multiples<3>(out); }
extern "C" __global__ void reads_32i(float* out) { read_multiples<32>(out); }
extern "C" __global__ void reads_33i(float* out) { read_multiples<33>(out); }
extern "C" __global__ void reads_word_7(float* out) {
  __shared__ float words[32 * 33];
  fill(words);
  out[threadIdx.x] = words[7];
}

int main() {
  float* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(float));
  reads_2i<<<1, 32>>>(out);
  reads_3i<<<1, 32>>>(out);
  reads_32i<<<1, 32>>>(out);
  reads_33i<<<1, 32>>>(out);
  reads_word_7<<<1, 32>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  cudaFree(out);
  return error != cudaSuccess;
}
