# What hostile.md says; to be sourced.

hostile_page=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/hostile.md

hostile_names() { sed -n 's/^## //p' "$hostile_page"; }

# The lines below a name, up to the next one.
hostile_section() { awk -v name="$1" '/^## / { here = $2 == name; next } here' "$hostile_page"; }

hostile_code() { hostile_section "$1" | sed '1,/^```cuda$/d; /^```$/,$d'; }

# hostile_word NAME KEY: what `- KEY: ...` says; nothing where it is not said.
hostile_word() { hostile_section "$1" | sed -n "/^\`\`\`/q; s/^- $2: //p"; }
