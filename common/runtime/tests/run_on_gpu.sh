#!/usr/bin/env bash
# Compiles every test program with plain nvcc, runs it on a real GPU, and compares what it prints with the
# comment `// output:` at its end: the same that the simulated GPU is held against.
#
# Usage: common/runtime/tests/run_on_gpu.sh [--write] [NAME...]
#   --write   write what the GPU printed into the program's comment instead
#   NAME      only these programs, without .cu
# Environment: NVCC (default nvcc), NVCC_FLAGS (default -arch=native), JOBS (default: one a processor)
set -uo pipefail

folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/programs" && pwd -P)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
write=
if [ "${1:-}" = --write ]; then
  write=yes
  shift
fi
names=("$@")
if [ ${#names[@]} = 0 ]; then
  for file in "$folder"/*.cu; do names+=("$(basename "$file" .cu)"); done
fi

# What the program NAME promises to print.
expected() { sed '1,/^\/\/ output:$/d; s,^//\(   \)\?,,' "$folder/$1.cu"; }
# promise NAME: the program promises what it printed here.
promise() {
  { sed '/^\/\/ output:$/q' "$folder/$1.cu" && sed 's,^,//   ,; s, *$,,' "$build/$1.out"; } >"$build/$1.cu" &&
    cp "$build/$1.cu" "$folder/$1.cu"
}

# shellcheck disable=SC2086  # several flags in one variable
compile() { ${NVCC:-nvcc} ${NVCC_FLAGS:--arch=native} -O3 -std=c++17 --extended-lambda -o "$build/$1" "$folder/$1.cu" >"$build/$1.log" 2>&1; }

for name in "${names[@]}"; do
  while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-$(nproc)}" ]; do wait -n; done
  compile "$name" &
done
wait

failed=0
for name in "${names[@]}"; do
  if [ ! -x "$build/$name" ]; then
    echo "$name: does not compile"
    head -n 5 "$build/$name.log"
    failed=1
    continue
  fi
  (cd "$folder" && timeout 60 "$build/$name" >"$build/$name.out" 2>"$build/$name.err")
  status=$?
  if [ -n "$write" ]; then
    promise "$name"
    echo "$name: written (exit status $status)"
  elif diff -u <(expected "$name") "$build/$name.out" >"$build/$name.diff"; then
    echo "$name: as expected (exit status $status)"
  else
    echo "$name: differs (exit status $status)"
    cat "$build/$name.diff"
    failed=1
  fi
done
exit $failed
