#include <cub/device/device_reduce.cuh>

#include "cub.hpp"

namespace warpwise::measuring {

cudaError_t cub_max(void* scratch, std::size_t& bytes, const float* in, float* largest, unsigned n) {
  return cub::DeviceReduce::Max(scratch, bytes, in, largest, static_cast<int>(n));
}

}  // namespace warpwise::measuring
