#include <cub/device/device_histogram.cuh>

#include "cub.hpp"

namespace warpwise::measuring {

cudaError_t cub_histogram(void* scratch, std::size_t& bytes, const unsigned* keys, unsigned* histogram,
                          unsigned n, unsigned bins) {
  const auto levels = static_cast<int>(bins + 1);  // the bounds of the bins: 0, 1 ... bins
  return cub::DeviceHistogram::HistogramEven(scratch, bytes, keys, histogram, levels, 0u, bins,
                                             static_cast<int>(n));
}

}  // namespace warpwise::measuring
