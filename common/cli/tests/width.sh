#!/usr/bin/env bash
# width.sh WARPWISE_CLI WARPWISE_CLASS ROOT: the first screen, and what --help says of each command, has lines of 80 columns.
set -euo pipefail
warpwise=$1 class=$2 root=$3

fail() { echo "FAILED: $*" && exit 1; }

# narrow NAME: what stands on standard input. Every character of it counts as one column.
narrow() {
  local text
  text=$(cat)
  [ -n "$text" ] || fail "$1 says nothing"
  if LC_ALL=C.UTF-8 grep -nE '^.{81,}' <<<"$text"; then fail "$1 is wider than 80 columns"; fi
}

"$root/warpwise" | narrow "the first screen"
[ "$("$root/warpwise" | wc -l)" -le 23 ] || fail "the first screen is higher than 23 lines"
"$warpwise" --help | narrow "--help"
for command in $(sed -n 's/^COMMAND("\([^"]*\)".*/\1/p' "$root/common/cli/commands.def"); do
  case $command in
    grade | handout | new-chapter) [ ! -x "$class" ] || "$class" "$command" --help | narrow "$command --help" ;;
    doctor) "$root/warpwise" doctor --help | narrow "doctor --help" ;;
    *) "$warpwise" "$command" --help | narrow "$command --help" ;;
  esac
done
echo "all is well"
