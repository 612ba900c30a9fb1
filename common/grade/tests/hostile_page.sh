# What hostile.md says; to be sourced.

hostile_page=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/hostile.md

# Of all submissions, a line each; fails where there is none, or one does not say what it earns, or says what is not known.
hostile_names() {
  local name names
  names=$(sed -n 's/^## //p' "$hostile_page")
  [ -n "$names" ] || { echo "no submission in $hostile_page" >&2 && return 1; }
  for name in $names; do
    if hostile_section "$name" | sed '/^```/,$d' | grep -vE '^(- (hostile|earns|told|behind the fence): .+)?$' >&2; then
      echo "$hostile_page: $name says what nobody reads" >&2 && return 1
    fi
    [ -n "$(hostile_word "$name" earns)" ] || { echo "$hostile_page: $name earns nothing, not even 0" >&2 && return 1; }
  done
  echo "$names"
}

# The lines below a name, up to the next one.
hostile_section() { awk -v name="$1" '/^## / { here = $2 == name; next } here' "$hostile_page"; }

hostile_code() {
  local code
  code=$(hostile_section "$1" | sed '1,/^```cuda$/d; /^```$/,$d')
  [ -n "$code" ] || { echo "$hostile_page has no code of $1" >&2 && return 1; }
  printf '%s\n' "$code"
}

# hostile_word NAME KEY: what `- KEY: ...` says; nothing where it is not said.
hostile_word() { hostile_section "$1" | sed -n "/^\`\`\`/,\$d; s/^- $2: //p"; }
