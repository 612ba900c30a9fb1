#!/usr/bin/env bash
# variant.sh WARPWISE_CLI WARPWISE_COURSE COURSE FOLDER CHAPTERS SEED: `handout --for grading` makes a folder in which
# ./warpwise grade judges by variants: their own solutions get all points, and the public ones none for what they change.
set -euo pipefail
warpwise=$(realpath "$1") tool=$(realpath "$2") course=$3 folder=$4 chapters=$5 seed=$6
rm -rf "$folder" && mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
desk=$folder/desk
fail() { echo "FAILED: $*" && exit 1; }

"$warpwise" handout "$desk" --chapters "$chapters" --variant "$seed" --for grading >"$folder/said"
mapfile -t variants < <(sed -n 's/^Variant of //p' "$folder/said")
[ ${#variants[@]} -gt 0 ] || fail "no chapter has a variant: $(cat "$folder/said")"
[ -z "$(find "$desk"/ch* -name solution.cu)" ] || fail "a solution is in it"
for variant in "${variants[@]}"; do
  chapter=${variant%:*} page=variants/${variant#*: }.md
  (cd "$course" && "$tool" variant "$chapter" "$chapter/$page" "$folder/made/$chapter")
  mkdir -p "$desk/class"/{right,public}"/$chapter"
  cp "$folder/made/$chapter/solution.cu" "$desk/class/right/$chapter/exercise.cu"
  cp "$course/$chapter/solution.cu" "$desk/class/public/$chapter/exercise.cu"
done

cd "$desk"
sandbox=()
grade() { ./warpwise grade class --out graded ${sandbox[@]+"${sandbox[@]}"} >"$folder/screen" 2>"$folder/errors"; }
if ! grade; then
  grep -q bubblewrap "$folder/errors" || fail "the class cannot be graded: $(cat "$folder/errors" "$folder/screen")"
  sandbox=(--no-sandbox)
  grade || fail "the class cannot be graded: $(cat "$folder/errors" "$folder/screen")"
fi

# cell NAME COLUMN: of scores.csv.
cell() {
  awk -F, -v name="$1" -v column="$2" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == column) at = i }
    $1 == name && at { print $at }' graded/scores.csv
}
[ "$(cell right points)" = "$(cell right most)" ] || fail "its own solution has $(cell right points) of $(cell right most) points"
while read -r _ _ _ kernel aspect _; do
  [ "$(cell public "${kernel%:} ${aspect%:}")" = 0 ] || fail "the public ${kernel%:} has points for its ${aspect%:}"
done < <(head -qn 1 "$folder"/made/*/public/*.cu)
printf '%s; ' "${variants[@]}"
echo "its own solution has $(cell right points) points of $(cell right most), the public one $(cell public points)"
