#!/usr/bin/env bash
# Draws each kernel of each chapter's solution as `./warpwise show` does, into FOLDER/CHAPTER/KERNEL.html. Beside the pages
# lies kernels.json, the chapter's own list of them.
#
# Usage: docs/site/draw_kernels.sh FOLDER
set -euo pipefail
folder=$1
names='import json, sys; [print(k["name"]) for k in json.load(open(sys.argv[1]))["chapters"][0]["kernels"]]'
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
./warpwise show --help >/dev/null  # sets up, and builds what draws
for chapter in ch[0-9][0-9]_*; do
  cmake --build build --target "$chapter" --parallel "${WARPWISE_JOBS:-$(nproc)}" >/dev/null
  mkdir -p "$folder/$chapter"
  "build/$chapter/$chapter" --list >"$folder/$chapter/kernels.json"
  for kernel in $(python3 -c "$names" "$folder/$chapter/kernels.json"); do
    build/common/cli/warpwise_more show "$chapter" "$kernel" --solution \
      --output "$folder/$chapter/$kernel.html" </dev/null >/dev/null
  done
done
