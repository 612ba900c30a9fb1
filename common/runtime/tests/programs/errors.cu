// finding: launch
// Errors of the host's calls: what each returns, what is remembered, and what is forgotten when asked for.
#include <cstdio>

__global__ void nothing() {}
__global__ void needs_shared() {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
}

void say(const char* what, cudaError_t status) {
  printf("%s: %s (", what, cudaGetErrorName(status));
  printf("peek %s, ", cudaGetErrorName(cudaPeekAtLastError()));
  printf("last %s, ", cudaGetErrorName(cudaGetLastError()));
  printf("then %s)\n", cudaGetErrorName(cudaGetLastError()));
}

/// CUDA up to 12 calls it an invalid configuration, CUDA 13 on an H200 an invalid value.
void say_refused(const char* what) {
  cudaError_t status = cudaGetLastError();
  bool is_refused = status == cudaErrorInvalidConfiguration || status == cudaErrorInvalidValue;
  printf("%s: %s, then %s\n", what, is_refused ? "refused" : cudaGetErrorName(status),
         cudaGetErrorName(cudaGetLastError()));
}

int main() {
  int* pointer = nullptr;
  int on_stack[4] = {};
  say("too much memory", cudaMalloc(&pointer, (size_t)1 << 46));
  nothing<<<1, 1025>>>();
  say_refused("1025 threads");
  nothing<<<0, 32>>>();
  say_refused("no blocks");
  nothing<<<dim3(1, 70000), 32>>>();
  say_refused("70000 blocks in y");
  nothing<<<1, dim3(1, 1, 65)>>>();
  say_refused("65 threads in z");
  needs_shared<<<1, 32, 60000>>>();
  say_refused("60000 bytes of shared memory");
  say("allowed", cudaFuncSetAttribute(needs_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
  needs_shared<<<1, 32, 60000>>>();
  say("60000 bytes, allowed", cudaDeviceSynchronize());
  say("device 1000", cudaSetDevice(1000));
  cudaMalloc(&pointer, 16);
  say("free", cudaFree(pointer));
  say("free null", cudaFree(nullptr));
  say("copy to null", cudaMemcpy(nullptr, on_stack, 16, cudaMemcpyHostToDevice));
  say("wrong direction", cudaMemcpy(on_stack, on_stack, 16, (cudaMemcpyKind)77));
  say("no such symbol", cudaMemcpyToSymbol(on_stack, on_stack, 4));
  printf("no such kernel: %d\n",
         cudaLaunchKernel((const void*)say, dim3(1), dim3(1), nullptr, 0, 0) != cudaSuccess);
  cudaGetLastError();
  cudaFuncAttributes attributes;
  say("attributes", cudaFuncGetAttributes(&attributes, nothing));
  printf("at most %d threads, %zu bytes of shared memory\n", attributes.maxThreadsPerBlock,
         attributes.sharedSizeBytes);
  nothing<<<1, 32>>>();
  say("at the end", cudaDeviceSynchronize());
  printf("%s\n", cudaGetErrorString(cudaErrorLaunchOutOfResources));
  return 0;
}

// output:
//   too much memory: cudaErrorMemoryAllocation (peek cudaErrorMemoryAllocation, last cudaErrorMemoryAllocation, then cudaSuccess)
//   1025 threads: refused, then cudaSuccess
//   no blocks: refused, then cudaSuccess
//   70000 blocks in y: refused, then cudaSuccess
//   65 threads in z: refused, then cudaSuccess
//   60000 bytes of shared memory: refused, then cudaSuccess
//   allowed: cudaSuccess (peek cudaSuccess, last cudaSuccess, then cudaSuccess)
//   60000 bytes, allowed: cudaSuccess (peek cudaSuccess, last cudaSuccess, then cudaSuccess)
//   device 1000: cudaErrorInvalidDevice (peek cudaErrorInvalidDevice, last cudaErrorInvalidDevice, then cudaSuccess)
//   free: cudaSuccess (peek cudaSuccess, last cudaSuccess, then cudaSuccess)
//   free null: cudaSuccess (peek cudaSuccess, last cudaSuccess, then cudaSuccess)
//   copy to null: cudaErrorInvalidValue (peek cudaErrorInvalidValue, last cudaErrorInvalidValue, then cudaSuccess)
//   wrong direction: cudaErrorInvalidMemcpyDirection (peek cudaErrorInvalidMemcpyDirection, last cudaErrorInvalidMemcpyDirection, then cudaSuccess)
//   no such symbol: cudaErrorInvalidSymbol (peek cudaErrorInvalidSymbol, last cudaErrorInvalidSymbol, then cudaSuccess)
//   no such kernel: 1
//   attributes: cudaSuccess (peek cudaSuccess, last cudaSuccess, then cudaSuccess)
//   at most 1024 threads, 0 bytes of shared memory
//   at the end: cudaSuccess (peek cudaSuccess, last cudaSuccess, then cudaSuccess)
//   too many resources requested for launch
