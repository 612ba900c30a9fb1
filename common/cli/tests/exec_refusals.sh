#!/usr/bin/env bash
# What `warpwise exec` cannot run: each time one clear sentence and exit status 2; and the exit statuses of
# programs that it can.
#
# Usage: exec_refusals.sh WARPWISE_CLI NVCC LIBRARY
set -u
cli=$1 nvcc=$2 library=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

# expect STATUS SENTENCE ARGUMENTS...: the status, and a part of what is said on stderr
expect() {
  local status=$1 sentence=$2 said
  shift 2
  said=$("$cli" exec "$@" 2>&1 >output)
  local got=$?
  if [ $got != "$status" ] || [[ "$said" != *"$sentence"* ]]; then
    printf 'exec %s: status %s, not %s; said:\n%s\ninstead of: %s\n' "$*" "$got" "$status" "$said" "$sentence"
    failed=1
  fi
}

# link NAME: a program of NAME.cu, for several runs of it
link() {
  "$nvcc" -arch=compute_75 -cudart none --no-compress "$1.cu" "$library" -o "$1" || failed=1
}

echo '__global__ void k(int* p) { *p = 1; }
int main(int argc, char** argv) { int* p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); cudaDeviceSynchronize(); return argc > 1 ? argv[1][0] - 48 : 0; }' >good.cu
echo 'int main() { return 0; }' >plain.cu
echo '#include <cstdio>
int main() { puts("hello"); }' >plain.cpp
echo '__global__ void k() { syntax error }' >broken.cu
echo '__global__ void k() {}
int main() { cudaGraph_t graph; cudaGraphCreate(&graph, 0); k<<<1, 1>>>(); }' >graph.cu
echo '#include <cuda.h>
__global__ void k() {}
int main() { cuInit(0); k<<<1, 1>>>(); }' >driver.cu
# What differs only when it runs is one program, so that it is compiled once: cases CASE [ARGUMENT...].
echo '#include <csignal>
#include <cstdlib>
#include <cstring>

__global__ void k(int* p) { if (blockIdx.x + threadIdx.x == 0) *p = 1; }
__global__ void endless(volatile int* p) { while (*p >= 0) *p = *p + 1; }
__global__ void lost(int* p) { *p = __shfl_sync(1, threadIdx.x, 1); }
__global__ void wild(int* p) { p[1 << 20] = 1; }
__global__ void absent(unsigned* p) { unsigned value = __shfl_down_sync(0xffffffffu, 5u, 1); *p = value; }

// Of a launch with the attribute that the words name: its number, and its value where it is a cluster.
int launch_with_attribute(int* p, char** words) {
  cudaEvent_t event;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeID(atoi(words[0]));
  if (attribute.id == cudaLaunchAttributeClusterDimension) attribute.val.clusterDim = {unsigned(atoi(words[1])), 1, 1};
  if (attribute.id == cudaLaunchAttributeProgrammaticEvent) attribute.val.programmaticEvent.event = event;
  cudaLaunchConfig_t config = {};
  config.gridDim = 4;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  if (cudaLaunchKernelEx(&config, k, p) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  return cudaEventQuery(event) == cudaSuccess ? 0 : 1;
}

int main(int, char** words) {
  const auto is = [&](const char* name) { return std::strcmp(words[1], name) == 0; };
  int *p, value = 0;
  cudaMalloc(&p, 4);
  cudaMemset(p, 0, 4);
  if (is("attribute")) return launch_with_attribute(p, words + 2);
  if (is("no_blocks")) {
    k<<<0, 32>>>(p);
    return cudaGetLastError() == cudaErrorInvalidConfiguration ? 6 : 0;
  }
  if (is("endless")) {
    endless<<<1, 1>>>(p);
    return cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
  }
  if (is("absent")) {
    absent<<<1, 1>>>(reinterpret_cast<unsigned*>(p));
    cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost);
    return value == 0 ? 0 : unsigned(value) == 0xcdcdcdcd ? 1 : 2;
  }
  if (is("abort")) lost<<<1, 1>>>(p); else if (is("wild")) wild<<<1, 1>>>(p); else k<<<1, 1>>>(p);
  if (cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost) != cudaSuccess || is("abort")) abort();
  raise(SIGSEGV);
}' >cases.cu
echo '__global__ void __cluster_dims__(2, 1, 1) k() {}
int main() { k<<<4, 32>>>(); return cudaDeviceSynchronize(); }' >clusters.cu
echo '__global__ void k(int* p) { int unused; *p = 1; }
int main() { int* p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); return cudaDeviceSynchronize(); }' >warnings.cu

expect 2 "there is no file 'missing.cu'" missing.cu
expect 2 "there is no option --reprot; did you mean --report?" good.cu --reprot report.json
expect 2 "which program?"
expect 2 "is not a positive number" good.cu --threads none
expect 2 "schedule 'sideways' is not known" good.cu --schedule sideways
expect 2 "broken.cu does not compile" broken.cu
expect 2 "no device code" plain.cu
expect 2 "no device code" plain.cpp
expect 2 "cudaGraphCreate is not supported by the simulated GPU (graphs)" graph.cu
expect 2 "cuInit is not supported" driver.cu
expect 2 "relocatable device code" -rdc=true good.cu
expect 2 "makes no program" -c good.cu
expect 2 "cannot write" good.cu --report /nonexistent/report.json
expect 7 "" good.cu -- 7
# Read before main, when the program's streams may not be there yet.
link good
WARPWISE_SCHEDULE=sideways expect 2 "schedule 'sideways' is not known" good
WARPWISE_THREADS=none expect 2 "is not a positive number" good
expect 5 "" good -- 5
link cases
expect 3 "--budget N (WARPWISE_BUDGET=N) lets a launch spend" cases --budget 100000 -- endless
# Told as what they are, with the status of the program.
expect 139 "cases was ended by signal 11" cases -- segv
expect 134 "cases was ended by signal 6" cases -- abort
expect 3 "out-of-bounds" cases -- wild
expect 6 "k<<<...>>> returns cudaErrorInvalidConfiguration: a grid of 0 x 1 x 1 blocks is empty" cases -- no_blocks
expect 0 "nvcc warns about warnings.cu:" warnings.cu
# What a lane that takes no part gives: what hardware gives, or poison; in the first case all else is well.
expect 3 "sync: thread 0 reads the value of lane 1" cases -- absent
expect 1 "sync: thread 0 reads the value of lane 1" cases --strict -- absent
# Attributes of a launch: honoured or refused.
expect 2 "was compiled for clusters of 2 blocks" -arch=sm_90 clusters.cu
expect 2 "cudaLaunchKernelEx asks for clusters of 2 blocks" cases -- attribute 4 2
expect 2 "the attribute 13 of cudaLaunchKernelEx" cases -- attribute 13
for honoured in "4 1" 0 1 3 6 7 8; do expect 0 "" cases -- attribute $honoured; done

"$nvcc" -gencode arch=compute_80,code=sm_80 -cudart none good.cu "$library" -o machine
expect 2 "only machine code (sm_80)" ./machine
"$nvcc" -arch=compute_75 -cudart none good.cu "$library" -o squeezed
expect 2 "--no-compress" ./squeezed
"$nvcc" -arch=compute_75 --no-compress good.cu -o other
expect 2 "another CUDA runtime" ./other
"$nvcc" -arch=compute_75 -cudart none --no-compress -c good.cu -o good.o
expect 4 "" good.o -- 4
exit $failed
