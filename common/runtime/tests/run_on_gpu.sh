#!/usr/bin/env bash
# Compiles every test program with plain nvcc, runs it on a real GPU, and compares what it prints with the
# comment `// output:` at its end: the same that the simulated GPU is held against.
#
# Usage: common/runtime/tests/run_on_gpu.sh [--write] [FILE...]
#   --write   write what the GPU printed into the comments instead
#   FILE      only these files, without .cu; each holds one program or several
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
files=("$@")
if [ ${#files[@]} = 0 ]; then
  for file in "$folder"/*.cu; do files+=("$(basename "$file" .cu)"); done
fi

# The programs of FILE, by their namespaces; an empty line where the file is one.
programs() { grep -oP '^}  // namespace \K[a-z0-9_]+$' "$folder/$1.cu" || echo; }
# What the program promises to print: the comment below its namespace, or at the file's end.
expected() {
  awk -v end="}  // namespace $2" '
    $0 == end || end == "}  // namespace " { mine = 1 }
    inside && !/^\/\// { exit }
    inside { sub(/^\/\/(   )?/, ""); print }
    mine && $0 == "// output:" { inside = 1 }' "$folder/$1.cu"
}
# promise FILE PROGRAM: it promises what it printed here.
promise() {
  awk -v end="}  // namespace $2" -v printed="$build/$1.$2.out" '
    $0 == end || end == "}  // namespace " { mine = 1 }
    inside && /^\/\// { next }
    { inside = 0; print }
    mine && $0 == "// output:" {
      while ((getline line < printed) > 0) { sub(" *$", "", line); print (line == "" ? "//" : "//   " line) }
      inside = 1; mine = 0; end = "none"
    }' "$folder/$1.cu" >"$build/$1.cu" && cp "$build/$1.cu" "$folder/$1.cu"
}

# shellcheck disable=SC2086  # several flags in one variable
compile() { ${NVCC:-nvcc} ${NVCC_FLAGS:--arch=native} -O3 -std=c++17 --extended-lambda -o "$build/$1" "$folder/$1.cu" >"$build/$1.log" 2>&1; }

for file in "${files[@]}"; do
  while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-$(nproc)}" ]; do wait -n; done
  compile "$file" &
done
wait

failed=0
for file in "${files[@]}"; do
  if [ ! -x "$build/$file" ]; then
    echo "$file: does not compile"
    head -n 5 "$build/$file.log"
    failed=1
    continue
  fi
  while read -r program; do
    name=${program:-$file} out=$build/$file.$program.out
    (cd "$folder" && timeout 60 "$build/$file" ${program:+"$program"} >"$out" 2>"$build/$name.err")
    status=$?
    if [ -n "$write" ]; then
      promise "$file" "$program"
      echo "$name: written (exit status $status)"
    elif diff -u <(expected "$file" "$program") "$out" >"$build/$name.diff"; then
      echo "$name: as expected (exit status $status)"
    else
      echo "$name: differs (exit status $status)"
      cat "$build/$name.diff"
      failed=1
    fi
  done < <(programs "$file")
done
exit $failed
