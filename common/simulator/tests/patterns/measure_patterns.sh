#!/usr/bin/env bash
# measure_patterns.sh OUT [COUNT [SEED]]: what the hardware counters say of COUNT (200) random access patterns.
#
# Writes OUT/fresh_patterns.csv, in the columns of observe/tests/data/h200_memory_patterns.csv, and leaves
# ncu's own table beside it. Needs nvcc, ncu, python3 and a GPU whose counters may be read; about a minute.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: measure_patterns.sh OUT [COUNT [SEED]]}
count=${2:-200}
seed=${3:-2026}
mkdir -p "$out"
ncu=$(command -v ncu || ls -d /usr/local/cuda/bin/ncu /opt/nvidia/nsight-compute/*/ncu 2>/dev/null | tail -1 || true)
[ -n "$ncu" ] || { echo "measure_patterns.sh: ncu (Nsight Compute) is not here" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 "$here/patterns.py" generate "$count" "$seed" > "$work/patterns.txt"
nvcc -std=c++17 -O2 -arch=native -o "$work/access" "$here/access.cu"

metrics=
for op in ld st atom; do
  metrics+="l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$op.sum,"
  metrics+="l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$op.sum,"
done
for op in ld st red atom; do
  metrics+="l1tex__t_sectors_pipe_lsu_mem_global_op_$op.sum,l1tex__t_requests_pipe_lsu_mem_global_op_$op.sum,"
done
"$ncu" --clock-control none --cache-control none --metrics "${metrics%,}" --csv --page raw --print-units base \
  "$work/access" "$work/patterns.txt" > "$out/ncu.csv"

{
  echo "# What the hardware counters said of $count random access patterns (seed $seed); columns as in"
  echo "# common/simulator/observe/tests/data/h200_memory_patterns.csv."
  echo "# GPU: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)"
  echo "# nvcc: $(nvcc --version | grep -o 'V[0-9][0-9.]*' | head -1), ncu: $("$ncu" --version | tail -1)"
  echo "# command: common/simulator/tests/patterns/measure_patterns.sh OUT $count $seed"
  python3 "$here/patterns.py" join "$work/patterns.txt" "$out/ncu.csv"
} > "$out/fresh_patterns.csv"
echo "$(grep -vc '^#' "$out/fresh_patterns.csv") patterns in $out/fresh_patterns.csv"
