#!/usr/bin/env bash
# bench_without_gpu.sh WARPWISE_CLI: `bench` on a machine without a GPU says so in one sentence, names
# --simulator and exits with status 1, and so does `run --device gpu`. Status 77 (skipped) where there is a driver.
set -uo pipefail
if ldconfig -p | grep -q 'libcuda\.so\.1'; then exit 77; fi
output=$("$1" bench 2>&1)
status=$?
if [ $status != 1 ] || [ "$(wc -l <<<"$output")" != 1 ] || ! grep -q 'no GPU.*bench --simulator' <<<"$output"; then
  printf 'exit status %s:\n%s\n' "$status" "$output"
  exit 1
fi
output=$("$1" run ch01 --device gpu 2>&1)
status=$?
if [ $status != 1 ] || ! grep -q -- '--device gpu: ' <<<"$output"; then
  printf 'run --device gpu: exit status %s:\n%s\n' "$status" "$output"
  exit 1
fi
