# Small functions that every part of the set-up uses. Sourced by ../warpwise.

say() { printf '  %s\n' "$*" >&2; }
die() {
  clear_line
  printf 'warpwise: %s\n' "$*" >&2
  exit 1
}

# expect_ours FILE...: files of the build folder that are to be written to. They may be another user's.
expect_ours() {
  local file
  mkdir -p "$build" 2>/dev/null || true
  for file in "$@"; do
    { : >>"$build/$file"; } 2>/dev/null || not_ours
  done
}
not_ours() { die "$build is not writable, and Warpwise builds there: please make a clone of your own."; }

has() { command -v "$1" >/dev/null 2>&1; }
# version_in [WORDS]: the first version on standard input, and behind these words. These two start no process: every set-up
# asks a dozen times.
version_in() {
  local text="" pattern="${1:-}([0-9]+(\.[0-9]+)+)"
  IFS= read -r -d '' text || true  # no zero byte ends it
  [[ $text =~ $pattern ]] && echo "${BASH_REMATCH[1]}"
}
# at_least 3.25.1 3.24: whether the first version is not older than the second
at_least() {
  local i first second
  IFS=. read -ra first <<<"$1"
  IFS=. read -ra second <<<"$2"
  for i in "${!second[@]}"; do
    local part=${first[i]:-0}
    part=${part%%[!0-9]*}  # of "0rc1"
    if [ "${part:-0}" -ne "${second[i]}" ]; then [ "${part:-0}" -gt "${second[i]}" ] && return || return 1; fi
  done
}
# The path, relative to the clone.
shown() { printf '%s' "${1#"$root"/}"; }

# Whether a line on this terminal can be overwritten.
can_rewrite() { [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; }
clear_line() { if can_rewrite; then printf '\r\033[K' >&2; fi; }

# --- Progress ---------------------------------------------------------------------------------------------

# Not where WARPWISE_PROGRESS is "no": a test that holds what stands on standard error has no use for how slow a machine is.
is_progress_said() { [ "${WARPWISE_PROGRESS:-}" != no ]; }
say_progress() { if is_progress_said; then say "$@"; fi; }

# show TEXT: progress. On a terminal it overwrites one line; elsewhere it prints a line after 3 seconds, and then every 10.
shown_at=0
show() {
  if ! is_progress_said; then return; fi
  if can_rewrite; then
    printf '\r\033[K  %s' "$1" >&2
  elif [ $((SECONDS - shown_at)) -ge 10 ]; then
    say "$1"
    shown_at=$SECONDS
  fi
}

# run_shown STATE COMMAND...: runs COMMAND, with its output in $log. If it takes more than a second, shows what the
# function STATE prints. Returns its status. Ctrl-C ends the command first, and then the set-up.
run_shown() {
  local state=$1 start=$SECONDS pid status=0
  shift
  shown_at=$((SECONDS - 7))
  "$@" >>"$log" 2>&1 </dev/null &
  pid=$!
  trap 'end_command '$pid INT TERM HUP
  while kill -0 $pid 2>/dev/null; do
    if [ $((SECONDS - start)) -lt 1 ]; then
      sleep 0.03  # a quick command must not wait for us
    else
      show "$($state $((SECONDS - start)))"
      sleep 0.2
    fi
  done
  wait $pid || status=$?
  trap - INT TERM HUP
  clear_line
  return $status
}

end_command() {
  trap '' INT TERM HUP
  clear_line
  if [ -n "${must_not_be_killed:-}" ]; then say "waiting for $must_not_be_killed to end"; else kill "$1" 2>/dev/null || true; fi
  wait "$1" 2>/dev/null || true
  say "interrupted; run the same command again to go on from here"
  exit 130
}

# --- The machine ------------------------------------------------------------------------------------------

# memory [FILE...]: memory in MB, the machine's or as much of it as a container may use. FILE: has the container's limit, in
# bytes.
memory() {
  local name limit file total=4194304
  while read -r name limit _; do
    if [ "$name" = MemTotal: ]; then total=$limit && break; fi
  done 2>/dev/null </proc/meminfo
  total=$((total / 1024))
  [ $# != 0 ] || set -- /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes
  for file in "$@"; do
    [ -r "$file" ] && read -r limit <"$file" || continue
    if [[ $limit =~ ^[0-9]{1,15}$ ]] && [ $((limit / 1048576)) -lt $total ]; then total=$((limit / 1048576)); fi
  done
  echo $total
}

memory_of_a_compiler=900  # MB that each may use; 300 are left for the rest of the system

# How many compilers may run at once: one per processor, as far as memory allows.
jobs_for() {
  local processors=$1 memory=$2 jobs=$((($2 - 300) / memory_of_a_compiler))
  if [ "$jobs" -gt "$processors" ]; then jobs=$processors; fi
  if [ "$jobs" -lt 1 ]; then jobs=1; fi
  echo "$jobs"
}

choose_jobs() {
  local processors memory
  case ${WARPWISE_JOBS:-} in
    "") ;;
    *[!0-9]* | 0*) die "WARPWISE_JOBS is '$WARPWISE_JOBS', not a number of compilers." ;;
    *) return ;;
  esac
  processors=$(nproc) memory=$(memory)
  WARPWISE_JOBS=$(jobs_for "$processors" "$memory")
  export WARPWISE_JOBS
  [ "$WARPWISE_JOBS" = "$processors" ] || memory_is_short=$(
    printf '%d.%d GB of memory: ' $((memory / 1024)) $((memory % 1024 * 10 / 1024))
    if [ "$WARPWISE_JOBS" = 1 ]; then echo "one compiler at a time"; else echo "$WARPWISE_JOBS compilers at a time"; fi
  )
}
