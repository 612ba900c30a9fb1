#!/usr/bin/env bash
# What a terminal can show of the screens.
#   screens.sh width WARPWISE_CLI WARPWISE_CLASS ROOT    the first screen, and what --help says of each command, has lines of
#                                                        80 columns
#   screens.sh ascii WARPWISE_CLI CHAPTER MODULE         where the locale is not UTF-8 the screens are ASCII, marks and all;
#                                                        where it is, they are not
set -euo pipefail

fail() { echo "FAILED: $*" && exit 1; }

# narrow NAME: what stands on standard input. Every character of it counts as one column.
narrow() {
  local text
  text=$(cat)
  [ -n "$text" ] || fail "$1 says nothing"
  if LC_ALL=C.UTF-8 grep -nE '^.{81,}' <<<"$text"; then fail "$1 is wider than 80 columns"; fi
}

width() {
  local warpwise=$1 class=$2 root=$3 command
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
}

# A verdict and the list of chapters, in a locale.
screens_in() { env -u LC_CTYPE -u LANG LC_ALL="$1" "$chapter" "$module" --device sim && env LC_ALL="$1" "$warpwise" list; }

ascii() {
  local warpwise=$1 chapter=$2 module=$3 plain rich
  plain=$(screens_in C) && rich=$(screens_in C.UTF-8) || fail "a screen ends with status $?"
  if LC_ALL=C grep -n '[^ -~]' <<<"$plain"; then fail "is not ASCII"; fi
  grep -q '^+ reduce_naive' <<<"$plain" || fail "no '+ reduce_naive' in: $plain"
  grep -q '^✓ reduce_naive' <<<"$rich" || fail "no '✓ reduce_naive' in: $rich"
}

case $1 in width | ascii) "$@" ;; *) fail "there is no test '$1'" ;; esac
echo "all is well"
