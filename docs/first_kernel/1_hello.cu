// Step 1 of docs/first-kernel.md: four threads of a GPU say hello.
#include <cstdio>

__global__ void hello() { printf("hello from thread %u of block %u\n", threadIdx.x, blockIdx.x); }

int main() {
  hello<<<1, 4>>>();
  return 0;
}
