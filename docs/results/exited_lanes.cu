// Lanes 16 to 31 of a warp never make a call whose mask names all 32 lanes. What becomes of those that do?
//
//   nvcc -arch=sm_90 -o exited_lanes docs/results/exited_lanes.cu && ./exited_lanes
//   timeout 6 ./exited_lanes CALL      with CALL from 0 to 3: lanes 16 to 31 stay in the kernel, and it hangs
#include <cstdio>
#include <cstdlib>

__device__ void spin(long long cycles) {
  for (const long long begin = clock64(); clock64() - begin < cycles;) {
  }
}
template <int call>
__global__ void probe(bool early, bool stays, long long* out) {
  __shared__ volatile int left, word;
  const int lane = threadIdx.x;
  left = 0;
  __syncthreads();
  if (lane >= 16) {
    if (!early) spin(1000000);
    if (lane == 16) out[1] = clock64(), left = 1;
    if (!stays) asm volatile("exit;");
  } else {
    while (early && !left) {
    }
    if (early) spin(1000000);
    if (lane == 15) word = 7;
    unsigned got = 0;
    if (call == 0) __syncwarp(), got = word;
    if (call == 1) got = __shfl_sync(~0u, lane, 3);
    if (call == 2) got = __ballot_sync(~0u, 1);
    if (call == 3) got = __match_any_sync(~0u, 5);
    if (lane == 0) out[0] = clock64(), out[2] = got;
  }
  __syncthreads();
}
template <int call>
void run(const char* name, int only, bool early) {
  if (only >= 0 && only != call) return;
  long long* out;
  cudaMallocManaged(&out, 24);
  printf("%-10s ", name), fflush(stdout);
  probe<call><<<1, 32>>>(early, only >= 0, out);
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%7lld cycles after them, result %llx (%s)\n", out[0] - out[1], out[2], cudaGetErrorString(error));
}
int main(int argc, char** argv) {
  const int only = argc > 1 ? atoi(argv[1]) : -1;
  for (int early = only < 0; early >= 0; --early) {
    puts(only >= 0 ? "they stay" : early ? "they leave early" : "they leave late");
    run<0>("__syncwarp", only, early);
    run<1>("shuffle", only, early);
    run<2>("ballot", only, early);
    run<3>("match", only, early);
  }
}
