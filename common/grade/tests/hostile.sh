#!/usr/bin/env bash
# hostile.sh WARPWISE_CLI COURSE FOLDER: submissions that attack the grader earn what they say, write nowhere, see nothing
# and stop nobody. Where there is no sandbox, those that only it holds are left out.
#
# hostile_source.md and hostile_kernels.md have them, and say what must come of each.
# What cannot be kept as a file (links, pipes, names, sizes) is made here.
set -euo pipefail
warpwise=$1 course=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder/class"
folder=$(cd "$folder" && pwd)
class=$folder/class out=$folder/graded
failures=0

fail() { echo "FAILED: $*" && failures=$((failures + 1)); }

# --- What the pages say ------------------------------------------------------------------------------------
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pages=("$tests/hostile_source.md" "$tests/hostile_kernels.md")

# Of all submissions, a line each; fails where there is none, or one does not say what it earns, or says what is not known.
names_on_pages() {
  local name names
  names=$(sed -n 's/^## //p' "${pages[@]}")
  [ -n "$names" ] || { echo "no submission in ${pages[*]}" >&2 && return 1; }
  for name in $names; do
    if section_of "$name" | sed '/^```/,$d' | grep -vE '^(- (hostile|earns|told|in the sandbox): .+)?$' >&2; then
      echo "${pages[*]}: $name says what nobody reads" >&2 && return 1
    fi
    [ -n "$(word_of "$name" earns)" ] || { echo "${pages[*]}: $name earns nothing, not even 0" >&2 && return 1; }
  done
  echo "$names"
}

# The lines below a name, up to the next one or the end of the page.
section_of() {
  awk -v name="$1" 'FNR == 1 { here = 0 } /^## / { here = $2 == name; next } here' "${pages[@]}"
}

code_of() {
  local code
  code=$(section_of "$1" | sed '1,/^```cuda$/d; /^```$/,$d')
  [ -n "$code" ] || { echo "${pages[*]}: no code of $1" >&2 && return 1; }
  printf '%s\n' "$code"
}

# word_of NAME KEY: what `- KEY: ...` says; nothing where it is not said.
word_of() { section_of "$1" | sed -n "/^\`\`\`/,\$d; s/^- $2: //p"; }

# --- What is handed in -----------------------------------------------------------------------------------
solution=$course/ch01_naive/solution.cu
secret="int warpwise_secret_$$;"
echo "$secret" >"$folder/secret.hpp"

# The whole solution, or one kernel of it.
solution_text() {
  if [ -z "${1:-}" ]; then
    sed -n '/^#include "kernels.hpp"/,$p' "$solution"
  else
    sed -n "/^extern \"C\" __global__ void $1(/,/^}/p" "$solution"
  fi
}

