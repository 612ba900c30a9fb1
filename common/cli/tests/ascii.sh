#!/usr/bin/env bash
# ascii.sh WARPWISE_CLI CHAPTER MODULE: where the locale is not UTF-8 the screens are ASCII, marks and all; where
# it is, they are not.
set -uo pipefail
cli=$1 chapter=$2 module=$3

# screens LOCALE: what a verdict and the list of chapters look like there
screens() { env -u LC_CTYPE -u LANG LC_ALL="$1" "$chapter" "$module" --device sim && env LC_ALL="$1" "$cli" list; }

plain=$(screens C) || exit 1
rich=$(screens C.UTF-8) || exit 1
if LC_ALL=C grep -n '[^ -~]' <<<"$plain"; then echo "is not ASCII"; exit 1; fi
grep -q '^+ reduce_naive' <<<"$plain" || { echo "no '+ reduce_naive' in: $plain"; exit 1; }
grep -q '^✓ reduce_naive' <<<"$rich" || { echo "no '✓ reduce_naive' in: $rich"; exit 1; }
