#!/usr/bin/env bash
# Times scan_device beside cub::DeviceScan for several tile sizes, and writes a table to FILE: a line for each
# pair of tile_threads and tile_rows (kernels.hpp) and each n, measured twice, in turns. Takes about a minute.
# Needs nvcc and a GPU. Exit status 1: something could not be compiled, or a result was wrong.
#
#     ch06_scan/bench/time_tiles.sh docs/results/h200/ch06_scan_tiles.txt
set -euo pipefail
. "$(dirname "$0")/../../common/measuring/start.sh" "$0" "$@"
tiles="128,8 128,12 192,8 256,6 256,7 256,8 256,10 256,12 320,8 384,8 512,8"

compile() {  # compile THREADS ROWS: in a copy of the sources, where the two constants are set
  local copy="$work/$1,$2"
  mkdir "$copy"
  cp -r common ch06_scan "$copy"
  sed -i -E "s/(tile_threads = )[0-9]+/\1$1/; s/(tile_rows = )[0-9]+/\1$2/" "$copy/ch06_scan/kernels.hpp"
  cd "$copy"
  nvcc -std=c++17 -O3 -I. "-arch=sm_$capability" -Xptxas -v -o beside_cub ch06_scan/bench/beside_cub.cu > log 2>&1 ||
    { cat log >&2; return 1; }
}

compilers=()
for tile in $tiles; do
  compile "${tile%,*}" "${tile#*,}" &
  compilers+=($!)
done
for compiler in "${compilers[@]}"; do wait "$compiler"; done
# beside_cub ends with 1 if scan_device is slower than the chapter requires; here that is a result like any other.
for round in 1 2; do
  for tile in $tiles; do "$work/$tile/beside_cub" > "$work/$tile/$round" || [ $? -eq 1 ]; done
done

{
  echo "# GPU: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)"
  echo "# nvcc: $(nvcc --version | grep -o 'V[0-9][0-9.]*' | head -n 1)"
  echo "# command: ch06_scan/bench/time_tiles.sh FILE"
  echo
  echo "threads rows registers          n    CUB, ms 1 launch, ms of CUB's    CUB, ms 1 launch, ms of CUB's"
  for tile in $tiles; do
    registers=$(awk '/Compiling entry function/ { is_ours = /scan_device/ }
                     is_ours && match($0, /Used [0-9]+/) { print substr($0, RSTART + 5, RLENGTH - 5) }' "$work/$tile/log")
    paste "$work/$tile/1" "$work/$tile/2" | awk -v tile="$tile" -v registers="$registers" '
      $1 ~ /^[0-9]+$/ {
        split(tile, part, ",")
        half = NF / 2
        printf "%7s %4s %9s %10s %10s %12s %8s %10s %12s %8s\n", part[1], part[2], registers, $1, $2, $4, $5, \
               $(half + 2), $(half + 4), $(half + 5)
      }'
  done
} > "$file"
cat "$file"
if grep -q WRONG "$work"/*/[12]; then
  echo "a result was wrong: see above" >&2
  exit 1
fi
