#include <cub/device/device_scan.cuh>

#include "cub.hpp"

namespace warpwise::measuring {

cudaError_t cub_scan(void* scratch, std::size_t& bytes, const int* in, int* out, unsigned n) {
  return cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, static_cast<int>(n));
}

}  // namespace warpwise::measuring
