// finding: uninitialised at 12
// why: threads past n leave their slot unwritten and the tree adds it
// launch: kernel=sum grid=1 block=256 args=in:f32[200]:random,out:f32[1]:poison,n:u32:200
#include "../program.cuh"

extern "C" __global__ void sum(const float* in, float* out, unsigned n) {
  __shared__ float partial[256];
  const unsigned t = threadIdx.x;
  if (t < n) partial[t] = in[t];
  __syncthreads();
  for (unsigned stride = 128; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) out[0] = partial[0];
}

int main() {
  const Buffer<float> in(200, Fill::random);
  const Buffer<float> out(1, Fill::poison);
  sum<<<1, 256>>>(in.data(), out.data(), unsigned(200));
  return out.show();
}
