#!/usr/bin/env bash
# docs/results/measure.sh OUT [checks|counters|sanitizer|programs ...]: what a GPU says of this project.
#
#   checks     every chapter's solution: its checks on the simulated and on the real GPU, its counters, its times (needs
#              python3)
#   counters   the simulator's counters beside the hardware's, for one launch of each kernel (needs ncu, python3)
#   sanitizer  the same checks, kernel by kernel, under compute-sanitizer, all four tools
#   programs   the chapters' own GPU programs (beside CUB) and the runtime's test programs
#
# Without a word after OUT: all four. Writes a text file each under OUT, whose first lines name GPU and command.
# Needs nvcc, CMake, Ninja, Catch2, nlohmann-json and a GPU; no network. Exit status: 1 if anything was wrong.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
out=${1:?usage: measure.sh OUT [checks|counters|sanitizer|programs ...]}
shift
parts=${*:-checks counters sanitizer programs}
mkdir -p "$out"
out=$(cd "$out" && pwd -P)
build=${WARPWISE_MEASURE_BUILD:-$(mktemp -d)}
failed=0

# heading COMMAND: the first lines of every file
heading() {
  echo "# GPU: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)"
  echo "# nvcc: $(nvcc --version | grep -o 'V[0-9][0-9.]*' | head -1)"
  echo "# command: $*"
  echo
}

cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWARPWISE_CLI=OFF -DWARPWISE_TESTS=OFF \
  -DWARPWISE_WERROR=OFF >"$build.log" 2>&1
ninja -k 0 -C "$build" tour >>"$build.log" 2>&1 ||
  { grep -E -A5 'error|FAILED' "$build.log" | head -n 40 >&2; echo "measure.sh: not everything was built" >&2; failed=1; }

chapters=
for folder in "$root"/ch0*; do
  if [ -x "$build/$(basename "$folder")/$(basename "$folder")" ]; then chapters+=" $(basename "$folder")"; fi
done

checks() {
  local chapter status reports=()
  for chapter in $chapters; do
    reports+=("$build.$chapter.report")
    {
      heading "build/$chapter/$chapter build/$chapter/solution.ptx --device gpu"
      (cd "$root" && "$build/$chapter/$chapter" "$build/$chapter/solution.ptx" --device gpu \
        --report "$build.$chapter.report")
      status=$?
      [ $status = 0 ] || failed=1
    } >"$out/$chapter.txt" 2>&1
    echo "$chapter: exit status $status"
  done
  [ ! -f "$out/bench.json" ] || reports+=("$out/bench.json")  # of `./warpwise bench --solution --json`, on this machine
  python3 "$root/docs/results/times.py" "${reports[@]}" >"$out/times.json" || failed=1
}

