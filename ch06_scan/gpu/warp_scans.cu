// The warp scans of the chapter in a loop with nothing else in it: what one scan costs. The loops run on the
// simulated GPU (../warp_scans.cpp counts their PTX instructions) and on a real one (measure.sh).
//
// Each round scans the result of the round before, so that no round can be left out.

#include <cub/warp/warp_scan.cuh>

#include "../solution.cu"

extern "C" __global__ void loop_conditional(int* values, unsigned rounds) {
  extern __shared__ int partial[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = values[i];
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round)
    value = scan_in_shared<false>(value, partial + threadIdx.x / 32 * 32);
  values[i] = value;
}

extern "C" __global__ void loop_padded(int* values, unsigned rounds) {
  extern __shared__ int partial[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = values[i];
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round)
    value = scan_in_shared<true>(value, partial + threadIdx.x / 32 * 49);
  values[i] = value;
}

extern "C" __global__ void loop_predicate(int* values, unsigned rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = values[i];
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) {
    value = add_from_below<1>(value);
    value = add_from_below<2>(value);
    value = add_from_below<4>(value);
    value = add_from_below<8>(value);
    value = add_from_below<16>(value);
  }
  values[i] = value;
}

extern "C" __global__ void loop_lane_test(int* values, unsigned rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = values[i];
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) value = scan_by_shuffle(value);
  values[i] = value;
}

extern "C" __global__ void loop_cub(int* values, unsigned rounds) {
  using Scan = cub::WarpScan<int>;
  __shared__ typename Scan::TempStorage storage[32];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = values[i];
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round)
    Scan(storage[threadIdx.x / 32]).InclusiveSum(value, value);
  values[i] = value;
}
