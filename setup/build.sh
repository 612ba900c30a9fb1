#!/usr/bin/env bash
# setup/build.sh BUILD TARGET...: builds targets of the build folder BUILD. Nobody else starts Ninja: ../warpwise, the command
# line behind it and the programs of lessons (cmake/first-use.sh.in) all come here. One Ninja at a time; how far it is
# stands on standard error, what compilers said on standard output. Exit status 1 where it fails.
#
# Sourced, it has the function build_targets; functions.sh must be there, and the variables build and root.

# progress_text DONE TOTAL SECONDS: "building 37 of 120, about 50 s left"; without the estimate while too little is known,
# and for the last steps, which link, and compile what takes longest.
progress_text() {
  local left
  if [ "$2" -eq 0 ]; then echo "building" && return; fi
  printf 'building %d of %d' "$1" "$2"
  if [ "$1" -ge 5 ] && [ "$3" -ge 3 ] && [ $(($2 - $1)) -gt $(($2 / 10)) ]; then
    left=$((($2 - $1) * $3 / $1))
    if [ $left -ge 90 ]; then
      printf ', about %d min left' $(((left + 30) / 60))
    elif [ $left -ge 5 ]; then
      printf ', about %d s left' $(((left + 4) / 5 * 5))
    fi
  fi
  echo
}

# take_line LINE: of what Ninja prints. Sets steps_done, steps, messages and is_command of build_targets.
take_line() {
  if [[ $1 =~ ^\[([0-9]+)/([0-9]+)\]' ' ]]; then
    steps_done=${BASH_REMATCH[1]} steps=${BASH_REMATCH[2]}
  elif [ -n "$is_command" ]; then
    is_command=""
  elif [[ $1 == 'FAILED: '* ]]; then
    is_command=yes  # the next line is the command that failed
  elif [[ $1 != 'ninja: '* && $1 != '-- '* ]]; then
    local line=${1//"$root/"/}  # as one would type it
    messages+=${line//"__attribute__((global))"/__global__}$'\n'
  fi
}

# Build/stamps/TARGET is there where TARGET has been built since a source of the project changed. So a command looks at a
# file, and Ninja at every source only after a change. Kernels are no such sources: the commands compile them, and a target
# that has some has no stamp.
has_kernels() { [[ $1 == all || $1 == *.* ]]; }

forget_builds() { rm -rf "$build/stamps" 2>/dev/null || not_ours; }

# To be called once, before anything is built.
forget_changed_builds() {
  [ -e "$build/stamps/since" ] || return 0
  has find || { forget_builds && return; }
  if [ -n "$(find -L "$root"/{CMakeLists.txt,CMakePresets.json,cmake,common,setup,handout.txt} \
    "$root"/ch??_*/{CMakeLists.txt,*.hpp,checks,kernels,lesson,bench,variants} -newer "$build/stamps/since" -print -quit 2>/dev/null)" ]; then
    forget_builds
  fi
}

is_built() {
  local target
  for target in "$@"; do [ -e "$build/stamps/$target" ] || return 1; done
}

# build_targets TARGET...: silent if it takes no time, else with progress. Sets messages to what compilers said, without
# Ninja's own lines and command lines; all of it stands in $build/build.log.
build_targets() {
  local start=$SECONDS steps_done=0 steps=0 is_command="" target line part="" status log_file ninja
  messages=""
  if is_built "$@"; then return; fi
  choose_jobs
  expect_ours lock build.log
  mkdir -p "$build/stamps" 2>/dev/null || not_ours
  [ -e "$build/stamps/since" ] || expect_ours stamps/since
  exec 8>"$build/lock"  # Ninja holds it as well: it may live on for a moment when we are killed
  # Most builds find nothing to do: not worth a word.
  flock -w 2 8 || { say_progress "another ./warpwise is building here: waiting for it" && flock 8; }
  log=$build/build.log
  exec {log_file}>"$log" {ninja}< <(exec ninja -C "$build" -j "$WARPWISE_JOBS" "$@" 2>&1 </dev/null)
  local pid=$!
  trap 'end_command '$pid INT TERM HUP
  shown_at=$((SECONDS - 7))
  while :; do
    status=0
    IFS= read -r -t 0.2 -u $ninja line || status=$?
    part+=$line
    if [ $status = 0 ]; then
      printf '%s\n' "$part" >&$log_file
      take_line "$part"
      part=""
    elif [ $status -le 128 ]; then
      break  # its end
    fi
    if [ $((SECONDS - start)) -ge 1 ]; then show "$(progress_text $steps_done $steps $((SECONDS - start)))"; fi
  done
  status=0
  wait $pid || status=$?
  trap - INT TERM HUP
  clear_line
  if [ $status = 0 ]; then
    for target in "$@"; do has_kernels "$target" || : >>"$build/stamps/$target"; done
  fi
  exec {log_file}>&- {ninja}<&- 8>&-
  if [ $status != 0 ] && [ -z "$messages" ]; then messages=$(<"$log")$'\n'; fi
  return $status
}

# The same, and the end of everything where it fails.
build_or_die() {
  local start=$SECONDS
  build_targets "$@" || {
    if grep -aqE 'Killed signal|virtual memory exhausted|out of memory' "$log"; then
      die "the build ran out of memory: please try WARPWISE_JOBS=1 ./warpwise ..."
    fi
    printf '%s' "$messages" | head -n 30 >&2 || true
    die "the build failed (log: build/build.log)."
  }
  if [ $((SECONDS - start)) -ge 2 ]; then say_progress "built in $((SECONDS - start)) s"; fi
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  set -euo pipefail
  root=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P) build=$1
  . "$root/setup/functions.sh"
  end_command() { clear_line && kill "$1" 2>/dev/null; exit 130; }  # our caller is interrupted, too, and says so
  status=0
  build_targets "${@:2}" || status=1
  printf '%s' "$messages"
  exit $status
fi
