# Lines of solutions, found without the code that is tested. To be sourced, with $course and $work set.

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
sed -n 's/^ *std::string_view("\(.*\)"),$/\1/p' "$course/common/course/handout/solution_lines.cpp" >"$work/idioms"
[ "$(wc -l <"$work/idioms")" -ge 10 ] || fail "the idioms of solution_lines.cpp were not found"

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
