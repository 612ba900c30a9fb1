#!/bin/sh
# plain_cases.sh PLAIN_CASES CASES_WITHOUT_KERNEL MODULE.ptx FOLDER: what becomes of test cases of Catch2, and of its options.
set -eu
plain=$1 without_kernel=$2 module=$3 folder=$4
rm -rf "$folder" && mkdir -p "$folder"

fail() { echo "FAILED: $*"; cat "$folder/said.txt"; exit 1; }
judge() { status=0; "$plain" "$module" --device sim "$@" >"$folder/said.txt" 2>&1 || status=$?; }
says() { grep -qF -- "$1" "$folder/said.txt" || fail "it does not say: $1"; }

# The screen and the report of what they find.
judge --verbose --report "$folder/report.json"
[ $status = 1 ] || fail "a case that fails is a check that fails: $status"
says "✗ sums_by_tree"
for plain_check in "n = 10, block = 32, in a section: sums of ones, wrongly expected: expected sum(out.download()) == 20, got" \
  '"block = 32: a number, wrongly expected: expected out.download()[0] == 5, got 2 == 5"'; do
  grep -qF "$plain_check" "$folder/report.json" || fail "a CHECK without a matcher: $plain_check"
done
says "out-of-bounds"
says "a check that launches must compare"
[ "$(grep -o '"test": *"a deadlock, met once"' "$folder/report.json" | wc -l)" = 1 ] || fail "the deadlock is met once"
grep -q '"test": *"sums of ones, wrongly expected"' "$folder/report.json" || fail "the report has the case's name"
grep -q "under the schedule split:3: wrong orders: 1, at most 0" "$folder/report.json" || fail "the order is told"
grep -q "schedule split:2: last orders: 1, at most 0" "$folder/report.json" || fail "every_order() tells the order"
for passed in "after the last order" "few launches in another"; do
  grep -q "\"test\": *\"$passed" "$folder/report.json" && fail "it passes: $passed"
done
writes=$(grep -c '"share": *"writes results"' "$folder/report.json")
[ "$writes" = 1 ] || fail "what writes the wrong result of a matcher, and of nothing else: $writes lines"
[ "$(grep -c '"out_of_memory": *true' "$folder/report.json")" = 1 ] || fail "a bad_alloc is no memory left, other exceptions are not"
grep -q "much is not tried" "$folder/report.json" && fail "a large array ends another order"
says "no such element"
grep -q 'is 2, expected 3' "$folder/report.json" && fail "a finding says more than the wrong result before it"

# Filters and another order: each case by itself says the same.
judge "[sums_by_tree]" --report "$folder/one.json"
says "✓ result"
judge --order rand --rng-seed 7 --report "$folder/random.json"
for file in report random; do
  grep -o '"message": *"[^"]*"' "$folder/$file.json" | sort >"$folder/$file.txt"
done
cmp "$folder/report.txt" "$folder/random.txt" || fail "no case depends on another"

# The aspects of one kernel are judged side by side, and say what one process says; also where it is endless.
for kernel in sums_by_tree twice polls_for_ever; do
  judge --kernel $kernel --verbose
  mv "$folder/said.txt" "$folder/side_by_side.txt"
  judge --kernel $kernel --verbose --threads 1
  cmp "$folder/said.txt" "$folder/side_by_side.txt" || fail "$kernel is judged otherwise side by side"
done

# Catch2's own options.
"$plain" --list-tests >"$folder/said.txt" || fail "--list-tests needs no module"
says "a deadlock, met once"
judge -r junit "sums of ones*"
[ $status = 1 ] || fail "JUnit's status is $status"
head -1 "$folder/said.txt" | grep -q '^<?xml' && tail -1 "$folder/said.txt" | grep -q '</testsuites>' || fail "no JUnit alone"
grep -q 'failures="1"' "$folder/said.txt" || fail "generators end after the first failure"
judge --success "sums of ones"
says "PASSED:"
[ $status = 0 ] || fail "--success ends with $status"
judge "no such case" && [ $status = 2 ] || fail "a name without a case is wrong usage: $status"
judge --sucess && [ $status = 2 ] || fail "an option that there is not is wrong usage: $status"

status=0
"$without_kernel" "$module" --device sim >"$folder/said.txt" 2>&1 || status=$?
[ $status = 3 ] || fail "a case of no kernel: $status"
says "the tags of the test case 'of no kernel' name no kernel: behind its name there must be [twice] or [sums_by_tree]"
