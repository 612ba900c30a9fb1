#!/bin/sh
# uses.sh WARPWISE_CLI ROOT: the program of docs/uses.md runs without a finding, is right by its own judgement, and prints
# what the page shows.
set -eu
warpwise=$1 root=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$root"
"$warpwise" exec examples/softmax.cu --report "$folder/report.json" >"$folder/printed.txt"
grep -q '"findings":\[\]' "$folder/report.json" || { echo "FAILED: no launch without findings"; exit 1; }
if grep -q '"findings":\[{' "$folder/report.json"; then echo "FAILED: a finding"; exit 1; fi
sed -n '/^\$ \.\/warpwise exec examples\/softmax.cu$/,/^```$/p' docs/uses.md | sed '1d;$d' >"$folder/shown.txt"
diff "$folder/shown.txt" "$folder/printed.txt" || { echo "FAILED: docs/uses.md shows something else"; exit 1; }
echo "all is well"
