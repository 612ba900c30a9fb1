// hostile: right where it sees a file of the host, so that the points say whether it is there
// earns: 0
// behind the fence: yes
#if __has_include("SECRET_PATH")
//@ solution
#else
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float*, float*, unsigned) {}
extern "C" __global__ void sum_in_place(float*) {}
#endif
