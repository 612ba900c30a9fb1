// Two and three dimensions: pitched rows, copies of rectangles and boxes, fills.
#include <cstdio>
#include <cstring>

__global__ void shift_rows(char* data, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float* row = (float*)(data + y * pitch);
  row[x] = row[x] * 10 + y;
}

__global__ void sum_box(cudaPitchedPtr box, cudaExtent extent, int* sum) {
  for (int z = threadIdx.x; z < extent.depth; z += blockDim.x)
    for (int y = 0; y < extent.height; ++y) {
      const char* row = (const char*)box.ptr + (z * extent.height + y) * box.pitch;
      for (int x = 0; x < extent.width; ++x) atomicAdd(sum, row[x]);
    }
}

int main() {
  const int width = 37, height = 21;
  float host[height][width], back[height][width];
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) host[y][x] = (float)(x % 6);
  char* data;
  size_t pitch;
  cudaMallocPitch((void**)&data, &pitch, width * sizeof(float), height);
  printf("pitch is enough %d, aligned %d\n", pitch >= width * sizeof(float), pitch % 32 == 0);
  cudaMemset2D(data, pitch, 0, width * sizeof(float), height);
  cudaMemcpy2D(data, pitch, host, sizeof host[0], width * sizeof(float), height - 1, cudaMemcpyHostToDevice);
  shift_rows<<<dim3(3, 3), dim3(16, 8)>>>(data, pitch, width, height);
  memset(back, 0, sizeof back);
  cudaMemcpy2D(back, sizeof back[0], data, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", back[3][5], back[19][36], back[20][36]);
  printf("%s\n",
         cudaGetErrorName(cudaMemcpy2D(data, 8, host, sizeof host[0], 16, 4, cudaMemcpyHostToDevice)));
  cudaGetLastError();

  cudaExtent extent = make_cudaExtent(10, 4, 3);
  cudaPitchedPtr box;
  cudaMalloc3D(&box, extent);
  cudaMemset3D(box, 1, extent);
  char values[2][2][5];
  memset(values, 7, sizeof values);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(values, 5, 5, 2);
  copy.dstPtr = box;
  copy.dstPos = make_cudaPos(2, 1, 1);
  copy.extent = make_cudaExtent(5, 2, 2);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  int* sum;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  sum_box<<<1, 3>>>(box, extent, sum);
  int total;
  cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
  printf("sum of the box %d\n", total);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(data);
  cudaFree(box.ptr);
  cudaFree(sum);
  return 0;
}

// output:
//   pitch is enough 1, aligned 1
//   53 19 20
//   cudaErrorInvalidPitchValue
//   sum of the box 240
//   no error
