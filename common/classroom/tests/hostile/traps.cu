// hostile: ends the device
// earns: 0
#include <cassert>
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float*, float*, unsigned) { __trap(); }
extern "C" __global__ void sum_in_place(float*) { assert(!"2 of 2 kernels are right."); }
