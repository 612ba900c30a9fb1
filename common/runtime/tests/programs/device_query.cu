// What every program asks of the device; only what all devices since 7.5 answer alike is printed.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void kernel(float* x) { x[threadIdx.x] = threadIdx.x; }
__global__ void __launch_bounds__(256) bounded(float* x) { x[threadIdx.x] = 1; }

int main(int argc, char** argv) {
  int count = 0, device = -1, driver = 0, runtime = 0;
  cudaGetDeviceCount(&count);
  cudaGetDevice(&device);
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  printf("devices %d, current %d, driver %d, runtime %d\n", count > 0, device, driver >= runtime,
         runtime >= 12000);
  printf("capability %d, warps of %d, %d threads a block\n", prop.major >= 7, prop.warpSize,
         prop.maxThreadsPerBlock);
  printf("block %d x %d x %d, grid %d x %d x %d\n", prop.maxThreadsDim[0], prop.maxThreadsDim[1],
         prop.maxThreadsDim[2], prop.maxGridSize[0], prop.maxGridSize[1], prop.maxGridSize[2]);
  printf("shared %zu, constant %zu, registers %d, managed %d\n", prop.sharedMemPerBlock, prop.totalConstMem,
         prop.regsPerBlock, prop.managedMemory);
  int value = 0, blocks = 0, threads = 0;
  cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0);
  printf("multiprocessors %d\n", value == prop.multiProcessorCount && value > 0);
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel);
  printf("best %d threads, %d blocks\n", threads >= 256, blocks >= value);
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, bounded);
  printf("bounded %d threads\n", threads);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 1024, 0);
  printf("blocks of 1024: %d\n", blocks >= 1 && blocks <= 2);
  size_t available = 0, total = 0;
  cudaMemGetInfo(&available, &total);
  printf("memory %d\n", available > 0 && available <= total);
  cudaDeviceSetCacheConfig(cudaFuncCachePreferShared);
  cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 21);
  size_t limit = 0;
  cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize);
  printf("printf buffer %d, arguments %d\n", limit >= (1 << 21), argc - 1);
  int can = 1;
  printf("peer %s %d\n", cudaGetErrorName(cudaDeviceCanAccessPeer(&can, 0, 0)), can);
  printf("%s\n", cudaGetErrorName(cudaDeviceReset()));
  (void)argv;
  return 0;
}

// output:
//   devices 1, current 0, driver 1, runtime 1
//   capability 1, warps of 32, 1024 threads a block
//   block 1024 x 1024 x 64, grid 2147483647 x 65535 x 65535
//   shared 49152, constant 65536, registers 65536, managed 1
//   multiprocessors 1
//   best 1 threads, 1 blocks
//   bounded 256 threads
//   blocks of 1024: 1
//   memory 1
//   printf buffer 1, arguments 0
//   peer cudaSuccess 1
//   cudaSuccess
