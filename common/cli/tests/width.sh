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
commands=$("$warpwise" --help | sed -nE '/^Subcommands:/,$s/^  ([a-z-]+) .*/\1/p')
[ "$(wc -w <<<"$commands")" -gt 15 ] || fail "--help names too few commands: $commands"
for command in $commands; do
  case $command in
    grade | handout | new-chapter) [ ! -x "$class" ] || "$class" "$command" --help | narrow "$command --help" ;;
    *) "$warpwise" "$command" --help | narrow "$command --help" ;;
  esac
done
"$root/warpwise" doctor --help | narrow "doctor --help"
echo "all is well"
