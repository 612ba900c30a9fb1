#!/usr/bin/env bash
# interrupt.sh WARPWISE_CLI COURSE FOLDER: Ctrl-C, kill and a closed terminal in the middle of `grade` and `handout` leave
# nothing behind: no folder, no process, no half of a result.
set -euo pipefail
warpwise=$1 course=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder/class" "$folder/tmp"
warpwise=$(realpath "$warpwise") folder=$(cd "$folder" && pwd)
cd "$folder"
cp "$course/ch01_naive/solution.cu" class/ada.cu
cat >class/zoe.cu <<'END'  # takes seconds to be judged: kernels that never end
#include "kernels.hpp"
extern "C" __global__ void reduce_naive(const float*, float* out, unsigned) {
  for (volatile float* flag = out; *flag != 12345.0f;) *flag = 0;
}
extern "C" __global__ void sum_in_place(float*) { while (true) __syncthreads(); }
END
export TMPDIR=$folder/tmp
set -m  # or the shell would have what it starts ignore SIGINT

fail() { echo "FAILED: $*" && exit 1; }

# waits_for CONDITION...: until it holds, a minute at most.
waits_for() {
  for _ in $(seq 1200); do
    "$@" && return
    sleep 0.05
  done
  fail "this did not come: $*"
}
# interrupted SIGNAL CONDITION COMMAND...: the command gets the signal when the condition holds, and ends by it.
interrupted() {
  local status=0
  "${@:3}" >screen 2>errors &
  waits_for "$2"
  kill -"$1" %%
  wait %% 2>/dev/null || status=$?
  [ $status = $((128 + $(kill -l "$1"))) ] || fail "$3 ends with $status after SIG$1: $(cat errors)"
  grep -q "^warpwise: stopped" errors || fail "after SIG$1 it says: $(cat errors)"
}

sandbox=()
"$warpwise" grade class/ada.cu --one --chapter ch01 --out probe >screen 2>errors ||
  { grep -q bubblewrap errors && sandbox=(--no-sandbox); }
in_the_middle() { [ -e graded/results/ada.json ] && [ -n "$(find tmp -name exercise.ptx)" ]; }
for signal in INT TERM HUP; do
  rm -rf graded
  interrupted $signal in_the_middle "$warpwise" grade class --chapter ch01 --jobs 1 --out graded ${sandbox[@]+"${sandbox[@]}"}
  [ -z "$(ls tmp)" ] || fail "SIG$signal left $(ls tmp)"
  [ "$(ls graded/results)" = ada.json ] || fail "SIG$signal left these results: $(ls graded/results)"
done
touch before
"$warpwise" grade class --chapter ch01 --out graded --seconds 60 ${sandbox[@]+"${sandbox[@]}"} >screen
[ ! graded/results/ada.json -nt before ] || fail "what was graded before the signal was graded again"
[ -e graded/results/zoe.json ] || fail "the same command does not go on"

if ! git -C "$course" rev-parse -q --verify HEAD >/dev/null 2>&1; then
  echo "no clone: nothing to hand out; grade leaves nothing behind" && exit
fi
build=$(dirname "$(dirname "$(dirname "$(realpath "$warpwise")")")")
work_folder() { find "$build" -maxdepth 1 -name 'handout-??????'; }
[ -z "$(work_folder)" ] || fail "another handout is being made, or was left: $(work_folder)"
is_at_work() { [ -n "$(work_folder)" ]; }
interrupted INT is_at_work "$warpwise" handout "$folder/handout"
[ -z "$(work_folder)" ] || fail "handout left $(work_folder)"
[ ! -e handout ] || fail "half a handout was left"
echo "nothing is left behind"
