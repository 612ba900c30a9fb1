#!/bin/sh
# predict.sh WARPWISE_CLI BUILD: guesses from a pipe: right, wrong, skipped, none; a second try; what is refused.
set -eu
warpwise=$1 build=$2
memory=$build/ch01_naive/predicted
kept=$memory.of-the-test
[ ! -f "$memory" ] || mv "$memory" "$kept"  # somebody's own guesses come back at the end
restore() { rm -f "$memory" "$memory.said"; [ ! -f "$kept" ] || mv "$kept" "$memory"; }
trap restore EXIT

fail() { echo "FAILED: $*"; cat "$memory.said"; exit 1; }
# predict ANSWERS ARGUMENT...: each blank-separated word of ANSWERS is an answer; _ is an empty line.
predict() {
  answers=$1
  shift
  for answer in $answers; do if [ "$answer" = _ ]; then echo; else echo "$answer"; fi; done |
    "$warpwise" predict "$@" >"$memory.said" 2>&1 || fail "predict $*: status $?"
}
says() { grep -Eq "$1" "$memory.said" || fail "nothing says '$1'"; }
hides() { if grep -Eq "$1" "$memory.said"; then fail "something says '$1'"; fi; }

predict "" ch01
says "How many barriers" && says "Nothing was guessed" && hides "measured +why" && hides "1 \+ 8 = 9"
[ ! -f "$memory" ] || fail "nothing was guessed, and something is remembered"

predict "8 _ many 75%" ch01 tree
says "1 +8 +9 +(✗|x) +one after the load" && says "2 +skipped" && hides "1 \+ 1 = 48" && says "'many' is not a number"
says "3 +75 +76(\.0)? +few lanes" && says "^0 of 2 right, and an estimate\. Once more" && says "predict ch01 tree"

predict "9" ch01
says "Last time you said 8" && says "1 +9 +9" && hides "What percentage of lanes" && says "^1 of 2 right"
predict "5*8+7+1" ch01
says "^2 of 2 right, and an estimate\. Next:" && says "predict ch01 in_place"
predict "" ch01 tree
says "tree is right. Once more" && says "\-\-again"
predict "9 9 9" ch01 tree --again
says "2 +9 +48 +(✗|x)" && says "^1 of 2 right"

# refused WORDS ARGUMENT...: predict ends with 2 and one line that holds WORDS.
refused() {
  words=$1 status=0
  shift
  "$warpwise" predict "$@" >"$memory.said" 2>&1 </dev/null || status=$?
  [ "$status" = 2 ] || fail "predict $*: status $status, not 2"
  grep -q "$words" "$memory.said" || fail "predict $*: does not say '$words'"
  [ "$(wc -l <"$memory.said")" = 1 ] || fail "predict $*: says more than one line"
}
refused "there is no chapter 'ch09'" ch09
refused "there is no section 'tre' in .*predict.md; did you mean tree?" ch01 tre
refused "chapter is required" --again
echo "all is well"
