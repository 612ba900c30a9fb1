// Scans of a segment in shared memory: Kogge-Stone with two buffers, Brent-Kung, and an exclusive
// work-efficient one with padding against bank conflicts.
#include <cstdio>

#define SECTION 512
#define CONFLICT_FREE(i) ((i) + ((i) >> 5))

__global__ void kogge_stone(const float* x, float* y, unsigned n) {
  __shared__ float buffers[2][SECTION];
  float *from = buffers[0], *to = buffers[1];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  from[t] = i < n ? x[i] : 0.0f;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    to[t] = t >= stride ? from[t] + from[t - stride] : from[t];
    float* other = from;
    from = to;
    to = other;
  }
  if (i < n) y[i] = from[t];
}

__global__ void brent_kung(const float* x, float* y, unsigned n) {
  __shared__ float xy[SECTION];
  unsigned i = 2 * blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  xy[t] = i < n ? x[i] : 0;
  xy[t + blockDim.x] = i + blockDim.x < n ? x[i + blockDim.x] : 0;
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned index = (t + 1) * 2 * stride - 1;
    if (index < SECTION) xy[index] += xy[index - stride];
  }
  for (int stride = SECTION / 4; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned index = (t + 1) * stride * 2 - 1;
    if (index + stride < SECTION) xy[index + stride] += xy[index];
  }
  __syncthreads();
  if (i < n) y[i] = xy[t];
  if (i + blockDim.x < n) y[i + blockDim.x] = xy[t + blockDim.x];
}

__global__ void exclusive_prescan(const float* in, float* out, int n) {
  extern __shared__ float temp[];
  int t = threadIdx.x, offset = 1, a = t, b = t + n / 2;
  temp[CONFLICT_FREE(a)] = in[a];
  temp[CONFLICT_FREE(b)] = in[b];
  for (int d = n >> 1; d > 0; d >>= 1, offset *= 2) {
    __syncthreads();
    if (t < d) temp[CONFLICT_FREE(offset * (2 * t + 2) - 1)] += temp[CONFLICT_FREE(offset * (2 * t + 1) - 1)];
  }
  if (t == 0) temp[CONFLICT_FREE(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int low = CONFLICT_FREE(offset * (2 * t + 1) - 1), high = CONFLICT_FREE(offset * (2 * t + 2) - 1);
      float left = temp[low];
      temp[low] = temp[high];
      temp[high] += left;
    }
  }
  __syncthreads();
  out[a] = temp[CONFLICT_FREE(a)];
  out[b] = temp[CONFLICT_FREE(b)];
}

int main() {
  const unsigned n = SECTION;
  float x[n], y[n], *dx, *dy;
  for (unsigned i = 0; i < n; ++i) x[i] = (float)(i % 5);
  cudaMalloc(&dx, sizeof x);
  cudaMalloc(&dy, sizeof y);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  const char* names[] = {"Kogge-Stone", "Brent-Kung", "exclusive"};
  for (int version = 0; version < 3; ++version) {
    if (version == 0) kogge_stone<<<1, SECTION>>>(dx, dy, n - 3);
    if (version == 1) brent_kung<<<1, SECTION / 2>>>(dx, dy, n - 3);
    if (version == 2)
      exclusive_prescan<<<1, SECTION / 2, CONFLICT_FREE(SECTION) * sizeof(float)>>>(dx, dy, n);
    cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
    float sum = 0;
    int wrong = 0;
    for (unsigned i = 0; i < n - 3; ++i) {
      if (version == 2) wrong += y[i] != sum;
      sum += x[i];
      if (version != 2) wrong += y[i] != sum;
    }
    printf("%s: y[100] = %g, y[508] = %g, %d wrong\n", names[version], y[100], y[508], wrong);
  }
  cudaFree(dx);
  cudaFree(dy);
}

// output:
//   Kogge-Stone: y[100] = 200, y[508] = 1016, 0 wrong
//   Brent-Kung: y[100] = 200, y[508] = 1016, 0 wrong
//   exclusive: y[100] = 200, y[508] = 1013, 0 wrong
