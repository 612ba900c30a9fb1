// The warp scans of the chapter, each in a loop with nothing else in it, to show what one scan costs. The
// loops run on the simulated GPU (../warp_scans.cpp counts their PTX instructions) and on a real one
// (measure_scans.sh).
//
// Each round scans the result of the round before, so the compiler can't leave a round out.

#include <cub/warp/warp_scan.cuh>

#include "../solution.cu"

/// Scans values[i] `rounds` times, with scan(value).
template <class Scan>
__device__ void repeat(int* values, unsigned rounds, Scan scan) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = values[i];
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) value = scan(value);
  values[i] = value;
}

extern "C" __global__ void loop_conditional(int* values, unsigned rounds) {
  extern __shared__ int partial[];
  int* const slots = partial + threadIdx.x / 32 * 32;
  repeat(values, rounds, [=](int value) { return scan_in_shared<false>(value, slots); });
}

extern "C" __global__ void loop_padded(int* values, unsigned rounds) {
  extern __shared__ int partial[];
  int* const slots = partial + threadIdx.x / 32 * 49;
  repeat(values, rounds, [=](int value) { return scan_in_shared<true>(value, slots); });
}

extern "C" __global__ void loop_predicate(int* values, unsigned rounds) {
  repeat(values, rounds, [](int value) {
    value = add_from_below<1>(value);
    value = add_from_below<2>(value);
    value = add_from_below<4>(value);
    value = add_from_below<8>(value);
    return add_from_below<16>(value);
  });
}

extern "C" __global__ void loop_lane_test(int* values, unsigned rounds) {
  repeat(values, rounds, [](int value) { return scan_by_shuffle(value); });
}

extern "C" __global__ void loop_cub(int* values, unsigned rounds) {
  using Scan = cub::WarpScan<int>;
  __shared__ typename Scan::TempStorage storage[32];
  auto& own = storage[threadIdx.x / 32];
  repeat(values, rounds, [&](int value) {
    Scan(own).InclusiveSum(value, value);
    return value;
  });
}
