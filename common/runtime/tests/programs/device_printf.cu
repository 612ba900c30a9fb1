// printf from the device: in the order of one thread, when the host waits, and not at all if it never does.
#include <cstdio>

__global__ void hello(const char* who) {
  if (threadIdx.x == 0) printf("block %d of %d says hello to %s\n", blockIdx.x, gridDim.x, who);
}

__global__ void formats() {
  printf("%d %5d|%-5d|%05d %u %x %#X %o\n", -7, 42, 42, 42, 3000000000u, 255, 255, 8);
  printf("%ld %lld %llu %c %s %%\n", -1L, 1LL << 40, ~0ull, 'w', "text");
  printf("%f %.3f %8.2f|%e %g %g\n", 1.5, 3.14159f, 2.5, 12345.678, 0.0001, 1e10);
  printf("%s\n", printf("%d %d\n", 1, 2) == 2 ? "two values" : "another count");
}

int main() {
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
