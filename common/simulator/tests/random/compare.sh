#!/usr/bin/env bash
# compare.sh GPU_HASHES RUN_ON_SIMULATOR [SCHEDULE]: runs on the simulator what measure_random_kernels.sh ran on a GPU, and
# prints the lines that differ (< GPU, > simulator). Exit status 0 where there are none.
# GPU_HASHES is gpu_hashes.txt; RUN_ON_SIMULATOR is the program of that name in the build folder.
# The modules must come from the same nvcc: its version stands in the header of the hashes.
# On the H200 with nvcc 13.0.88 (the kernels assembled by ptxas -O0) all 2400 agree.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
hashes=${1:?usage: compare.sh GPU_HASHES RUN_ON_SIMULATOR [SCHEDULE]}
simulator=${2:?usage: compare.sh GPU_HASHES RUN_ON_SIMULATOR [SCHEDULE]}
schedule=${3:-converged}
chunk=25
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

measured=$(sed -n 's/^# nvcc: //p' "$hashes")
installed=$(nvcc --version | grep -o 'V[0-9][0-9.]*' | head -1)
[ "$measured" = "$installed" ] || echo "warning: measured with nvcc $measured, here is $installed" >&2
g++ -std=c++20 -O1 -o "$work/generate" "$here"/{generate,productions,write_kernel}.cpp

one() {
  local arch=$1 first=$2 stem="$work/$1.$2"
  "$work/generate" "$first" "$chunk" > "$stem.cu"
  nvcc -ptx -arch="$arch" -std=c++17 -fmad=false -w -I"$here" -o "$stem.ptx" "$stem.cu"
  "$simulator" "$stem.ptx" "$first" "$chunk" "$schedule" | sed "s/^/$arch /" > "$stem.txt"
}
export -f one
export work here chunk simulator schedule
grep -v '^#' "$hashes" | awk -v c="$chunk" '$2 % c == 0 { print $1, $2 }' |
  xargs -P "$(nproc)" -L 1 bash -euo pipefail -c 'one "$0" "$1"' || echo "some modules failed" >&2
grep -v '^#' "$hashes" > "$work/gpu"
sort -k1,1 -k2,2n "$work"/compute_*.txt > "$work/simulated"
if diff "$work/gpu" "$work/simulated"; then
  echo "$(wc -l < "$work/gpu") kernels, all bit-identical"
else
  echo "$(diff "$work/gpu" "$work/simulated" | grep -c '^<') of $(wc -l < "$work/gpu") kernels differ"
  exit 1
fi
