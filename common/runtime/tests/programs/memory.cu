/// \file Kinds of memory, and atomics on it.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "../../../testing/program.cuh"

// finding: none
// Constant memory, device variables of several kinds, their addresses and sizes, and a table of functions.
namespace constant_and_globals {

#define RADIUS 3
__constant__ float filter[2 * RADIUS + 1];
__constant__ int2 pairs[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
__device__ int counter = 41;
__device__ float table[3][4];
static __device__ double factor = 0.5;
__constant__ unsigned char letters[] = "constant";

__device__ float twice(float x) { return 2 * x; }
__device__ float square(float x) { return x * x; }
typedef float (*Function)(float);
__device__ Function functions[2] = {twice, square};

__global__ void convolve(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; ++k)
    if (i + k >= 0 && i + k < n) sum += in[i + k] * filter[k + RADIUS];
  out[i] = sum;
}

__global__ void globals(float* out) {
  if (threadIdx.x == 0) ++counter;
  table[threadIdx.x / 4][threadIdx.x % 4] =
      (float)(pairs[threadIdx.x % 4].x * 10 + pairs[threadIdx.x % 4].y) * (float)factor;
  out[threadIdx.x] = functions[threadIdx.x % 2]((float)threadIdx.x) + letters[threadIdx.x % 8];
}

int run() {
  const int n = 300;
  float weights[2 * RADIUS + 1] = {1, 2, 3, 4, 3, 2, 1}, in[n], out[n];
  for (int i = 0; i < n; ++i) in[i] = (float)(i % 4);
  float *d_in, *d_out;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(filter, weights, sizeof weights);
  convolve<<<3, 128>>>(d_in, d_out, n);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", out[0], out[10], out[150], out[299]);
  float negative = -1;
  cudaMemcpyToSymbol(filter, &negative, sizeof negative, 3 * sizeof(float));
  convolve<<<3, 128>>>(d_in, d_out, n);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("%g %g\n", out[10], out[150]);

  globals<<<1, 12>>>(d_out);
  cudaMemcpy(out, d_out, 12 * sizeof(float), cudaMemcpyDeviceToHost);
  int count;
  float copy[3][4];
  cudaMemcpyFromSymbol(&count, counter, sizeof count);
  cudaMemcpyFromSymbol(copy, table, sizeof copy);
  printf("counter %d, table %g %g, values %g %g %g\n", count, copy[0][1], copy[2][3], out[2], out[3],
         out[11]);
  void* address;
  size_t bytes;
  cudaGetSymbolAddress(&address, table);
  cudaGetSymbolSize(&bytes, table);
  cudaMemset(address, 0, bytes);
  cudaMemcpyFromSymbol(copy, table, sizeof copy);
  printf("table of %zu bytes, now %g\n", bytes, copy[2][3]);
  printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol(filter, weights, sizeof weights, 8)));
  cudaFree(d_in);
  cudaFree(d_out);
  return 0;
}

const Program program("constant_and_globals", run);

}  // namespace constant_and_globals
// output:
//   10 24 24 20
//   14 14
//   counter 42, table 17 39, values 114 124 236
//   table of 48 bytes, now 0
//   cudaErrorInvalidValue

// finding: none
// Managed memory and managed variables: host and device see the same list and the same tree.
namespace managed_memory {

struct Node {
  int key;
  Node *left, *right;
};

__managed__ int found[8];
__managed__ Node* root;
__device__ __managed__ float scale = 1.5f;

/// Objects that live where both sides see them.
struct Managed {
  void* operator new(size_t bytes) {
    void* pointer;
    cudaMallocManaged(&pointer, bytes);
    cudaDeviceSynchronize();
    return pointer;
  }
  void operator delete(void* pointer) {
    cudaDeviceSynchronize();
    cudaFree(pointer);
  }
};

struct Text : Managed {
  int length;
  char letters[32];
};

__global__ void search(int n) {
  int key = threadIdx.x * 5;
  if (threadIdx.x >= n) return;
  Node* at = root;
  int depth = 0;
  while (at != nullptr && at->key != key) {
    at = key < at->key ? at->left : at->right;
    ++depth;
  }
  found[threadIdx.x] = at != nullptr ? (int)(depth * scale * 2) : -1;
}

__global__ void shout(Text* text) {
  int i = threadIdx.x;
  if (i < text->length && text->letters[i] >= 'a') text->letters[i] -= 'a' - 'A';
}

void insert(Node*& at, int key) {
  if (at == nullptr) {
    cudaMallocManaged(&at, sizeof(Node));
    *at = {key, nullptr, nullptr};
  } else {
    insert(key < at->key ? at->left : at->right, key);
  }
}

int run() {
  for (int key : {20, 10, 30, 5, 15, 25, 35, 0, 12}) insert(root, key);
  scale = 2.5f;
  search<<<1, 32>>>(8);
  cudaDeviceSynchronize();
  for (int& f : found) printf("%s%d", &f == found ? "" : " ", f);
  printf("\n");
  Text* text = new Text;
  strcpy(text->letters, "hello from both sides");
  text->length = (int)strlen(text->letters);
  shout<<<1, 32>>>(text);
  cudaDeviceSynchronize();
  printf("%s\n", text->letters);
  delete text;
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, root);
  printf("managed %d, same pointer %d\n", attributes.type == cudaMemoryTypeManaged,
         attributes.devicePointer == root);
  return 0;
}

