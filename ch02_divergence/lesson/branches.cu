// Which branches the compiler removes by itself, and which it keeps. branches.cpp shows how often each
// kernel diverges; the lesson says why.

/// Chooses a value, then stores it: the compiler needs no branch.
extern "C" __global__ void choose_a_value(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // [value]
  int value = 0;
  if (in[i] > 0) value = in[i];
  out[i] = value;
  // [/value]
}

/// Stores on both sides, to the same place: the compiler keeps the branch.
extern "C" __global__ void choose_a_store(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // [store]
  if (in[i] > 0) {
    out[i] = in[i];
  } else {
    out[i] = 0;
  }
  // [/store]
}

/// Stores on one side only: no compiler may add a store that the program does not make.
extern "C" __global__ void store_in_one_arm(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // [one_arm]
  if (in[i] > 0) out[i] += in[i];
  // [/one_arm]
}

/// The same as choose_a_value, in one instruction.
extern "C" __global__ void call_max(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // [max]
  out[i] = max(in[i], 0);
  // [/max]
}
