// Several streams with pinned memory, events between them, callbacks, and times that are not negative.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void scale(float* data, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}

void CUDART_CB add_up(void* total) { *static_cast<int*>(total) += 1; }
void CUDART_CB called_back(cudaStream_t, cudaError_t status, void* count) {
  if (status == cudaSuccess) *static_cast<int*>(count) += 10;
}

int main() {
  const int streams = 4, n = 1 << 12, bytes = n * sizeof(float);
  float *host, *device;
  cudaMallocHost(&host, streams * bytes);
  cudaMalloc(&device, streams * bytes);
  for (int i = 0; i < streams * n; ++i) host[i] = 1.0f + i % 3;
  cudaStream_t stream[streams];
  cudaEvent_t start, stop, half;
  cudaEventCreate(&start);
  cudaEventCreateWithFlags(&half, cudaEventDisableTiming);
  cudaEventCreate(&stop);
  int low, high, called = 0;
  cudaDeviceGetStreamPriorityRange(&low, &high);
  for (int s = 0; s < streams; ++s) {
    if (s % 2 == 0)
      cudaStreamCreate(&stream[s]);
    else
      cudaStreamCreateWithPriority(&stream[s], cudaStreamNonBlocking, high);
  }
  cudaEventRecord(start);
  for (int s = 0; s < streams; ++s) {
    float* part = device + s * n;
    cudaMemcpyAsync(part, host + s * n, bytes, cudaMemcpyHostToDevice, stream[s]);
    scale<<<(n + 255) / 256, 256, 0, stream[s]>>>(part, 2.0f + s, n);
    cudaMemcpyAsync(host + s * n, part, bytes, cudaMemcpyDeviceToHost, stream[s]);
    cudaLaunchHostFunc(stream[s], add_up, &called);
    cudaStreamSynchronize(stream[s]);
  }
  cudaEventRecord(half, stream[0]);
  cudaStreamWaitEvent(stream[1], half, 0);
  cudaStreamAddCallback(stream[1], called_back, &called, 0);
  cudaStreamSynchronize(stream[1]);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float milliseconds = -1;
  cudaError_t status = cudaEventElapsedTime(&milliseconds, start, stop);
  printf("time %s, %s\n", milliseconds >= 0 ? "passes" : "does not pass", cudaGetErrorString(status));
  printf("without timing: %s\n", cudaGetErrorName(cudaEventElapsedTime(&milliseconds, half, stop)));
  printf("after the error: %s\n", cudaGetErrorName(cudaGetLastError()));
  for (int s = 0; s < streams; ++s) {
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += host[s * n + i];
    unsigned flags;
    cudaStreamGetFlags(stream[s], &flags);
    printf("stream %d: sum %.0f, flags %u, %s\n", s, sum, flags,
           cudaGetErrorString(cudaStreamQuery(stream[s])));
  }
  printf("called %d, priorities %d, event %s\n", called, low > high, cudaGetErrorName(cudaEventQuery(stop)));
  for (int s = 0; s < streams; ++s) cudaStreamDestroy(stream[s]);
  cudaEventDestroy(start);
  cudaEventDestroy(half);
  cudaEventDestroy(stop);
  cudaFreeHost(host);
  cudaFree(device);
  return 0;
}

// output:
//   time passes, no error
//   without timing: cudaErrorInvalidResourceHandle
//   after the error: cudaErrorInvalidResourceHandle
//   stream 0: sum 16382, flags 0, no error
//   stream 1: sum 24576, flags 1, no error
//   stream 2: sum 32772, flags 0, no error
//   stream 3: sum 40955, flags 1, no error
//   called 14, priorities 1, event cudaSuccess
