#!/bin/sh
# watch.sh WARPWISE_CLI CHAPTER_FOLDER FOLDER: `watch --show` draws a page, and draws it again after a save.
# CHAPTER_FOLDER is ch01's. What is saved there is a file of this test's own, which nobody compiles.
set -eu
warpwise=$1 chapter=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder"
saved=$chapter/.saved-by-$$.hpp

fail() { echo "FAILED: $*: $(cat "$folder/said.txt")"; exit 1; }

# drawn TIMES: waits until so many pages were drawn.
drawn() {
  tries=0
  until [ "$(grep -c "is drawn in" "$folder/said.txt")" -ge "$1" ]; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] && kill -0 "$watching" || fail "watch --show draws page $1"
    sleep 0.2
  done
}

"$warpwise" watch ch01 reduce_naive --solution --show -- "reduce_naive: technique" >"$folder/said.txt" 2>&1 &
watching=$!
trap 'kill $watching; rm -f "$saved"' EXIT
drawn 1
page=$(sed -n 's/.*reduce_naive is drawn in //p' "$folder/said.txt")
grep -q '"kernel":"reduce_naive"' "$page" || fail "watch --show draws the kernel that is judged"
rm "$page"
sleep 0.3  # by now it waits for a save
: >"$saved"
drawn 2
grep -q '"kernel":"reduce_naive"' "$page" || fail "watch --show draws the same page again after a save"
