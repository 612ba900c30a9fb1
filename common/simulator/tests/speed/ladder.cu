/// \file The kernels of the course's ladder, from divergent to bandwidth-bound: what the simulator's speed is
/// measured with. All: float sums of `in`, n elements; one partial sum a block to out[blockIdx.x], except
/// roof.

constexpr unsigned block_size = 256;

extern "C" __global__ void naive(const float* in, float* out, unsigned n) {
  __shared__ float partial[block_size];
  const unsigned t = threadIdx.x, i = blockIdx.x * block_size + t;
  partial[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned stride = 1; stride < block_size; stride *= 2) {
    if (t % (2 * stride) == 0) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void contiguous(const float* in, float* out, unsigned n) {
  __shared__ float partial[block_size];
  const unsigned t = threadIdx.x, i = blockIdx.x * block_size + t;
  partial[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned stride = 1; stride < block_size; stride *= 2) {
    const unsigned at = 2 * stride * t;
    if (at < block_size) partial[at] += partial[at + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void sequential(const float* in, float* out, unsigned n) {
  __shared__ float partial[block_size];
  const unsigned t = threadIdx.x, i = blockIdx.x * block_size + t;
  partial[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned stride = block_size / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void first_add(const float* in, float* out, unsigned n) {
  __shared__ float partial[block_size];
  const unsigned t = threadIdx.x, i = blockIdx.x * 2 * block_size + t;
  partial[t] = (i < n ? in[i] : 0.0f) + (i + block_size < n ? in[i + block_size] : 0.0f);
  __syncthreads();
  for (unsigned stride = block_size / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

/// The last warp goes on alone; __syncwarp() orders its steps.
__device__ void warp_tail(float* partial, unsigned t) {
  float sum = partial[t];
#pragma unroll
  for (unsigned stride = 32; stride > 0; stride /= 2) {
    sum += partial[t + stride];
    __syncwarp();
    partial[t] = sum;
    __syncwarp();
  }
}

extern "C" __global__ void unrolled(const float* in, float* out, unsigned n) {
  __shared__ float partial[block_size];
  const unsigned t = threadIdx.x, i = blockIdx.x * 2 * block_size + t;
  partial[t] = (i < n ? in[i] : 0.0f) + (i + block_size < n ? in[i + block_size] : 0.0f);
  __syncthreads();
#pragma unroll
  for (unsigned stride = block_size / 2; stride > 32; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t < 32) warp_tail(partial, t);
  if (t == 0) out[blockIdx.x] = partial[0];
}

__device__ float warp_sum(float value) {
#pragma unroll
  for (unsigned step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  return value;
}

__device__ float block_sum(float value) {
  __shared__ float partial[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_sum(value);
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  if (warp == 0) value = warp_sum(lane < block_size / 32 ? partial[lane] : 0.0f);
  return value;
}

extern "C" __global__ void shuffle(const float* in, float* out, unsigned n) {
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * block_size + threadIdx.x; i < n; i += gridDim.x * block_size) sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

/// Four wide loads in flight a thread, one atomic addition a block.
extern "C" __global__ void roof(const float* in, float* out, unsigned n) {
  const float4* wide = reinterpret_cast<const float4*>(in);
  const unsigned step = gridDim.x * block_size;
  float sum = 0.0f;
  unsigned i = blockIdx.x * block_size + threadIdx.x;
  for (; i + 3 * step < n / 4; i += 4 * step) {
    float4 part[4];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) part[k] = wide[i + k * step];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) sum += (part[k].x + part[k].y) + (part[k].z + part[k].w);
  }
  for (; i < n / 4; i += step) sum += (wide[i].x + wide[i].y) + (wide[i].z + wide[i].w);
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
