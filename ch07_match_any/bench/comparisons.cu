// Chapter 7 beside CUB: ./warpwise bench ch07
#include "../kernels.hpp"
#include "common/measuring/histograms.cuh"

namespace warpwise::measuring {

std::vector<Entry> entries() {
  static constexpr unsigned block = 256, private_block = 512;
  return {histogram_entry("histogram_plain",
                          [](const Counted& c) {
                            histogram_plain<<<8 * c.multiprocessors, block>>>(c.keys, c.histogram, c.n);
                          }),
          histogram_entry("histogram_aggregated",
                          [](const Counted& c) {
                            histogram_aggregated<<<8 * c.multiprocessors, block>>>(c.keys, c.histogram, c.n);
                          }),
          histogram_entry("histogram_private", [](const Counted& c) {
            histogram_private<<<4 * c.multiprocessors, private_block, c.bins * sizeof(unsigned)>>>(
                c.keys, c.histogram, c.n, c.bins);
          })};
}

}  // namespace warpwise::measuring
