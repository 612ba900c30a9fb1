#!/usr/bin/env bash
# class.sh WARPWISE_CLI WARPWISE_COURSE COURSE FOLDER COUNT: a class gets the same bytes twice, after a kill in the
# middle, and in four parts, graded in another order and merged.
set -euo pipefail
warpwise=$(realpath "$1") tool=$(realpath "$2") course=$3 folder=$4 count=$5
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$folder" && mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
"$here/make_class.sh" "$tool" "$course" "$folder/class" "$count"
echo '{"seed": 4711}' >"$folder/points.json"

fail() { echo "FAILED: $*" && exit 1; }

sandbox=()
# grade OUT OPTION...: the class; "$1" is below FOLDER.
grade() {
  local status=0
  "$warpwise" grade "$folder/class" --points "$folder/points.json" ${sandbox[@]+"${sandbox[@]}"} --out "$folder/$1" "${@:2}" \
    >"$folder/$1.screen" 2>"$folder/$1.errors" || status=$?
  [ $status = 0 ] && return
  cat "$folder/$1.errors" "$folder/$1.screen" | tail -n 5
  return $status
}
same() { diff -r --exclude shards "$folder/$1" "$folder/$2" >"$folder/$2.diff" || fail "$2 differs from $1: $(head -n 5 "$folder/$2.diff")"; }

TIMEFORMAT="$count submissions: %R s"  # bubblewrap does not hand on what processors it took
if ! time grade whole; then
  grep -q bubblewrap "$folder/whole.errors" || fail "the class could not be graded"
  echo "NO SANDBOX: there is no bubblewrap that works"
  sandbox=(--no-sandbox)
  time grade whole || fail "the class could not be graded"
fi
[ "$(ls "$folder/whole/results" | wc -l)" = "$count" ] || fail "there are not $count results"

# Killed when a third is done; the second time it goes on.
"$warpwise" grade "$folder/class" --points "$folder/points.json" ${sandbox[@]+"${sandbox[@]}"} --out "$folder/killed" --jobs 3 \
  >/dev/null 2>&1 &
grading=$!
while [ "$(ls "$folder/killed/results" 2>/dev/null | wc -l)" -lt $((count / 3)) ]; do sleep 0.1; done
kill -KILL $grading
wait $grading 2>/dev/null || true
left=$(ls "$folder/killed/results" | wc -l)
[ "$left" -lt "$count" ] || fail "it was not killed in the middle"
[ ! -e "$folder/killed/scores.csv" ] || fail "there is a table of what has not been graded"
touch "$folder/before"
grade killed
kept=$(find "$folder/killed/results" ! -newer "$folder/before" -name '*.json' | wc -l)
[ "$kept" -ge $((count / 3)) ] || fail "what was graded before the kill was graded again"
rm -f "$folder"/killed/*/*.part-*
same whole killed

for part in 3 1 4 2; do grade "part$part" --shard "$part/4" --jobs 1; done
"$warpwise" grade --merge "$folder"/part{2,4,1} --out "$folder/too_few" >/dev/null 2>"$folder/errors" && fail "merged without a part"
grep -q 'these are missing: 3' "$folder/errors" || fail "which part is missing is not said"
"$warpwise" grade --merge "$folder"/part{2,4,1,3} --out "$folder/merged" >"$folder/merged.screen"
same whole merged

# No path of this machine is in what students are told.
if grep -rlF -e "$course" -e "${TMPDIR:-/tmp}/" "$folder/whole/feedback" "$folder/whole/results"; then fail "paths are told"; fi

# Other points need another folder.
echo '{"seed": 1}' >"$folder/points.json"
grade whole >/dev/null && fail "other points went into the same folder"
grep -q 'graded differently' "$folder/whole.errors" || fail "why is not said"

# What is right and what is wrong was told apart.
awk -F, 'NR > 1 && $2 > 0 { ++some } NR > 1 && $2 == 0 { ++none } END { exit !(some > 0 && none > 0) }' \
  "$folder/whole/scores.csv" || fail "all have points, or nobody has"
echo "the same bytes after a kill (with $left of $count done), and in four parts"
