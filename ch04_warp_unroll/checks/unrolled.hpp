#pragma once
/// \file Given, not an exercise: the host chooses among the kernels that are made from the template.

#include <stdexcept>
#include <string>

#include "ch04_warp_unroll/kernels.hpp"
#include "common/harness/device/device.hpp"

namespace warpwise::ch04 {

using harness::Kernel;

/// The unrolled kernel for blocks of `block` threads. A template needs its argument when it is compiled, but
/// the host only knows it when it launches. So there is one kernel for each size, and a switch. Throws
/// std::invalid_argument for a size that has no kernel: any other one would sum too few or too many levels.
inline Kernel<void(const float*, float*, unsigned)> unrolled_kernel(unsigned block) {
  // [choice]
  switch (block) {
    case 32:
      return reduce_unrolled_32;
    case 64:
      return reduce_unrolled_64;
    case 128:
      return reduce_unrolled_128;
    case 256:
      return reduce_unrolled_256;
    case 512:
      return reduce_unrolled_512;
    case 1024:
      return reduce_unrolled_1024;
  }
  throw std::invalid_argument("there is no unrolled kernel for blocks of " + std::to_string(block));
  // [/choice]
}

}  // namespace warpwise::ch04
