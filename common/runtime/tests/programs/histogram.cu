// Letters of a text: atomics on global memory, private copies in shared memory, and coarsened threads.
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

#define BINS 7

__global__ void histo_kernel(const char* data, unsigned length, unsigned* histo) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    int position = data[i] - 'a';
    if (position >= 0 && position < 26) atomicAdd(&histo[position / 4], 1);
  }
}

__global__ void histo_private_kernel(const char* data, unsigned length, unsigned* histo) {
  __shared__ unsigned private_histo[BINS];
  for (unsigned bin = threadIdx.x; bin < BINS; bin += blockDim.x) private_histo[bin] = 0u;
  __syncthreads();
  unsigned accumulator = 0;
  int previous = -1;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x) {
    int position = data[i] - 'a';
    if (position < 0 || position >= 26) continue;
    int bin = position / 4;
    if (bin == previous) {
      ++accumulator;
    } else {
      if (accumulator > 0) atomicAdd(&private_histo[previous], accumulator);
      accumulator = 1;
      previous = bin;
    }
  }
  if (accumulator > 0) atomicAdd(&private_histo[previous], accumulator);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    if (private_histo[bin] > 0) atomicAdd(&histo[bin], private_histo[bin]);
}

int main() {
  const char* sentence =
      "programming massively parallel processors needs atomics, or private copies of the bins; ";
  static char text[40000];
  const unsigned length = sizeof text;
  for (unsigned i = 0; i < length; ++i) text[i] = sentence[(i * 13) % strlen(sentence)];

  char* data;
  unsigned* histo;
  cudaMalloc((void**)&data, length);
  cudaMalloc((void**)&histo, BINS * sizeof(unsigned));
  cudaMemcpy(data, text, length, cudaMemcpyHostToDevice);
  for (int version = 0; version < 2; ++version) {
    cudaMemset(histo, 0, BINS * sizeof(unsigned));
    if (version == 0)
      histo_kernel<<<(length + 255) / 256, 256>>>(data, length, histo);
    else
      histo_private_kernel<<<20, 256>>>(data, length, histo);
    unsigned result[BINS];
    cudaMemcpy(result, histo, sizeof result, cudaMemcpyDeviceToHost);
    for (int bin = 0; bin < BINS; ++bin)
      printf("%c-%c %u%s", 'a' + 4 * bin, bin == BINS - 1 ? 'z' : 'd' + 4 * bin, result[bin],
             bin == BINS - 1 ? "\n" : "  ");
  }
  cudaFree(data);
  cudaFree(histo);
  return 0;
}

// output:
//   a-d 5001  e-h 5454  i-l 4547  m-p 8639  q-t 8634  u-x 908  y-z 454
//   a-d 5001  e-h 5454  i-l 4547  m-p 8639  q-t 8634  u-x 908  y-z 454
