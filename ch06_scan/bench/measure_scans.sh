#!/usr/bin/env bash
# Measures on a GPU what the lesson of chapter 6 says about a GPU, and writes it to FILE:
# - the warp scans in a loop, timed beside cub::WarpScan (time_warp_scans.cu);
# - the scan of a whole array, timed beside cub::DeviceScan (beside_cub.cu);
# - for each warp scan the number of machine instructions in the loop, and the listings, machine code and PTX.
# With --tiles instead: scan_device beside cub::DeviceScan for several sizes of a tile. A line for each pair of tile_threads and
# tile_rows (kernels.hpp) and each n, measured twice, in turns; about a minute.
# Needs nvcc and cuobjdump of the CUDA toolkit, and a GPU. Exit status 1: something could not be compiled, or a result was wrong
# or too slow.
#
#     ch06_scan/bench/measure_scans.sh docs/results/h200/ch06_scan_gpu.txt
#     ch06_scan/bench/measure_scans.sh --tiles docs/results/h200/ch06_scan_tiles.txt
set -euo pipefail
part=scans
if [ "${1:-}" = --tiles ]; then part=tiles && shift; fi
. "$(dirname "$0")/../../common/measuring/start.sh" "$0" "$@"

loops="loop_conditional loop_padded loop_predicate loop_lane_test loop_cub"

# The machine instructions of the loop in kernel $1, from the target of the first backward branch.
# A branch names an address (0x110) or, in some versions of cuobjdump, a label (`(.L_x_1)`).
sass_of() {
  awk -v kernel="$1" '
    BEGIN { count = 0 }
    /Function :/ { is_inside = ($NF == kernel); next }
    is_inside && match($0, /^\.L_x_[0-9]+:/) { label[substr($0, 1, RLENGTH - 1)] = count; next }
    is_inside && match($0, /\/\*[0-9a-f]+\*\/ +[^\/]*;/) {
      text = substr($0, RSTART, RLENGTH)
      address = text; sub(/^\/\*/, "", address); sub(/\*\/.*/, "", address)
      sub(/^\/\*[0-9a-f]+\*\/ +/, "", text); sub(/ *;$/, "", text)
      line[count] = text; place["0x" shortened(address)] = count; ++count
      if (text !~ /BRA/ || is_done) next
      first = -1
      if (match(text, /0x[0-9a-f]+$/)) {
        target = "0x" shortened(substr(text, RSTART + 2))
        if (target in place) first = place[target]
      } else if (match(text, /\.L_x_[0-9]+/)) {
        target = substr(text, RSTART, RLENGTH)
        if (target in label) first = label[target]
      }
      if (first >= 0 && first < count - 1) {
        is_done = 1
        for (i = first; i < count; ++i) print line[i]
      }
    }
    function shortened(hex) { sub(/^0+/, "", hex); return hex == "" ? "0" : hex }' "$work/warp_scans.sass"
}

# The PTX instructions of the loop in kernel $1.
ptx_of() {
  awk -v kernel="$1" '
    /\.entry/ { is_inside = ($0 ~ " " kernel "\\(") ; is_loop = 0 }
    is_inside && /\.pragma "nounroll"/ { is_loop = 1; next }
    is_inside && is_loop {
      gsub(/[{}\t]/, " ")
      parts = split($0, part, ";")
      for (i = 1; i < parts; ++i) {
        text = part[i]; sub(/^ +/, "", text)
        if (text !~ /^(\.|\/\/|$)/) print text
        if (text ~ /^@.* bra .*_2$/) { is_inside = 0 }
      }
    }' "$work/warp_scans.ptx"
}

side_by_side() {  # side_by_side LISTER KERNEL KERNEL KERNEL
  local lister=$1 kernel columns=()
  shift
  for kernel in "$@"; do
    { echo "$kernel"; "$lister" "$kernel"; } > "$work/$kernel.column"
    columns+=("$work/$kernel.column")
  done
  paste -d '\t' "${columns[@]}" |
    awk -F '\t' '{ printf "%-52s|%-52s|%s\n", $1, $2, $3 }' | sed 's/ *$//'
}

scans() {
  local status=0 program loop machine ptx options
  options=(-std=c++17 -O3 -I. "-arch=sm_$capability")
  for program in time_warp_scans beside_cub; do
    nvcc "${options[@]}" -o "$work/$program" "ch06_scan/bench/$program.cu"
  done
  nvcc "${options[@]}" -cubin -o "$work/warp_scans.cubin" ch06_scan/lesson/warp_scans.cu
  nvcc -std=c++17 -O3 -I. "-arch=compute_$capability" -ptx -o "$work/warp_scans.ptx" ch06_scan/lesson/warp_scans.cu
  if command -v cuobjdump > /dev/null; then
    cuobjdump -sass "$work/warp_scans.cubin" > "$work/warp_scans.sass"
  else
    echo "there is no cuobjdump: times only, no machine code" >&2
    : > "$work/warp_scans.sass"
    status=1
  fi

  {
    echo "\$ ch06_scan/bench/measure_scans.sh"
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
    nvcc --version | tail -n 2 | head -n 1
    echo
    "$work/time_warp_scans" || status=1
    echo
    "$work/beside_cub" || status=1
    echo
    echo "instructions in the loop, three for the loop itself (or fewer)   PTX   machine, sm_$capability"
    for loop in $loops; do
      machine=$(sass_of "$loop" | wc -l)
      ptx=$(ptx_of "$loop" | wc -l)
      printf '%-64s %4d %9d\n' "$loop" "$ptx" "$machine"
      if [ "$machine" -eq 0 ] || [ "$ptx" -eq 0 ]; then
        echo "no loop found in $loop: see what cuobjdump writes" >&2
        status=1
      fi
    done
    echo
    echo "machine code, sm_$capability"
    side_by_side sass_of loop_conditional loop_padded loop_predicate
    echo
    side_by_side sass_of loop_lane_test loop_cub loop_predicate
    echo
    echo "PTX"
    side_by_side ptx_of loop_conditional loop_padded loop_predicate
  } > "$file"
  cat "$file"
  return $status
}

# --- Tiles ------------------------------------------------------------------------------------------------

compile() {  # compile THREADS ROWS: in a copy of the sources, where the two constants are set
  local copy="$work/$1,$2"
  mkdir "$copy"
  cp -r common ch06_scan "$copy"
  sed -i -E "s/(tile_threads = )[0-9]+/\1$1/; s/(tile_rows = )[0-9]+/\1$2/" "$copy/ch06_scan/kernels.hpp"
  cd "$copy"
  nvcc -std=c++17 -O3 -I. "-arch=sm_$capability" -Xptxas -v -o beside_cub ch06_scan/bench/beside_cub.cu > log 2>&1 ||
    { cat log >&2; return 1; }
}

tiles() {
  local compilers=() tiles tile compiler round registers
  tiles="128,8 128,12 192,8 256,6 256,7 256,8 256,10 256,12 320,8 384,8 512,8"
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
    echo "# command: ch06_scan/bench/measure_scans.sh --tiles FILE"
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
    return 1
  fi
}

$part
