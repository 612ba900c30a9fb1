#!/usr/bin/env bash
# `warpwise nvcc` in the place of nvcc: what it makes runs on the simulated GPU by itself, however it was built.
#
# Usage: nvcc.sh WARPWISE_CLI REAL_NVCC FOLDER
set -u
cli=$1 real=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 1
toolkit=$("$cli" nvcc --folder) || exit 1
nvcc=$toolkit/bin/nvcc
failed=0

# expect STATUS SENTENCE COMMAND...: the status, and a part of what is said
expect() {
  local status=$1 sentence=$2 said got
  shift 2
  said=$("$@" 2>&1)
  got=$?
  if [ $got != "$status" ] || [[ "$said" != *"$sentence"* ]]; then
    printf '%s: status %s, not %s; said:\n%s\ninstead of: %s\n' "$*" "$got" "$status" "$said" "$sentence"
    failed=1
  fi
}

cat >sum.cuh <<'END'
extern "C" int sum(const int* values, int n);  // -1: no GPU
END
cat >sum.cu <<'END'
#include "sum.cuh"
__global__ void add(const int* in, int* out, int n) {
  if (int(threadIdx.x) < n) atomicAdd(out, in[threadIdx.x]);
#ifdef RACE
  out[1] = threadIdx.x;
#endif
}
extern "C" int sum(const int* values, int n) {
  int *in, *out, result = -1;
  if (cudaMalloc(&in, n * sizeof(int)) != cudaSuccess) return -1;
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(out, 0, 2 * sizeof(int));
  cudaMemcpy(in, values, n * sizeof(int), cudaMemcpyHostToDevice);
  add<<<1, 64>>>(in, out, n);
  return cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess ? result : -1;
}
END
cat >main.cpp <<'END'
#include <cuda_runtime.h>
#include <cstdio>
#include "sum.cuh"
int main() {
  const int values[] = {1, 2, 3};
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  std::printf("%s: %d\n", properties.name, sum(values, 3));
  return sum(values, 3) == 6 ? 0 : 1;
}
END
gpu="Warpwise simulated GPU: 6"

# What tells a build about the compiler is nvcc's own.
expect 0 "$("$real" --version)" "$nvcc" --version
expect 0 "TOP=$toolkit" "$nvcc" --dryrun -c sum.cu
expect 0 "int main()" "$nvcc" -E main.cpp
expect 0 "sum.cuh" "$nvcc" -M sum.cu

# Objects, linked by nvcc or by the host's compiler; a static library; other architectures than PTX's.
expect 0 "" "$nvcc" -c -gencode arch=compute_80,code=sm_80 -gencode arch=compute_120,code=sm_120 sum.cu -o sum.o
expect 0 "" "$nvcc" -arch=sm_80 main.cpp sum.o -o by_nvcc -lcudart
expect 0 "$gpu" ./by_nvcc
expect 0 "" g++ main.cpp sum.o -I"$toolkit/include" -L"$toolkit/lib64" -lcudart -o by_host
expect 0 "$gpu" ./by_host
expect 0 "" "$nvcc" -lib sum.o -o libsum.a
expect 0 "" "$nvcc" main.cpp -L. -lsum -o from_library
expect 0 "$gpu" ./from_library
expect 0 "" "$nvcc" -DRACE main.cpp sum.cu -o wrong
expect 3 "sum.cu:5: race" ./wrong


# A shared library; in one process there is one GPU, whoever was linked with its runtime.
expect 0 "" "$nvcc" -shared -Xcompiler -fPIC sum.cu -o libshared.so
expect 0 "" "$nvcc" main.cpp ./libshared.so -o with_shared
expect 0 "$gpu" ./with_shared
if command -v python3 >/dev/null; then
  ask='import ctypes, sys; sum = ctypes.CDLL("./lib%s.so" % sys.argv[1]).sum; print("sum", sum((ctypes.c_int * 3)(1, 2, 3), 3))'
  expect 0 "sum 6" python3 -c "$ask" shared
  expect 0 "" "$nvcc" -DRACE -shared -Xcompiler -fPIC sum.cu -o libwrong.so
  expect 3 "sum.cu:5: race" python3 -c "$ask" wrong
fi

# Relocatable device code: what only asks for it is compiled without, and what needs it is refused.
expect 0 "" "$nvcc" -rdc=true -c sum.cu -o relocatable.o
expect 0 "" "$nvcc" -dlink relocatable.o -o link.o
expect 0 "" g++ main.cpp relocatable.o link.o -I"$toolkit/include" -L"$toolkit/lib64" -lcudadevrt -lcudart_static -o relocatable
expect 0 "$gpu" ./relocatable
echo 'extern __device__ int there; __global__ void k(int* p) { *p = there; }' >variable.cu
expect 1 "extern declaration" "$nvcc" -dc variable.cu
echo '__device__ int f(int); __global__ void k(int* p) { *p = f(3); }
int main() { int* p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); return cudaDeviceSynchronize(); }' >function.cu
expect 2 "warpwise:" bash -c "'$nvcc' -rdc=true function.cu -o function && ./function"

# CMake, whose compiler it is: libraries of both kinds, CUDA's runtime asked for by name, and tests.
mkdir project && cp sum.cu sum.cuh main.cpp project
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(sums LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
enable_testing()
foreach(kind STATIC SHARED)
  add_library(sum_${kind} ${kind} sum.cu)
  add_executable(main_${kind} main.cpp)
  target_link_libraries(main_${kind} PRIVATE sum_${kind} CUDA::cudart)
  add_test(NAME main_${kind} COMMAND main_${kind})
endforeach()
set_target_properties(sum_STATIC PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_ARCHITECTURES "75;90")
add_executable(wrong main.cpp sum.cu)
target_compile_definitions(wrong PRIVATE RACE)
target_link_libraries(wrong PRIVATE CUDA::cudart_static)
add_test(NAME wrong COMMAND wrong)
END
expect 0 "$nvcc" cmake -S project -B project/build -DCMAKE_CUDA_COMPILER="$nvcc"
expect 0 "" cmake --build project/build
expect 8 "67% tests passed, 1 tests failed out of 3" ctest --test-dir project/build
expect 3 "sum.cu:5: race" project/build/wrong
exit $failed