const Program program("managed_memory", run);

}  // namespace managed_memory
// output:
//   15 10 5 10 0 10 5 10
//   HELLO FROM BOTH SIDES
//   managed 1, same pointer 1

// finding: none
// Two and three dimensions: pitched rows, copies of rectangles and boxes, fills.
namespace pitched_memory {

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

int run() {
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

const Program program("pitched_memory", run);

}  // namespace pitched_memory
// output:
//   pitch is enough 1, aligned 1
//   53 19 20
//   cudaErrorInvalidPitchValue
//   sum of the box 240
//   no error

// finding: none
// Every atomic function once, from many threads; each result is the same in whatever order they come.
namespace atomic_intrinsics {

__global__ void atomics(int* data, unsigned long long* wide, float* real, double* fine) {
  const unsigned id = blockDim.x * blockIdx.x + threadIdx.x;
  atomicAdd(&data[0], 10);
  atomicSub(&data[1], 10);
  atomicExch(&data[2], id | 7);
  atomicMax(&data[3], (int)id);
  atomicMin(&data[4], -(int)id);
  atomicInc((unsigned*)&data[5], 17);
  atomicDec((unsigned*)&data[6], 137);
  atomicCAS(&data[7], 5, (int)(id | 1024));
  atomicAnd(&data[8], 2 * id + 7);
  atomicOr(&data[9], 1 << (id % 32));
  atomicXor(&data[10], (int)id);
  atomicAdd(wide, 1ull << 33);
  atomicMax(wide + 1, (unsigned long long)id << 32);
  atomicAdd(real, 0.5f);
  atomicAdd(fine, 0.25);
}

/// An atomic maximum of floats, made from compare-and-swap.
__device__ float atomicMaxFloat(float* address, float value) {
  int* as_int = (int*)address;
  int old = *(volatile int*)as_int, assumed;  // others may change it meanwhile
  do {
    assumed = old;
    old = atomicCAS(as_int, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}

__global__ void maximum(float* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicMaxFloat(out, __sinf(0.0f) + (float)((threadIdx.x * 37) % 101));
  atomicAdd_block(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd_system(out + 1, (float)count);
}

int run() {
  int data[11];
  memset(data, 0, sizeof data);
  data[8] = data[10] = 0xff;
  data[2] = -1;
  int* d;
  unsigned long long wide[2] = {0, 0}, *dw;
  float real[3] = {0, -1, 0}, *dr;
  double fine = 0, *df;
  cudaMalloc(&d, sizeof data);
  cudaMalloc(&dw, sizeof wide);
  cudaMalloc(&dr, sizeof real);
  cudaMalloc(&df, sizeof fine);
  cudaMemcpy(d, data, sizeof data, cudaMemcpyHostToDevice);
  cudaMemcpy(dw, wide, sizeof wide, cudaMemcpyHostToDevice);
  cudaMemcpy(dr, real, sizeof real, cudaMemcpyHostToDevice);
  cudaMemcpy(df, &fine, sizeof fine, cudaMemcpyHostToDevice);
  atomics<<<64, 256>>>(d, dw, dr, df);
  maximum<<<1, 100>>>(dr + 1);
  cudaMemcpy(data, d, sizeof data, cudaMemcpyDeviceToHost);
  cudaMemcpy(wide, dw, sizeof wide, cudaMemcpyDeviceToHost);
  cudaMemcpy(real, dr, sizeof real, cudaMemcpyDeviceToHost);
  cudaMemcpy(&fine, df, sizeof fine, cudaMemcpyDeviceToHost);
  data[2] &= 7;
  for (int i = 0; i < 11; ++i) printf("%s%d", i > 0 ? " " : "", data[i]);
  printf("\n%llu %llu %g %g %g %g\n", wide[0], wide[1], real[0], real[1], real[2], fine);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(d);
  cudaFree(dw);
  cudaFree(dr);
  cudaFree(df);
  return 0;
}

const Program program("atomic_intrinsics", run);

}  // namespace atomic_intrinsics
// output:
//   163840 -163840 7 16383 -16383 4 38 0 1 -1 255
//   140737488355328 70364449210368 8192 100 100 4096
//   cudaSuccess
