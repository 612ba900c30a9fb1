// Chapter 6 beside CUB: ./warpwise bench ch06
#include "../kernels.hpp"
#include "common/measuring/scans.cuh"

namespace warpwise::measuring {

namespace {

/// The first word counts tickets, the others are the tiles' states.
void run_scan_device(const Scanned& s) {
  using namespace warpwise::ch06;
  scan_device<<<tiles_for(s.n), tile_threads>>>(s.in, s.out, s.n, s.words + 1, s.words);
}

/// As scan_in_three_launches of launches.hpp. The words hold the sums of the blocks.
void run_three_launches(const Scanned& s) {
  constexpr unsigned block = 1024;
  const unsigned blocks = (s.n - 1) / block + 1;
  int* const sums = reinterpret_cast<int*>(s.words);
  scan_block_inclusive_int<<<blocks, block>>>(s.in, s.out, sums, s.n);
  scan_sums<<<1, block>>>(sums, blocks);
  add_sums<<<blocks, block>>>(s.out, sums, s.n);
}

}  // namespace

std::vector<Entry> entries() {
  return {scan_entry("scan_sums", run_three_launches, "the scan in three launches"),
          scan_entry("scan_device", run_scan_device)};
}

}  // namespace warpwise::measuring
