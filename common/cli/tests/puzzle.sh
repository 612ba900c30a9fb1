#!/bin/sh
# puzzle.sh WARPWISE_CLI ROOT BUILD CHAPTER...: a puzzle of each chapter, answered wrongly, not at all, given up, and rightly;
# and what is refused. The right answer is what the puzzle says of itself when it is given up.
set -eu
warpwise=$1 root=$2 build=$3
shift 3
memory=$build/puzzles-solved
kept=$memory.of-the-test
said=$memory.said
[ ! -f "$memory" ] || mv "$memory" "$kept"  # what somebody has solved comes back at the end
restore() { rm -f "$memory" "$said"; [ ! -f "$kept" ] || mv "$kept" "$memory"; }
trap restore EXIT

fail() { echo "FAILED: $*"; cat "$said"; exit 1; }
says() { grep -Eq "$1" "$said" || fail "nothing says '$1'"; }
hides() { if grep -Eq "$1" "$said"; then fail "something says '$1'"; fi; }

for chapter; do
  "$warpwise" puzzle "$chapter" --seed 7 --anyway </dev/null >"$said" || fail "puzzle $chapter without an answer"
  says "one thing is wrong here" && says "stays unsolved" && hides "^  why" && hides "attempt"
  first=$(head -n 6 "$said")
  grep -B4 "^line and kind" "$said" | grep -q "Which line, and what kind" || fail "$chapter: the code stands below the question"
  printf '1 timeout\n\n' | "$warpwise" puzzle "$chapter" --seed 7 --anyway >"$said" || fail "puzzle $chapter given up"
  [ "$(head -n 6 "$said")" = "$first" ] || fail "$chapter: the same seed gives another puzzle"
  says "Neither" && says "^  why " && says "^  checked " && says "warpwise show $chapter --attempt "
  [ ! -f "$memory" ] || fail "$chapter: given up counts as solved"
  shown=$(sed -n '/^\(✗\|x\) /,$s/^ *\([0-9]*\) | .*/\1/p' "$said" | head -n 1)
  [ -n "$shown" ] || fail "$chapter: the answer does not repeat the line"
  answer=$(sed -n 's/^\(✗\|x\) \([a-z-]*\), line \([0-9]*\).*/\3 \2/p' "$said")
  printf '%s\n' "${answer% *}" "$answer" | "$warpwise" puzzle "$chapter" --seed 7 --anyway >"$said" ||
    fail "puzzle $chapter answered with $answer"
  says "Please name both" && says "^(✓|\+) "
  name=$(sed -n 's/^  .*warpwise show .* --attempt //p' "$said")
  grep -qx "$name" "$memory" || fail "$chapter: $name is solved, and not remembered"
  rm "$memory"
done

# Any puzzle can be looked at again, by the seed that it names.
"$warpwise" puzzle ch03 --anyway </dev/null >"$said"
again=$(sed -n 's/.*--seed \([0-9]*\)\.).*/\1/p' "$said")
first=$(cat "$said")
"$warpwise" puzzle ch03 --seed "$again" --anyway </dev/null >"$said" || fail "puzzle ch03 --seed '$again'"
[ "$(cat "$said")" = "$first" ] || fail "ch03: seed $again gives another puzzle"

# Unsolved ones first: of ch01 all are solved but the last that was shown, so that is the one.
printf '\n' | "$warpwise" puzzle ch01 --seed 7 --anyway >"$said"
open=$(sed -n 's/^  .*warpwise show .* --attempt //p' "$said")
for page in "$root"/ch01_naive/kernels/*.md; do
  sed -n "/^## Wrong attempts/,/^## Other/s/^### /$(basename "$page" .md)_/p" "$page"
done | grep -vx "$open" >"$memory"
printf '\n' | "$warpwise" puzzle ch01 --anyway >"$said"
says "show ch01 --attempt $open$"

# Only of kernels that the reader has written: here nobody has, or what is known of them is put aside.
judged=$(ls "$build"/ch0*/judged 2>/dev/null) || true
for file in $judged; do mv "$file" "$file.of-the-test"; done
status=0
"$warpwise" puzzle >"$said" 2>&1 </dev/null || status=$?
[ "$status" = 1 ] && says "write its kernel first .*run ch01.*puzzle ch01 --anyway" || fail "nothing is written: status $status"
[ "$(wc -l <"$said")" = 1 ] || fail "that nothing is written takes more than one line"
status=0
"$warpwise" puzzle ch03 --seed 7 >"$said" 2>&1 </dev/null || status=$?
for file in $judged; do mv "$file.of-the-test" "$file"; done
[ "$status" = 1 ] && says "puzzle ch03 --anyway" || fail "nothing is written, with a seed: status $status"

status=0
"$warpwise" puzzle ch09 >"$said" 2>&1 </dev/null || status=$?
[ "$status" = 2 ] && says "there is no chapter 'ch09'" || fail "an unknown chapter: status $status"
status=0
"$warpwise" puzzle ch01 --seed often >"$said" 2>&1 </dev/null || status=$?
[ "$status" = 2 ] && says "seed" || fail "a seed that is no number: status $status"
echo "all is well"
