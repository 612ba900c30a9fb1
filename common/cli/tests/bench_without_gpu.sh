#!/usr/bin/env bash
# bench_without_gpu.sh WARPWISE_CLI: `bench` and `profile` on a machine without a GPU say so in one sentence, name what
# the simulated GPU can do instead, and exit with status 1; so does `run --device gpu`. Status 77 (skipped) where there
# is a driver.
set -uo pipefail
if [[ $(ldconfig -p) == *libcuda.so.1* ]]; then exit 77; fi

# expect COMMAND WORDS
expect() {
  local output status
  output=$("$cli" "$1" 2>&1)
  status=$?
  if [ $status = 1 ] && [ "$(wc -l <<<"$output")" = 1 ] && grep -q "no GPU.*$2" <<<"$output"; then return; fi
  printf '%s, exit status %s:\n%s\n' "$1" "$status" "$output"
  exit 1
}

cli=$1
expect bench 'bench --simulator'
expect profile 'run CHAPTER --lines'
output=$("$cli" run ch01 --device gpu 2>&1)
status=$?
if [ $status != 1 ] || ! grep -q -- '--device gpu: ' <<<"$output"; then
  printf 'run --device gpu: exit status %s:\n%s\n' "$status" "$output"
  exit 1
fi
