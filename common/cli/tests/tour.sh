#!/bin/sh
# tour.sh WARPWISE_CLI FOLDER: the tour finds every solution right, gives no number away that a lesson asks for, and compares
# each step with another.
set -eu
warpwise=$1 folder=$2
mkdir -p "$folder"

fail() { echo "FAILED: $*"; cat "$folder/said.txt"; exit 1; }

"$warpwise" tour --device sim --n 65536 --report "$folder/report.json" >"$folder/said.txt"
steps=$(grep -o '"step": *true' "$folder/report.json" | wc -l)
bases=$(grep -c '^      compared with ' "$folder/said.txt")
[ "$steps" -gt 5 ] && [ "$bases" = "$((steps - 1))" ] || fail "$bases of $steps steps are compared with the one they come from"
# divergent branches of chapters 1 and 2, wavefronts of chapters 1, 3 and 3, bank conflicts of chapter 2
for number in "12 288" "1 536" "38 400" "11 520" "5 760" "26 880"; do
  if grep -q "$number" "$folder/said.txt"; then fail "the tour gives $number away"; fi
done
grep -q "^  reduce_naive  *2^16  *yes " "$folder/said.txt" || fail "the table has no row of reduce_naive"
if LC_ALL=C.UTF-8 grep -nE '^.{81,}' "$folder/said.txt"; then fail "wider than 80 columns"; fi

"$warpwise" tour --device sim --n 65536 --counters >"$folder/said.txt"
grep -q "chapters as judged before: nothing has changed" "$folder/said.txt" || fail "all is judged again"
grep -q "^  reduce_naive .* 12 288 .* 38 400 " "$folder/said.txt" || fail "--counters shows no counters"
echo "all is well"
