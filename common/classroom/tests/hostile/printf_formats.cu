// hostile: formats that read and write what they should not, of arguments that are not there
// earns: 0
#include <cstdio>
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned n) {
  long where = 0;
  printf("%s %s\n", reinterpret_cast<const char*>(0x400000), reinterpret_cast<const char*>(1));
  printf("%n%hhn%ln\n", &where, &where, &where);
  printf("%p %s %s %s %s %s %s %s %s\n", out);
  printf("%.999999999f %.*e\n", 1.0, 1 << 30, 2.0);
  printf(reinterpret_cast<const char*>(out));
  printf("%1$s %2$s %99$s %m %lc %ls\n", n);
}
extern "C" __global__ void sum_in_place(float* values) { printf("%s", reinterpret_cast<const char*>(values)); }
