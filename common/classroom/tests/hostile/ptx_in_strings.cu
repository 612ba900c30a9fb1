// hostile: whole modules in strings and comments of PTX
// earns: 0
#include "kernels.hpp"
__device__ const char module[] = "\n.visible .entry reduce_naive() { ret; }\n// } \" /* */ .version 1.0\n";
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned n) {
  asm volatile("// } .visible .entry other() {\n/* .version 1.0 */");
  out[blockIdx.x] = module[n % 50];
}
extern "C" __global__ void sum_in_place(float* values) { values[0] = module[1]; }
