// The kernels with one sum per block. They use thread_sum, the sum of one thread's elements, and block_sum of
// the file that includes this one.

extern "C" __global__ void reduce_shuffle(const float* in, float* out, unsigned n) {
  const float sum = block_sum(thread_sum(n, [=](unsigned i) { return in[i]; }));
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

extern "C" __global__ void reduce_atomic(const float* in, float* total, unsigned n) {
  const float sum = block_sum(thread_sum(n, [=](unsigned i) { return in[i]; }));
  if (threadIdx.x == 0) atomicAdd(total, sum);
}

extern "C" __global__ void dot_product(const float* a, const float* b, float* out, unsigned n) {
  const float sum = block_sum(thread_sum(n, [=](unsigned i) { return a[i] * b[i]; }));
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
