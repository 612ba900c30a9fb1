#!/usr/bin/env bash
# exec_interrupted.sh WARPWISE_CLI FOLDER: what `exec` has found is told while a launch goes on, and is in the report
# however the program ends; and a program of many short launches says how far it is. Exit status 1: a line for each thing
# that is not so.
set -uo pipefail
warpwise=$1 folder=$2
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 1
failed=0
fail() { echo "FAILED: $*" && failed=1; }

# The first launch is right. The second reads its bound out of bounds: poison, 3,452,816,845 rounds.
cat >endless.cu <<'CU'
__global__ void fill(int* out) { out[threadIdx.x] = 1; }
__global__ void count(const unsigned* bound, unsigned* out) {
  unsigned sum = 0;
  for (unsigned i = 0; i < bound[1]; ++i) sum += out[i % 32];
  out[threadIdx.x] = sum;
}
int main() {
  int* filled;
  unsigned *bound, *out;
  cudaMalloc(&filled, 128), cudaMalloc(&bound, 4), cudaMalloc(&out, 128);
  cudaMemset(out, 0, 128);
  fill<<<1, 32>>>(filled);
  count<<<1, 32>>>(bound, out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
CU
cat >aborts.cu <<'CU'
#include <cstdlib>
__global__ void fill(int* out) { out[threadIdx.x] = 1; }
int main() {
  int* filled;
  cudaMalloc(&filled, 128);
  fill<<<1, 32>>>(filled);
  fill<<<1, 64>>>(filled);
  abort();
}
CU

# 300 launches, each of which is over at once; the program takes 12 s.
cat >many.cu <<'CU'
#include <chrono>
#include <thread>
__global__ void fill(int* out) { out[threadIdx.x] = 1; }
int main() {
  int* filled;
  cudaMalloc(&filled, 128);
  for (int i = 0; i < 300; ++i) {
    fill<<<1, 32>>>(filled);
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
  }
}
CU
"$warpwise" exec many.cu 2>many.txt &
many=$!

launches() {  # FILE: how many launches the report has; "broken" where its end is missing
  if [ "$(tail -c 2 "$1")" = "}" ]; then grep -c '"kernel":' "$1"; else echo broken; fi
}

wait_for() {  # FILE WORDS: at most 60 s
  for ((i = 0; i < 600; ++i)); do
    grep -q "$2" "$1" 2>/dev/null && return
    sleep 0.1
  done
  fail "after 60 s $1 does not say '$2': $(cat "$1")"
}

# end_by SIGNAL WHOM STATUS LAUNCHES: WHOM is `command` (the process that was started) or `group`.
end_by() {
  local report=$1-$2.json said=$1-$2.txt status
  echo '{"launches": [{"kernel": "older"}, {"kernel": "older"}]}' >"$report"
  set -m
  "$warpwise" exec endless.cu --report "$report" 2>"$said" &
  local pid=$!
  set +m
  wait_for "$said" "out-of-bounds: thread 0 reads"
  [ "$(launches "$report")" = 1 ] || fail "$1, $2: while the second launch runs the report has $(launches "$report") launches, not 1"
  if [ "$2" = group ]; then kill "-$1" -- "-$pid"; else kill "-$1" "$pid"; fi
  wait "$pid" 2>/dev/null
  status=$?
  [ "$status" = "$3" ] || fail "$1, $2: exit status $status, not $3"
  [ "$(launches "$report")" = "$4" ] || fail "$1, $2: the report has $(launches "$report") launches, not $4"
  if [ "$4" = 2 ]; then
    grep -q '"kind": "out-of-bounds"' "$report" || fail "$1, $2: the report does not have the finding"
    grep -q "endless.cu:4: out-of-bounds: seen once, in block 0" "$said" || fail "$1, $2: no count: $(cat "$said")"
  fi
}

end_by TERM command 143 2
end_by INT group 130 2
end_by KILL group 137 1

"$warpwise" exec aborts.cu --report aborts.json >/dev/null 2>&1
[ $? = 3 ] || [ "$(launches aborts.json)" = 2 ] || fail "abort(): the report has $(launches aborts.json) launches, not 2"
wait $many || fail "300 launches end with status $?"
grep -q "^warpwise: the program has run for 1[0-9] s: [12][0-9]* launches have ended, the last one of fill" many.txt ||
  fail "300 short launches do not say how far they are: $(cat many.txt)"
sleep 0.2
for process in /proc/[0-9]*; do
  [[ "$(readlink "$process/exe" 2>/dev/null)" == *"/warpwise"*"/program"* ]] && [ "$(readlink "$process/cwd")" = "$PWD" ] &&
    fail "a program is still running: ${process#/proc/}"
done
exit $failed
