// Each thread adds two floats, and loads them one by one or both at once. loads.cpp counts what that
// costs in global memory.

/// Two loads of 4 bytes. A thread's two floats are neighbours, so in each load neighbouring lanes read floats
/// that are 8 bytes apart.
extern "C" __global__ void add_two_loads(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // [two]
  out[i] = in[2 * i] + in[2 * i + 1];
  // [/two]
}

/// One load of 8 bytes. The program says so, and promises that the address is aligned.
extern "C" __global__ void add_one_load(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // [one]
  const float2 both = reinterpret_cast<const float2*>(in)[i];
  out[i] = both.x + both.y;
  // [/one]
}

/// Two loads of 4 bytes, one from each half of the block's elements. In each load, neighbouring lanes read
/// neighbouring floats.
extern "C" __global__ void add_two_halves(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // [halves]
  const unsigned first = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[first] + in[first + blockDim.x];
  // [/halves]
}
