/// \file What the runtime says when something goes wrong, and what a kernel prints.
#undef NDEBUG
#include <cassert>
#include <cstdio>

#include "../../../testing/program.cuh"

// finding: launch at `assert(values[i] < 60);`
// An assertion that fails on the device: cudaErrorAssert from the call that waits, and from all that follow.
namespace assertion {

__global__ void check(const int* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    assert(values[i] < 60);
  }
}

int run() {
  int values[64], *device;
  for (int i = 0; i < 64; ++i) values[i] = i;
  cudaMalloc(&device, sizeof values);
  cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice);
  check<<<1, 64>>>(device, 60);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  check<<<1, 64>>>(device, 64);
  cudaError_t status = cudaDeviceSynchronize();
  printf("%s: %s\n", cudaGetErrorName(status), cudaGetErrorString(status));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost)));
  return 0;
}

const Program program("assertion", run);

}  // namespace assertion
// output:
//   cudaSuccess
//   cudaErrorAssert: device-side assert triggered
//   cudaErrorAssert
//   cudaErrorAssert

// finding: out-of-bounds at `p[i] = 1;`
// A kernel that writes through a wild pointer: the error comes late, and stays.
namespace illegal_address {

__global__ void wild(int* p, int i) { p[i] = 1; }

int run() {
  int* good;
  cudaMalloc(&good, 4096);
  wild<<<1, 1>>>(good, 3);
  printf("in bounds: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  wild<<<1, 1>>>(nullptr, 5);
  printf("waiting: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  int value;
  printf("copying: %s\n", cudaGetErrorName(cudaMemcpy(&value, good, 4, cudaMemcpyDeviceToHost)));
  printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("last again: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("allocating: %s\n", cudaGetErrorName(cudaMalloc(&good, 4)));
  return 0;
}

const Program program("illegal_address", run);

}  // namespace illegal_address
// output:
//   in bounds: cudaSuccess
//   waiting: an illegal memory access was encountered
//   copying: cudaErrorIllegalAddress
//   last: cudaErrorIllegalAddress
//   last again: cudaSuccess
//   allocating: cudaErrorIllegalAddress

// finding: launch
// Errors of the host's calls: what each returns, what is remembered, and what is forgotten when asked for.
namespace errors {

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

int run() {
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

const Program program("errors", run);

}  // namespace errors
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

// finding: none
// printf from the device: in the order of one thread, when the host waits, and not at all if it never does.
namespace device_printf {

__global__ void hello(const char* who) {
  if (threadIdx.x == 0) printf("block %d of %d says hello to %s\n", blockIdx.x, gridDim.x, who);
}

__global__ void formats() {
  printf("%d %5d|%-5d|%05d %u %x %#X %o\n", -7, 42, 42, 42, 3000000000u, 255, 255, 8);
  printf("%ld %lld %llu %c %s %%\n", -1L, 1LL << 40, ~0ull, 'w', "text");
  printf("%f %.3f %8.2f|%e %g %g\n", 1.5, 3.14159f, 2.5, 12345.678, 0.0001, 1e10);
  printf("%s\n", printf("%d %d\n", 1, 2) == 2 ? "two values" : "another count");
}

int run() {
  char* name;
  cudaMallocManaged(&name, 16);
  snprintf(name, 16, "%s", "everybody");
  hello<<<1, 32>>>(name);
  printf("launched\n");
  cudaDeviceSynchronize();
  formats<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("done\n");
  hello<<<1, 32>>>(name);
  int* other;
  cudaMalloc(&other, 4);
  printf("allocating does not wait\n");
  cudaFree(other);
  printf("freeing does\n");
  hello<<<1, 32>>>(name);  // nobody waits: it is not seen
  return 0;
}

const Program program("device_printf", run);

}  // namespace device_printf
// output:
//   launched
//   block 0 of 1 says hello to everybody
//   -7    42|42   |00042 3000000000 ff 0XFF 10
//   -1 1099511627776 18446744073709551615 w text %
//   1.500000 3.142     2.50|1.234568e+04 0.0001 1e+10
//   1 2
//   two values
//   done
//   allocating does not wait
//   block 0 of 1 says hello to everybody
//   freeing does
