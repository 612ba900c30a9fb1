#!/usr/bin/env bash
# What a student does in a clone of a handout, without a network: look around, write a kernel, test, ask for what is not
# there, and get the solutions.
#
# Usage: student.sh WARPWISE_CLI COURSE
set -euo pipefail
cli=$1 course=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "student.sh: $*" >&2; cat "$work/said" >&2; exit 1; }
if ! git -C "$course" rev-parse -q --verify HEAD >/dev/null 2>&1; then echo "no clone: nothing to hand out" && exit 77; fi

# Without a network where this user may have namespaces; as root without more ado.
alone=(unshare --net)
[ "$(id -u)" = 0 ] || alone=(unshare --map-root-user --net)
"${alone[@]}" true 2>/dev/null || { echo "the network cannot be taken away here" >&2 && alone=(); }

"$cli" handout "$work/handout" --solutions-come "on 1 December"
git clone -q "$work/handout" "$work/clone"
cd "$work/clone"
mkdir .toolkit  # what a student's first ./warpwise downloads
for compiler in "$course"/.toolkit/nvrtc-*; do if [ -d "$compiler" ]; then ln -s "$compiler" .toolkit/; fi; done

# says WORDS STATUS COMMAND...: in the clone, by itself.
says() {
  local status=0
  "${alone[@]}" ./warpwise "${@:3}" >"$work/said" 2>&1 || status=$?
  [ $status = "$2" ] || fail "${*:3}: status $status and not $2"
  grep -q -- "$1" "$work/said" || fail "${*:3}: does not say '$1'"
}

says "ch01_naive  .* 0 of 2" 0 list
says "Your own kernels" 0 tour
says "write it   ch01_naive/exercise.cu:" 1 run ch01
says "hint 1 of 2" 0 hint ch01 reduce_naive
says "The solutions come on 1 December" 0 hint ch01 reduce_naive
says "not in this handout. The solutions come on 1 December" 1 solution ch01
says "not in this handout" 1 run ch01 --solution
says "not in this handout.*reduce_naive_no_barrier_in_loop" 1 run ch01 --attempt reduce_naive_atomics
says "race at line 16" 1 run ch01 --attempt reduce_naive_no_barrier_in_loop
if grep -q "partial\[tid\]" "$work/said"; then fail "an attempt shows a line of the solution"; fi
says "race" 0 show ch01 --attempt reduce_naive_no_barrier_in_loop --text
says "out-of-bounds at line" 1 run ch01 --attempt reduce_naive_no_guard
says "partial.tid. = in.i." 1 run ch01 --attempt reduce_naive_no_guard
printf '9\n48\n76\n' | "${alone[@]}" ./warpwise predict ch01 tree >"$work/said"
grep -q "^2 of 2 right, and an estimate" "$work/said" || fail "predict ch01 tree does not know its answers"
says "a kernel of your own with a mistake put in, so write one first" 1 puzzle ch01
says "not in this handout" 1 show ch01 --beside solution
says "this is a handout" 2 handout "$work/again"
says "this is a handout" 2 grade "$work"
says "100% tests passed" 0 test

git -C "$course" show HEAD:ch01_naive/solution.cu >ch01_naive/exercise.cu  # all kernels written
says "2 of 2 kernels are right" 0 run ch01
says "ch01_naive  .* 2 of 2" 0 list
says "Every kernel of ch01_naive is right" 0 hint ch01
says "reduce_naive" 0 show ch01 reduce_naive --text
printf '1 timeout\n\n' | "${alone[@]}" ./warpwise puzzle ch01 --seed 7 >"$work/said"
tr '\n' ' ' <"$work/said" | grep -q "It is yours, with a mistake put in" || fail "puzzle ch01 poses none of one's own"
answer=$(sed -n 's/^✗ \([a-z-]*\), line \([0-9]*\).*/\2 \1/p' "$work/said")
printf '%s\n' "$answer" | "${alone[@]}" ./warpwise puzzle ch01 --seed 7 >"$work/said"
grep -q "^✓ " "$work/said" || fail "puzzle ch01 --seed 7 is not answered by '$answer'"
says "100% tests passed" 0 test  # a skeleton that somebody has written is judged no more
# `watch` judges, and waits for the next save.
(timeout 60 "${alone[@]}" ./warpwise watch ch01 >"$work/said" 2>&1 || true) &
for _ in $(seq 60); do grep -q "save a file to run again" "$work/said" && break; sleep 1; done
grep -q "2 of 2 kernels are right" "$work/said" || fail "watch does not judge"
kill %% && wait || true
says "is the skeleton again" 0 reset ch01

"$cli" handout "$work/handout" --solutions --chapters ch01
git pull -q
says "reduce_naive .* yes" 0 tour
says "const unsigned tid" 0 solution ch01 reduce_naive
says "2 of 2 kernels are right" 0 run ch01 --solution
says "✗ reduce_naive" 1 run ch01 --attempt reduce_naive_no_barrier_in_loop
says "100% tests passed" 0 test
says "not in this handout" 1 solution ch02
echo "student.sh: all is as it should"
