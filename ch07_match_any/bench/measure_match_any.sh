#!/usr/bin/env bash
# Measures what the lesson of chapter 7 says about a GPU, and writes it to FILE: the times (measure_match_any.cu), and what the
# assembler makes of the atomic operations: the instructions of each kernel, in PTX and in machine code.
# Needs nvcc and cuobjdump of the CUDA toolkit, and a GPU. Exit status 1 means that a result was wrong, or that
# aggregation gains less than the lesson says (measure_match_any.cu).
#
#     ch07_match_any/bench/measure_match_any.sh docs/results/h200/ch07_match_any_gpu.txt
set -euo pipefail
. "$(dirname "$0")/../../common/measuring/start.sh" "$0" "$@"
options=(-std=c++17 -O3 -I.)
nvcc "${options[@]}" "-arch=sm_$capability" -o "$work/measure" ch07_match_any/bench/measure_match_any.cu
# measure_match_any.cu includes the kernels of the solution, and adds compact_plain.
nvcc "${options[@]}" "-arch=sm_$capability" -cubin -o "$work/measure.cubin" ch07_match_any/bench/measure_match_any.cu
nvcc "${options[@]}" "-arch=compute_$capability" -ptx -o "$work/measure.ptx" ch07_match_any/bench/measure_match_any.cu
cuobjdump -sass "$work/measure.cubin" > "$work/measure.sass"

# The instructions of kernel $1 that are atomic, match, vote, shuffle, count bits or gather lanes, and how many of each.
ptx_of() {
  awk -v kernel="$1" '/\.entry/ { is_inside = ($0 ~ " " kernel "\\(") }
    is_inside && match($0, /[ \t](atom|red|match|vote|shfl|popc|activemask)\.[a-z0-9_.]+/) {
      print substr($0, RSTART + 1, RLENGTH - 1) }' "$work/measure.ptx" | sort | uniq -c
}
sass_of() {
  awk -v kernel="$1" '/Function :/ { is_inside = ($NF == kernel) }
    is_inside && match($0, /(ATOMS|ATOMG|ATOM|REDG|RED|MATCH|VOTE|VOTEU|SHFL|POPC|UPOPC|FLO|REDUX|BRA\.DIV|WARPSYNC)(\.[A-Z0-9_.]+)?[ ;]/) {
      text = substr($0, RSTART, RLENGTH - 1); print text }' "$work/measure.sass" | sort | uniq -c
}

status=0
{
  echo "\$ ch07_match_any/bench/measure_match_any.sh"
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
  nvcc --version | tail -n 2 | head -n 1
  echo
  "$work/measure" || status=1
  for kernel in histogram_plain histogram_aggregated histogram_private compact_plain compact_by_tickets \
      match_any_intrinsic match_any_by_broadcast match_any_skip_inactive match_any_by_leaders; do
    printf '\n%s, PTX:\n' "$kernel"
    ptx_of "$kernel"
    printf '%s, machine code:\n' "$kernel"
    sass_of "$kernel"
  done
} > "$file"
cat "$file"
exit "$status"
