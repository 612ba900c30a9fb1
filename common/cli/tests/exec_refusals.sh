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
echo '__global__ void k(volatile int* p) { while (*p >= 0) *p = *p + 1; }
int main() { int* p; cudaMalloc(&p, 4); cudaMemset(p, 0, 4); k<<<1, 1>>>(p); return cudaDeviceSynchronize() != cudaErrorLaunchTimeout; }' >endless.cu

expect 2 "there is no file 'missing.cu'" missing.cu
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
# Read before main, when the program's streams may not be there yet.
WARPWISE_SCHEDULE=sideways expect 2 "schedule 'sideways' is not known" good.cu
WARPWISE_THREADS=none expect 2 "is not a positive number" good.cu
expect 0 "" good.cu
expect 7 "" good.cu -- 7
expect 3 "timeout" endless.cu --budget 100000


"$nvcc" -gencode arch=compute_80,code=sm_80 -cudart none good.cu "$library" -o machine
expect 2 "machine code alone (sm_80)" ./machine
"$nvcc" -arch=compute_75 -cudart none good.cu "$library" -o squeezed
expect 2 "--no-compress" ./squeezed
"$nvcc" -arch=compute_75 --no-compress good.cu -o other
expect 2 "another CUDA runtime" ./other
"$nvcc" -arch=compute_75 -cudart none --no-compress good.cu "$library" -o linked
expect 5 "" linked -- 5
"$nvcc" -arch=compute_75 -cudart none --no-compress -c good.cu -o good.o
expect 4 "" good.o -- 4
exit $failed