# expand: standard input, with what stands for something else put in.
expand() {
  local line
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      "//@ solution of "*) solution_text "${line#"//@ solution of "}" ;;
      "//@ solution") solution_text ;;
      *)
        line=${line//SECRET_PATH/"$folder"/secret.hpp} line=${line//COURSE_PATH/"$course"}
        line=${line//CLASS_PATH/"$class"} line=${line//HOSTILE_MARK/"$folder"/mark}
        line=${line//BYTE_ORDER_MARK/$'\xef\xbb\xbf'} line=${line//RIGHT_TO_LEFT/$'\xe2\x80\xae'}
        line=${line//END_OF_DIRECTION/$'\xe2\x80\xac'}
        line=${line//ESCAPE/$'\e'} line=${line//BELL/$'\a'}
        printf '%s\n' "$line"
        ;;
    esac
  done
}

names_on_page=$(names_on_pages)
for name in $names_on_page; do code_of "$name" | expand >"$class/$name.cu"; done
grep -q $'\xe2\x80\xae' "$class/right_to_left.cu" || fail "the direction of writing is not turned in what is handed in"

# --- What is no file of text -----------------------------------------------------------------------------
cp "$solution" "$class/right.cu"
ln -s "$solution" "$class/link_to_solution.cu"
ln -s /etc/passwd "$class/link_to_passwd.cu"
ln -s "$course/ch01_naive" "$class/link_to_folder"
mkdir "$class/link_inside" && ln -s "$solution" "$class/link_inside/exercise.cu"
mkfifo "$class/pipe.cu"
mkdir "$class/pipe_inside" && mkfifo "$class/pipe_inside/exercise.cu"
mkdir "$class/folder_called.cu" "$class/empty"
head -c 100000 /bin/sh >"$class/binary.cu"
truncate -s 2G "$class/sparse.cu"
printf '\xff\xfe/\0/\0' >"$class/utf16.cu"
head -c 60000 /dev/zero | tr '\0' '(' >"$class/parentheses.cu"
{ solution_text && head -c 200000 /dev/zero | tr '\0' '{'; } >"$class/braces.cu"
{ solution_text && for i in $(seq 1000); do echo "extern \"C\" __global__ void k$i(float* x) { x[$i] = $i; }"; done; } \
  >"$class/thousand_kernels.cu"
{ solution_text && seq 1000 | sed 's|.*|// TODO __global__ void reduce_naive() {|'; } >"$class/todo_comments.cu"
mkdir -p "$class/deep$(printf '/d%.0s' $(seq 200))" && cp "$solution" "$class/deep$(printf '/d%.0s' $(seq 200))/"
mkdir "$class/crowd" && (cd "$class/crowd" && touch $(seq -f 'f%g.txt' 3000)) && cp "$solution" "$class/crowd/ch01.cu"
mkdir "$class/two_files" && cp "$solution" "$class/two_files/a.cu" && cp "$solution" "$class/two_files/b.cu"
ungraded="link_to_solution link_to_passwd link_to_folder link_inside pipe pipe_inside folder_called.cu empty binary sparse
          utf16 deep two_files braces"

# Names, each of a right solution.
names=('a
b' 'quotes"and'"'" '$(touch mark)' '`touch mark`;touch mark' '<b>&amp;' '=1+1' '-rf' '--out' ' ' 'ünï' $'\xff\xfe' $'\e[2J' "$(printf 'x%.0s' $(seq 250))" '%00' 'CON' 'a..b')
for name in "${names[@]}"; do solution_text >"$class/$name.cu"; done

# --- Graded ----------------------------------------------------------------------------------------------
sandboxed=yes
options=(--chapter ch01 --points "$folder/points.json" --seconds 5 --memory 2048)
echo '{"seed": 20261}' >"$folder/points.json"
cd "$folder"
listing() { find "$class" -printf '%P %y %s %m %l %t\n' | sort; }
listing >"$folder/class_before"
status=0
"$warpwise" grade "$class" "${options[@]}" --out "$out" >"$folder/screen" 2>"$folder/errors" || status=$?
if [ "$status" = 2 ] && grep -q bubblewrap "$folder/errors"; then
  cat "$folder/errors"
  echo "NO SANDBOX: what only the sandbox holds is left out"
  sandboxed=no status=0
  "$warpwise" grade "$class" "${options[@]}" --out "$out" --no-sandbox >"$folder/screen" 2>"$folder/errors" || status=$?
fi
[ "$status" = 1 ] || { cat "$folder/errors" && fail "grade ends with $status, not 1"; }

# value NAME MEMBER: of a result.
value() { sed -n "s/^ \"$2\": \([0-9.]*\),\$/\1/p" "$out/results/$1.json"; }

for name in $names_on_page; do
  if [ $sandboxed = no ] && [ "$(word_of "$name" "in the sandbox")" = yes ]; then continue; fi
  [ -f "$out/results/$name.json" ] || { fail "$name: no result" && continue; }
  wanted=$(word_of "$name" earns)
  [ "$(value "$name" points)" = "$wanted" ] || fail "$name earns $(value "$name" points), not $wanted"
  told=$(word_of "$name" told)
  grep -qF -- "$told" "$out/feedback/$name.txt" || fail "$name is not told '$told'"
done
for name in $ungraded; do
  [ "$(value "$name" points)" = 0 ] || fail "$name earns $(value "$name" points)"
  grep -q '"problem": "[^"]' "$out/results/$name.json" || fail "$name: why it could not be graded is not said"
done
for name in right thousand_kernels todo_comments crowd; do
  [ "$(value $name points)" = 10 ] || fail "$name earns $(value $name points), not 10"
done
[ "$(value parentheses points)" = 0 ] || fail "parentheses earns points"
# Without a sandbox an #include of the solution is a solution.
right=$(grep -l '^ "points": 10,$' "$out"/results/* | wc -l)
[ $sandboxed = no ] || [ "$right" = $((${#names[@]} + 5)) ] || fail "$right results have all points, not $((${#names[@]} + 5))"

# --- Nobody has seen, written or shown anything ----------------------------------------------------------
mark=$(find "$folder" -name 'mark*' | head -n 1)
[ -z "$mark" ] || fail "something was executed: $mark"
listing | cmp -s - "$folder/class_before" || fail "the submissions are not as they were"
if [ $sandboxed = yes ] && grep -rqaF "${secret%;}" "$out" "$folder/screen"; then fail "the secret was seen"; fi
if grep -rqa 'root:x:0' "$out" "$folder/screen"; then fail "/etc/passwd was seen"; fi
if grep -rqaP '[\x00-\x08\x0b-\x1f\x7f]' "$out" "$folder/screen"; then
  fail "control characters: $(grep -rlaP '[\x00-\x08\x0b-\x1f\x7f]' "$out" "$folder/screen" | head -n 3)"
fi
if grep -rqa $'\xe2\x80\xae' "$out" "$folder/screen"; then fail "the direction of writing is turned"; fi
largest=$(find "$out" -type f -size +300k | head -n 1)
[ -z "$largest" ] || fail "$largest is large"
left=$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'warpwise-??????' -newer "$folder/points.json" 2>/dev/null | head -n 1)
[ -z "$left" ] || echo "note: $left is there; another run may be under way"

[ $failures = 0 ] && echo "$(ls "$class" | wc -l) submissions, sandbox: $sandboxed: all as it must be"
exit $((failures != 0))
