// finding: race at 9 or 8
// why: each element is replaced while its neighbours still need the old one
// launch: kernel=smooth grid=2 block=64 args=data:f32[130]:random
#include "../program.cuh"

extern "C" __global__ void smooth(float* data) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const float left = data[i - 1], right = data[i + 1];
  data[i] = 0.5f * (left + right);
}

int main() {
  const Buffer<float> data(130, Fill::random);
  smooth<<<2, 64>>>(data.data());
  return data.show();
}
