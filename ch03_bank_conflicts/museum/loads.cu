// Museum: each thread adds two neighbouring floats, loaded one by one or both at once. loads.cpp counts what
// a warp asks of global memory for it.

/// Two loads of 4 bytes: a thread's own two are neighbours, and those of neighbouring lanes are 8 bytes
/// apart.
extern "C" __global__ void add_two_loads(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // [two]
  out[i] = in[2 * i] + in[2 * i + 1];
  // [/two]
}

/// One load of 8 bytes, which the program asks for and whose alignment it promises.
extern "C" __global__ void add_one_load(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // [one]
  const float2 both = reinterpret_cast<const float2*>(in)[i];
  out[i] = both.x + both.y;
  // [/one]
}

/// Two loads of 4 bytes, each of neighbours: the block's two halves.
extern "C" __global__ void add_two_halves(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // [halves]
  const unsigned first = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[first] + in[first + blockDim.x];
  // [/halves]
}
