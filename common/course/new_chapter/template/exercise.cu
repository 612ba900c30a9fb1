// Chapter @number@. README.md is the lesson; kernels.hpp says what each kernel must do.

#include "kernels.hpp"

/// out[i] = 2 * in[i]
extern "C" __global__ void @kernel@(const float* in, float* out, unsigned n) {
  // TODO double (about 2 lines): TEMPLATE: say what to do and about how many lines it takes. Each thread has one
  //      element; which threads have none?
}
