#!/usr/bin/env bash
# What ./warpwise handout makes, and what it refuses: no line of a solution in any blob of the history, the solutions as
# a commit later, nothing of anybody's lost.
#
# Usage: handout.sh WARPWISE_CLI COURSE
set -euo pipefail
cli=$1 course=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@localhost GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost
fail() { echo "handout.sh: $*" >&2; exit 1; }

if ! git -C "$course" rev-parse -q --verify HEAD >/dev/null 2>&1; then
  "$cli" handout "$work/none" 2>&1 | grep -q "git finds none" || fail "no clone, and no sentence"
  echo "no clone: nothing to hand out" && exit 77
fi

# --- Lines of solutions, found without the code that is tested ---------------------------------------------------

# Without layout; the escapes of SVG, HTML and Markdown as what they mean.
squeezed() { sed -E 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/\\\|/|/g; s/&amp;/\&/g' | tr -d '[:space:]'; }
# Line by line: one blank for many, none at the ends; without comments behind code, and without the anchors of lessons.
code() {
  sed -E 's/[[:space:]]+/ /g; s/^ //; s/ $//' | grep -vE '^// \[.*\]$' | sed -E '/^\/\//!s# ?//.*##'
}
committed() { git -C "$course" show "HEAD:$1"; }

# What a student has anyway: the skeletons, and the headers beside them.
git -C "$course" ls-files 'ch*/exercise.cu' 'ch*/*.hpp' 'ch*/*.cuh' | grep -vE '/(tests|gpu|bench)/' |
  while read -r file; do committed "$file"; done | squeezed >"$work/given"
# What any kernel may have.
sed -n 's/^ *std::string_view("\(.*\)"),$/\1/p' "$course/common/course/handout/handout_solution_lines.cpp" >"$work/idioms"
[ "$(wc -l <"$work/idioms")" -ge 10 ] || fail "the idioms of handout_solution_lines.cpp were not found"

# lines_of CHAPTER...: those that are not trivial, without layout, for a student who has the solutions of $solved.
lines_of() {
  local chapter given line
  given=$(cat "$work/given" && for chapter in ${solved:-}; do committed "$chapter/solution.cu"; done | squeezed)
  for chapter in "$@"; do committed "$chapter/solution.cu"; done | code | sort -u | awk 'length >= 12' |
    grep -vxFf "$work/idioms" | tr -d ' ' |
    while IFS= read -r line; do [[ $given == *"$line"* ]] || printf '%s\n' "$line"; done
}

# every_blob REPOSITORY: all texts of its history, without layout.
every_blob() {
  git -C "$1" cat-file --batch-all-objects --batch-check='%(objectname) %(objecttype)' | awk '$2 == "blob" { print $1 }' |
    git -C "$1" cat-file --batch='' | squeezed
}
# shows REPOSITORY LINES: those of them that its history holds.
shows() { every_blob "$1" | grep -oaFf "$2" | sort -u || true; }

mapfile -t chapters < <(git -C "$course" ls-files 'ch*/solution.cu' | sed 's|/.*||')
lines_of "${chapters[@]}" >"$work/lines"
[ "$(wc -l <"$work/lines")" -ge 200 ] || fail "only $(wc -l <"$work/lines") lines of solutions to look for"

# --- Without solutions -----------------------------------------------------------------------------------------

"$cli" handout "$work/all" >"$work/said"
found=$(shows "$work/all" "$work/lines")
[ -z "$found" ] || fail "the handout's history shows lines of solutions: $found"
# The search finds what is there.
git clone -q "$work/all" "$work/leaking"
committed "${chapters[0]}/solution.cu" >"$work/leaking/${chapters[0]}/solution.cu"
git -C "$work/leaking" add -f "${chapters[0]}/solution.cu"
[ -n "$(shows "$work/leaking" "$work/lines")" ] || fail "a solution is added, and no line of it is found"

[ "$(git -C "$work/all" rev-list --all --count)" = 1 ] || fail "more than one commit"
[ -z "$(git -C "$work/all" status --porcelain --ignored)" ] || fail "files that are not committed"
for pattern in 'ch*/solution.cu' 'ch*/variants' 'common/*tests/*' common/grade common/cli/teaching docs/instructors.md; do
  [ -z "$(git -C "$work/all" ls-files -- "$pattern")" ] || fail "$pattern is handed out"
done
# What compiles a student's kernels, and how the set-up comes by it.
for file in common/compile/main.cpp common/process/process.cpp cmake/{Installation.cmake,nvrtc-wheel.txt,toolkits/13.0.txt} setup/toolkit.sh; do
  [ -f "$work/all/$file" ] || fail "$file is not handed out"
done
grep -q '>Hint 2<' "$work/all/ch01_naive/hints.md" || fail "the hints are missing"
if grep -q '>Hint 3<' "$work/all/ch01_naive/hints.md"; then fail "the last hint is handed out"; fi
grep -q '^- rejected by: ' "$work/all/ch01_naive/kernels/reduce_naive.md" || fail "the known mistakes are missing"
if grep -rq '^## Other correct solutions' "$work/all"/ch*/kernels; then fail "another correct solution is handed out"; fi
if grep -rqE '^```(diff|cuda)' "$work/all"/ch*/kernels; then fail "a difference to the solution is handed out"; fi

# What stays of the tools: predictions, and the attempts that the pages name, as modules.
[ -f "$work/all/ch01_naive/lesson/predict.md" ] || fail "the predictions are missing"
attempt=ch01_naive/attempts/reduce_naive_no_barrier_in_loop
grep -q "@ROOT@/$attempt.cu" "$work/all/$attempt.ptx" || fail "the module of $attempt names no source"
if grep -rqF "$course" "$work/all/ch01_naive/attempts"; then fail "a module names a folder of this machine"; fi
if grep -q partial "$work/all/$attempt.cu"; then fail "$attempt.cu shows a line of the solution"; fi

# Links lead somewhere.
(cd "$work/all" && git ls-files '*.md' | while read -r page; do
  folder=./$page folder=${folder%/*}
  awk '/^ *```/ { block = !block } !block' "$page" | { grep -oE '\]\([^)]+\)' || true; } |
    sed -E 's/^..//; s/\)$//; /:/d; s/#.*//; /^$/d' | while read -r target; do
    [ -e "$folder/$target" ] || echo "$page: $target"
  done
done) >"$work/dead"
[ ! -s "$work/dead" ] || fail "dead links: $(cat "$work/dead")"

# --- Some chapters, no attempts, another task -------------------------------------------------------------------

"$cli" handout "$work/some" --chapters ch03,1 --no-attempts --solutions-come 'on 1 December' >/dev/null
[ "$(cd "$work/some" && ls -d ch*/ | tr -d '/\n')" = ch01_naivech03_bank_conflicts ] || fail "other chapters than asked for"
[ -z "$(find "$work/some" -path '*/kernels/*')" ] || fail "attempts, in spite of --no-attempts"
[ -z "$(shows "$work/some" "$work/lines")" ] || fail "lines of solutions in a handout of two chapters"
grep -q 'add_subdirectory(ch01_naive)' "$work/some/CMakeLists.txt" || fail "CMakeLists.txt lacks a chapter that is there"
if grep -q 'add_subdirectory(ch02' "$work/some/CMakeLists.txt"; then fail "CMakeLists.txt names a chapter that is not there"; fi

# --- The solutions, later --------------------------------------------------------------------------------------

git clone -q "$work/some" "$work/student"
echo "// mine" >>"$work/student/ch01_naive/exercise.cu"
git -C "$work/student" commit -qam "my kernels"
echo "A word of the instructor." >>"$work/some/ch01_naive/hints.md"
if "$cli" handout "$work/some" --solutions 2>"$work/said"; then fail "changes that are not committed were overwritten"; fi
grep -q "uncommitted changes" "$work/said" || fail "no sentence about changes: $(cat "$work/said")"
git -C "$work/some" commit -qam "a word"
"$cli" handout "$work/some" --solutions --chapters ch01 >"$work/said"
grep -q "ch01_naive/hints.md was changed there" "$work/said" || fail "the instructor's own change is not mentioned"
grep -q "A word of the instructor" "$work/some/ch01_naive/hints.md" || fail "the instructor's own change is lost"
cmp <(committed ch01_naive/solution.cu) "$work/some/ch01_naive/solution.cu" || fail "another solution than the commit's"
if grep -q "comes with the solutions" "$work/some/ch01_naive/README.md"; then fail "the lesson still hides its code"; fi
[ ! -e "$work/some/ch03_bank_conflicts/solution.cu" ] || fail "a solution that was not asked for"
solved=ch01_naive lines_of ch03_bank_conflicts >"$work/lines03"
[ -z "$(shows "$work/some" "$work/lines03")" ] || fail "lines of chapter 3 came with the solutions of chapter 1"
git -C "$work/student" pull -q --no-edit --no-rebase || fail "a student cannot pull the solutions"
grep -q "// mine" "$work/student/ch01_naive/exercise.cu" || fail "the student's kernels are lost"
[ -e "$work/student/ch01_naive/solution.cu" ] || fail "no solutions after the pull"
"$cli" handout "$work/some" --solutions >/dev/null
[ -e "$work/some/ch03_bank_conflicts/solution.cu" ] || fail "the other solutions did not come"

# --- What is refused -------------------------------------------------------------------------------------------

# refused STATUS WORDS COMMAND...: ends with that status, and says the words in one sentence.
refused() {
  local status=0
  "${@:3}" >"$work/said" 2>&1 || status=$?
  [ $status = "$1" ] || fail "${*:3}: status $status and not $1: $(cat "$work/said")"
  grep -q -- "$2" "$work/said" || fail "${*:3}: does not say '$2': $(cat "$work/said")"
  [ "$(wc -l <"$work/said")" = 1 ] || fail "${*:3}: more than one sentence: $(cat "$work/said")"
}
# A leak that somebody plants, in whatever file and however it is spaced: nothing is committed then.
line='for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {'
grep -qxF "${line//[[:space:]]/}" "$work/lines03" || fail "chapter 3 has no longer the line that is planted: $line"
# planted FILE TEXT: the file is committed in a handout with the solutions of chapter 1; those of chapter 2 are refused.
planted() {
  printf '%s\n' "$2" >"$work/leaky/$1"
  git -C "$work/leaky" add -f "$1" && git -C "$work/leaky" commit -qm "$1"
  refused 1 "$1 of commit .*: line .* shows a line of ch03_bank_conflicts/solution.cu" \
    "$cli" handout "$work/leaky" --solutions --chapters ch02
  [ ! -e "$work/leaky/ch02_divergence/solution.cu" ] || fail "$1: refused, and there all the same"
  [ -z "$(git -C "$work/leaky" status --porcelain)" ] || fail "$1: refused, and something is left"
}
# forgotten: the last commit is taken back.
forgotten() { git -C "$work/leaky" reset -q --hard HEAD~1; }
"$cli" handout "$work/leaky" --chapters ch01,ch02,ch03 >/dev/null
"$cli" handout "$work/leaky" --solutions --chapters ch01 >/dev/null
planted drawn.svg '<svg><text>for (<tspan class="type">unsigned</tspan> stride =
  blockDim.x / 2; stride &gt; 0; stride /= 2) {</text></svg>'
forgotten
planted trace.json '{"source": "\tfor (unsigned stride=blockDim.x/2;\n\t\tstride\u003e0; stride /= 2) {"}'
forgotten
planted notes.md 'Try this:

+  for (unsigned stride = blockDim.x / 2;   // half of the block
+       stride > 0; /* and so on */ stride /= 2) {'
git -C "$work/leaky" rm -q notes.md && git -C "$work/leaky" commit -qm "notes.md is gone"
refused 1 "^warpwise: notes.md of commit .*, which every clone would have" \
  "$cli" handout "$work/leaky" --solutions --chapters ch02
git -C "$work/leaky" reset -q --hard HEAD~2
echo mine >"$work/leaky/mine.txt"  # neither committed nor lost
mkdir -p "$work/leaky/ch02_divergence" && echo mine >"$work/leaky/ch02_divergence/solution.cu"
refused 2 "ch02_divergence/solution.cu is in .* and is not committed" \
  "$cli" handout "$work/leaky" --solutions --chapters ch02
rm "$work/leaky/ch02_divergence/solution.cu"
"$cli" handout "$work/leaky" --solutions --chapters ch02 >/dev/null
[ "$(git -C "$work/leaky" status --porcelain)" = "?? mine.txt" ] || fail "a file that is not committed was committed, or lost"

mkdir "$work/full" && echo mine >"$work/full/file"
refused 2 "exists and is not empty" "$cli" handout "$work/full"
[ "$(ls "$work/full")" = file ] || fail "something was written to a folder that is not empty"
refused 2 "exists and is not a folder" "$cli" handout "$work/full/file"
refused 2 "there is no chapter 'ch99'" "$cli" handout "$work/new" --chapters ch01,ch99
refused 2 "is not a handout" "$cli" handout "$work/full" --solutions
refused 2 "has these solutions already" "$cli" handout "$work/some" --solutions
refused 2 "no variant" "$cli" handout "$work/new" --chapters ch01 --for github --variant 1 --checks-from a/b
refused 2 "goes with --for gradescope" "$cli" handout "$work/new" --points "$work/full/file"
refused 2 "goes with --for github" "$cli" handout "$work/new" --checks-from a/b
refused 2 "'foobar' is not OWNER/NAME" "$cli" handout "$work/new" --for github --checks-from foobar
refused 2 "is for students" "$cli" handout "$work/new" --for grading --solutions-come "on 1 December"
echo '{"chapters": {"ch01": {"reduce_naiv": {"result": 4}}}}' >"$work/points.json"
git -C "$course" diff --quiet HEAD && refused 2 "has no kernel of that name" \
  "$cli" handout "$work/new" --chapters ch01 --for gradescope --points "$work/points.json"
[ ! -e "$work/new" ] || fail "a refused handout left a folder"

# --- For grading -----------------------------------------------------------------------------------------------

"$cli" handout "$work/desk" --chapters ch06,ch07 --variant running_max --for grading >"$work/said"
grep -q "^ch07_match_any has no such variant" "$work/said" || fail "the chapter without a variant is not named"
[ -z "$(shows "$work/desk" "$work/lines" 2>/dev/null)" ] || fail "the folder for grading holds lines of solutions"
for chapter in ch06_scan ch07_match_any; do
  [ "$(grep -c '^kernel ' "$work/desk/$chapter/public_work.txt")" -ge 5 ] || fail "$chapter: who copies the public solution is not seen"
done

# --- For Gradescope and GitHub ---------------------------------------------------------------------------------

"$cli" handout "$work/gradescope" --chapters ch01,ch02 --for gradescope >/dev/null
for chapter in ch01_naive ch02_divergence; do
  mkdir -p "$work/zip/$chapter"
  unzip -q -d "$work/zip/$chapter" "$work/gradescope/$chapter.zip" 2>/dev/null ||
    python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])' \
      "$work/gradescope/$chapter.zip" "$work/zip/$chapter"
  git -C "$work/zip/$chapter" init -q && git -C "$work/zip/$chapter" add -A
  [ -z "$(shows "$work/zip/$chapter" "$work/lines")" ] || fail "the autograder of $chapter holds lines of solutions"
  grep -q -- "--chapter $chapter" "$work/zip/$chapter/run_autograder" || fail "run_autograder grades another chapter"
done
"$cli" handout "$work/github" --chapters ch01 --for github --checks-from course/warpwise >/dev/null
grep -q 'repository: "course/warpwise"' "$work/github/.github/workflows/grade.yml" || fail "the workflow has other checks"
grep -q "ref: \"$(git -C "$course" rev-parse HEAD)\"" "$work/github/.github/workflows/grade.yml" || fail "another commit"
echo "handout.sh: all is as it should; $(wc -l <"$work/lines") lines looked for"
