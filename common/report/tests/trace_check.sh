#!/bin/sh
# trace_check.sh CHAPTER MODULE.ptx TRACE_CHECK FILE.json [KERNEL...]: records every kernel of the module, small and
# under another schedule once more, and holds the traces against their reports.
set -eu
chapter=$1 module=$2 check=$3 file=$4
shift 4
for schedule in converged split:3; do
  "$chapter" "$module" --device sim --no-checks --block 64 --schedule "$schedule" --trace "$file"
  "$check" "$file" "$@"
done
