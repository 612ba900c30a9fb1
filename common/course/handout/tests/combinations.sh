#!/usr/bin/env bash
# The solutions of some chapters show nothing of the others': each chapter alone, and ten combinations. What is handed
# out is searched without the code that is tested.
#
# Usage: combinations.sh WARPWISE_CLI COURSE
set -euo pipefail
cli=$1 course=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "combinations.sh: $*" >&2; exit 1; }
if ! git -C "$course" rev-parse -q --verify HEAD >/dev/null 2>&1; then echo "no clone: nothing to hand out" && exit 77; fi
. "$(dirname "$0")/leaks.sh"

mapfile -t chapters < <(git -C "$course" ls-files 'ch*/solution.cu' | sed 's|/.*||')
"$cli" handout "$work/none" >/dev/null

# searched REPOSITORY SOLVED: of the chapters that are not solved no line is there.
searched() {
  local held_back=() chapter
  for chapter in "${chapters[@]}"; do [[ " $2 " = *" $chapter "* ]] || held_back+=("$chapter"); done
  solved=$2 lines_of "${held_back[@]}" >"$work/lines"
  [ -s "$work/lines" ] || fail "with the solutions of $2 there is no line to look for"
  found=$(shows "$1" "$work/lines")
  [ -z "$found" ] || fail "the solutions of $2 came with lines of others: $found"
}

# step_by_step NUMBER...: the solutions of these chapters, one commit after the other; searched after each.
step_by_step() {
  local solved="" chapter
  rm -rf "$work/some" && cp -r "$work/none" "$work/some"
  for number in "$@"; do
    chapter=${chapters[$number - 1]}
    "$cli" handout "$work/some" --solutions --chapters "$chapter" >/dev/null
    cmp -s <(committed "$chapter/solution.cu") "$work/some/$chapter/solution.cu" || fail "no solution of $chapter"
    solved="$solved $chapter"
    searched "$work/some" "$solved"
  done
}
step_by_step 1 2 3 4
step_by_step 2 7 5
step_by_step 3 1
step_by_step 4 6 2
step_by_step 5 4
step_by_step 6 7
step_by_step 7
echo "combinations.sh: every chapter alone, and ten combinations"
