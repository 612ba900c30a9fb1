# What hostile_source.md and hostile_kernels.md say; to be sourced.

hostile_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
hostile_pages=("$hostile_folder/hostile_source.md" "$hostile_folder/hostile_kernels.md")

# Of all submissions, a line each; fails where there is none, or one does not say what it earns, or says what is not known.
hostile_names() {
  local name names
  names=$(sed -n 's/^## //p' "${hostile_pages[@]}")
  [ -n "$names" ] || { echo "no submission in ${hostile_pages[*]}" >&2 && return 1; }
  for name in $names; do
    if hostile_section "$name" | sed '/^```/,$d' | grep -vE '^(- (hostile|earns|told|behind the fence): .+)?$' >&2; then
      echo "${hostile_pages[*]}: $name says what nobody reads" >&2 && return 1
    fi
    [ -n "$(hostile_word "$name" earns)" ] || { echo "${hostile_pages[*]}: $name earns nothing, not even 0" >&2 && return 1; }
  done
  echo "$names"
}

# The lines below a name, up to the next one or the end of the page.
hostile_section() {
  awk -v name="$1" 'FNR == 1 { here = 0 } /^## / { here = $2 == name; next } here' "${hostile_pages[@]}"
}

hostile_code() {
  local code
  code=$(hostile_section "$1" | sed '1,/^```cuda$/d; /^```$/,$d')
  [ -n "$code" ] || { echo "${hostile_pages[*]}: no code of $1" >&2 && return 1; }
  printf '%s\n' "$code"
}

# hostile_word NAME KEY: what `- KEY: ...` says; nothing where it is not said.
hostile_word() { hostile_section "$1" | sed -n "/^\`\`\`/,\$d; s/^- $2: //p"; }
