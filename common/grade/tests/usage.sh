#!/usr/bin/env bash
# usage.sh WARPWISE_CLI COURSE FOLDER: what cannot be graded is refused with one sentence and the status 2, and a folder of
# one submission is graded for Gradescope.
set -euo pipefail
warpwise=$1 course=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder/class" "$folder/empty" "$folder/full" "$folder/one"
cd "$folder"
cp "$course/ch01_naive/solution.cu" class/ada.cu
cp "$course/ch01_naive/solution.cu" one/mine.cu
touch full/something

fail() { echo "FAILED: $*" && exit 1; }

# refuses SENTENCE ARGUMENT...: `warpwise grade ARGUMENT...`
refuses() {
  local status=0
  "$warpwise" grade "${@:2}" >screen 2>errors || status=$?
  [ $status = 2 ] || fail "grade ${*:2} ends with $status, not 2: $(cat errors)"
  grep -qF -- "$1" errors || fail "grade ${*:2} says $(cat errors)"
  [ "$(wc -l <errors)" = 1 ] || fail "grade ${*:2} says more than a sentence: $(cat errors)"
}

sandbox=()
"$warpwise" grade class --chapter ch01 --out probe >screen 2>errors || { grep -q bubblewrap errors && sandbox=(--no-sandbox); }

refuses "which submissions?"
refuses "there is no folder $folder/nowhere" nowhere
refuses "holds no submission" empty
refuses "is not a folder; --one" class/ada.cu
refuses "there is no chapter 'ch99'" class --chapter ch99
refuses "points.json cannot be read" class --points points.json
refuses "--shard is PART/OF" class --shard 4
refuses "with --one" class --gradescope results.json
refuses "a single submission cannot be split" one --one --shard 1/2
refuses "name another folder with --out" class --chapter ch01 --out full ${sandbox[@]+"${sandbox[@]}"}
refuses "holds no results" --merge empty
echo '{"each": {"result": "two"}}' >points.json
refuses "points.json: each/result: must be a number" class --points points.json

"$warpwise" grade one --one --chapter ch01 --out out --gradescope results/results.json ${sandbox[@]+"${sandbox[@]}"} >screen 2>errors &&
  fail "a folder that is not there was written to"
mkdir results
"$warpwise" grade one --one --chapter ch01 --out out --gradescope results/results.json ${sandbox[@]+"${sandbox[@]}"} >screen
cmp -s results/results.json out/gradescope/one.json || fail "--gradescope is another file than gradescope/one.json"
grep -q '^ "score": 10,$' results/results.json || fail "Gradescope is told another score than 10"
rm -r one && mkdir one
"$warpwise" grade one --one --chapter ch01 --out out --gradescope results/results.json ${sandbox[@]+"${sandbox[@]}"} >screen && fail "nothing was graded"
grep -q '^ "score": 0,$' results/results.json && grep -q 'there is no file for ch01_naive' results/results.json ||
  fail "Gradescope is not told what is missing"

# Hidden sizes: in nothing that a student is told.
echo '{"hide": ["sizes"]}' >points.json
cp "$course/ch01_naive/exercise.cu" class/bob.cu
"$warpwise" grade class --chapter ch01 --points points.json --out hidden ${sandbox[@]+"${sandbox[@]}"} >screen
grep -q 'n = ?, block = ?: out\[?\] was never written' hidden/feedback/bob.txt || fail "bob is told $(cat hidden/feedback/bob.txt)"
for told in hidden/feedback/bob.txt hidden/feedback/ada.txt hidden/junit.xml hidden/gradescope/bob.json; do
  if grep -E '(n|block|grid) = [0-9]|1024' $told; then fail "$told tells sizes"; fi
done
grep -q 'n = 1, block = 32' hidden/results/bob.json || fail "the instructor is not told the size"
echo "refused with a sentence each; one submission is graded; hidden sizes stay hidden"
