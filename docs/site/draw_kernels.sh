#!/usr/bin/env bash
# Draws each kernel of each chapter's solution as `./warpwise show` does, into FOLDER/CHAPTER/KERNEL.html. Beside the pages
# lies kernels.tsv, the chapter's own list of them.
#
# Usage: docs/site/draw_kernels.sh FOLDER
set -euo pipefail
folder=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
./warpwise list >/dev/null  # sets up
for chapter in ch[0-9][0-9]_*; do
  cmake --build build --target "$chapter" --parallel "${WARPWISE_JOBS:-$(nproc)}" >/dev/null
  mkdir -p "$folder/$chapter"
  "build/$chapter/$chapter" --list >"$folder/$chapter/kernels.tsv"
  while IFS=$'\t' read -r kernel _; do
    build/common/cli/warpwise_cli show "$chapter" "$kernel" --solution \
      --output "$folder/$chapter/$kernel.html" </dev/null >/dev/null
  done <"$folder/$chapter/kernels.tsv"
done
