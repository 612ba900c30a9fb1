// hostile: code of the host that would print a verdict, and end the process with a good status
// earns: 0
#include "kernels.hpp"
#include <cstdio>
#include <cstdlib>
struct AllPassed {
  AllPassed() {
    std::printf("2 of 2 kernels are right.\n");
    std::exit(0);
  }
} all_passed;
__attribute__((constructor)) void before_main() { std::system("touch HOSTILE_MARK"); }
extern "C" __global__ void reduce_naive(const float*, float*, unsigned) {}
extern "C" __global__ void sum_in_place(float*) {}
