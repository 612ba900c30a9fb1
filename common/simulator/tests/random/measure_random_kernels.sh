#!/usr/bin/env bash
# measure_random_kernels.sh OUT [KERNELS]: what the random kernels give on this machine's GPU.
#
# Generates KERNELS kernels (1200), compiles each for compute_75 and for compute_80, runs both on the GPU, and
# writes OUT/gpu_hashes.txt: a header, then a line `arch seed hash` for each kernel; and its beginning as
# OUT/golden.txt.
# Needs nvcc, ptxas and g++ on the PATH, and a GPU; no network. About one minute on 16 cores.
# ptxas works without optimisation: with it (13.0.88, -O1 and above) 15 of the 1200 kernels (compute_75) give
# other results than without, four of them faults; the simulator agrees with -O0 in every one of the 15.
# The simulator's side: run_on_simulator for the same modules, see compare.sh.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: measure_random_kernels.sh OUT [KERNELS]}
kernels=${2:-1200}
chunk=25
cores=$(nproc)
gpu=sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

g++ -std=c++20 -O1 -o "$work/generate" "$here"/{generate,productions,write_kernel}.cpp
nvcc -std=c++20 -O1 -cudart static -o "$work/run_on_gpu" "$here/run_on_gpu.cpp"

# One module: generate, compile, run. Exported for xargs.
one() {
  local arch=$1 first=$2 stem="$work/$1.$2"
  "$work/generate" "$first" "$chunk" > "$stem.cu"
  # -fmad=false: a product and a sum are joined where the source says fma, not where a compiler likes to.
  nvcc -ptx -arch="$arch" -std=c++17 -fmad=false -w -I"$here" -o "$stem.ptx" "$stem.cu"
  ptxas -arch="$gpu" -O0 -o "$stem.cubin" "$stem.ptx"
  timeout 120 "$work/run_on_gpu" "$stem.cubin" "$first" "$chunk" | sed "s/^/$arch /" > "$stem.txt"
}
export -f one
export work here chunk gpu
export CUDA_CACHE_DISABLE=1
failed=0
for arch in compute_75 compute_80; do
  for ((first = 0; first < kernels; first += chunk)); do echo "$arch $first"; done
done | xargs -P "$cores" -L 1 bash -euo pipefail -c 'one "$0" "$1"' || failed=1

{
  echo "# Random kernels 0 to $((kernels - 1)) on a GPU: architecture of the PTX, seed, FNV-1a hash of the output."
  echo "# GPU: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)"
  echo "# nvcc: $(nvcc --version | grep -o 'V[0-9][0-9.]*' | head -1)"
  echo "# command: common/simulator/tests/random/measure_random_kernels.sh OUT $kernels"
  sort -k1,1 -k2,2n "$work"/*.txt
} > "$out/gpu_hashes.txt"
echo "$(grep -vc '^#' "$out/gpu_hashes.txt") hashes in $out/gpu_hashes.txt"

# What golden_test.cpp compares: the first 30 kernels of each architecture.
grep -E '^#|^compute_[0-9]+ [12]?[0-9] ' "$out/gpu_hashes.txt" > "$out/golden.txt"
if [ "$failed" != 0 ]; then
  echo "some modules failed: their hashes are missing" >&2
  exit 1
fi