# With 2^15 elements, so that kernels which size their grid from the device have the same grid on both. '[safety]':
# these checks run on the simulated GPU only, so on the real one there is nothing but the launches to be counted.
counters() {
  local chapter metrics ncu
  ncu=$(command -v ncu || ls -d /usr/local/cuda/bin/ncu /opt/nvidia/nsight-compute/*/ncu 2>/dev/null | tail -n 1)
  [ -n "$ncu" ] || { echo "measure.sh: ncu (Nsight Compute) is not here" >&2; failed=1; return; }
  metrics=$(python3 "$root/docs/results/counters.py" --metrics)
  {
    heading "ncu --csv --page raw --metrics ... build/CHAPTER/CHAPTER build/CHAPTER/solution.ptx --device gpu" \
      "--n 32768 -- '[safety]'  (docs/results/counters.py puts both side by side)"
    printf 'chapter\tkernel\tcounter\tsimulated\thardware\t\n'
    for chapter in $chapters; do
      (cd "$root" && "$ncu" --clock-control none --metrics "$metrics" --csv --page raw --print-units base \
        --launch-count 1 --filter-mode per-launch-config \
        "$build/$chapter/$chapter" "$build/$chapter/solution.ptx" --device gpu --n 32768 \
        --report "$build.$chapter.report" '[safety]') >"$build.$chapter.ncu" 2>&1
      python3 "$root/docs/results/counters.py" "$build.$chapter.report" "$build.$chapter.ncu" || failed=1
    done
  } >"$out/counters.tsv" 2>"$build.counters.errors"
  cat "$build.counters.errors" >&2
  cut -f 6 "$out/counters.tsv" | grep -E '^(=|differs|by chance)' | sort | uniq -c
  grep 'differs' "$out/counters.tsv"
}

# one_sanitizer CHAPTER KERNEL TOOL: a line `chapter kernel tool summary` and, where there is more to say, that.
# With 2^16 elements: what is timed elsewhere is only looked at here. --padding: an array may be as long as the
# memory that cudaMalloc cuts for it, and the next one begins where it ends. Who runs past it writes there, unseen.
one_sanitizer() {
  local chapter=$1 kernel=$2 tool=$3 log="$build.$1.$2.$3" status padding=
  [ "$tool" = memcheck ] && padding="--padding 64"
  # shellcheck disable=SC2086  # nothing, or an option and its value
  (cd "$root" && timeout "${WARPWISE_SANITIZER_SECONDS:-300}" compute-sanitizer --tool "$tool" $padding \
    --error-exitcode 9 \
    "$build/$chapter/$chapter" "$build/$chapter/solution.ptx" --device gpu --kernel "$kernel" --n 65536) >"$log" 2>&1
  status=$?
  {
    printf '%-20s %-28s %-10s' "$chapter" "$kernel" "$tool"
    case $status in
      0) grep -aoE '(ERROR|RACECHECK) SUMMARY.*' "$log" | tail -n 1 ;;
      124) echo "did not end in ${WARPWISE_SANITIZER_SECONDS:-300} s" ;;
      *) echo "exit status $status: $(grep -aoE '(ERROR|RACECHECK) SUMMARY.*' "$log" | tail -n 1)"
         grep -aE '^=========|✗|^error' "$log" | grep -avE 'COMPUTE-SANITIZER|SUMMARY' | head -n 12 ;;
    esac
  } >"$log.line"
}

sanitizer() {
  local chapter kernel tool
  export -f one_sanitizer
  export root build
  rm -f "$build".*.line
  for chapter in $chapters; do
    for kernel in $("$build/$chapter/$chapter" --list |
        python3 -c 'import json, sys; [print(k["name"]) for k in json.load(sys.stdin)["chapters"][0]["kernels"]]'); do
      for tool in memcheck racecheck initcheck synccheck; do echo "$chapter $kernel $tool"; done
    done
  done | xargs -P "${WARPWISE_SANITIZER_JOBS:-6}" -L 1 bash -c 'one_sanitizer "$@"' sanitizer
  {
    heading "compute-sanitizer --tool TOOL build/CHAPTER/CHAPTER build/CHAPTER/solution.ptx --device gpu" \
      "--kernel KERNEL --n 65536  (memcheck with --padding 64)"
    cat "$build".*.line
  } >"$out/compute_sanitizer.txt"
  echo "$(cat "$build".*.line | grep -cE ' 0 (errors|hazards)') of $(ls "$build".*.line | wc -l) runs without an error"
  grep -vE '^#|^$| 0 (errors|hazards)' "$out/compute_sanitizer.txt" && failed=1
}

runtime_programs() {
  if [ -x "$root/common/runtime/tests/run_on_gpu.sh" ]; then
    { heading common/runtime/tests/run_on_gpu.sh; bash "$root/common/runtime/tests/run_on_gpu.sh" || failed=1; } \
      >"$out/runtime_programs.txt" 2>&1
    tail -n 40 "$out/runtime_programs.txt"
  fi
}

chapter_programs() {
  local script
  if ninja -C "$build" ch05_beside_cub >>"$build.log" 2>&1; then
    { heading "build/ch05_shuffle/bench/beside_cub"; "$build/ch05_shuffle/bench/beside_cub" || failed=1; } \
      >"$out/ch05_beside_cub.txt" 2>&1
    cat "$out/ch05_beside_cub.txt"
  fi
  for script in "$root"/ch0*/bench/measure_*.sh; do
    bash "$script" "$out/$(basename "$(dirname "$(dirname "$script")")")_gpu.txt" >"$build.script" 2>&1 || failed=1
    head -n 40 "$build.script"
  done
}

programs() {
  chapter_programs
  runtime_programs
}

for part in $parts; do $part; done
exit $failed
