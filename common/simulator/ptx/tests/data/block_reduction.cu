// Tree reduction in shared memory, with a static and a dynamic array and a launch bound.
extern __shared__ float dynamic[];
extern "C" __global__ void __launch_bounds__(256, 2) reduce_static(const float* in, float* out, int n) {
  __shared__ float partial[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
#pragma unroll 1
  for (int stride = 128; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}
extern "C" __global__ void reduce_dynamic(const float4* in, float* out) {
  float4 v = in[threadIdx.x];
  dynamic[threadIdx.x] = v.x + v.y + v.z + v.w;
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.5f;
    for (int i = 0; i < blockDim.x; ++i) sum += dynamic[i];
    atomicAdd(out, sum);
  }
}
