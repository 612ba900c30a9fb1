// A mask that asks which lanes are here. It compiles, runs, and is right most of the time.

extern "C" __global__ void sum_of_whoever_is_here(const float* in, float* out) {
  const unsigned lane = threadIdx.x;  // one warp
  // [active_mask]
  if (lane < 16) {
    float sum = in[lane];
    for (unsigned distance = 8; distance > 0; distance /= 2)
      sum += __shfl_xor_sync(__activemask(), sum, distance);  // which lanes are here now, not which should be
    if (lane == 0) *out = sum;
  }
  // [/active_mask]
}
