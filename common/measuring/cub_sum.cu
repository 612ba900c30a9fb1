#include <cub/device/device_reduce.cuh>

#include "cub.hpp"

namespace warpwise::measuring {

cudaError_t cub_sum(void* scratch, std::size_t& bytes, const float* in, float* sum, unsigned n) {
  return cub::DeviceReduce::Sum(scratch, bytes, in, sum, static_cast<int>(n));
}

}  // namespace warpwise::measuring
