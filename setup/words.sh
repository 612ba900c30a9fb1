# Words and small questions that every part of the set-up uses. Sourced by ../warpwise.

say() { printf '  %s\n' "$*" >&2; }
die() {
  clear_line
  printf 'warpwise: %s\n' "$*" >&2
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }
version_in() { grep -oE '[0-9]+(\.[0-9]+)+' | head -n1; }
# at_least 3.25.1 3.24: the first version is not older than the second
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n1)" = "$2" ]; }
# The path as it is seen from the clone.
shown() { printf '%s' "${1#"$root"/}"; }

# A terminal on which a line can be written again.
can_rewrite() { [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; }
clear_line() { if can_rewrite; then printf '\r\033[K' >&2; fi; }

# --- Progress ---------------------------------------------------------------------------------------------

# Not where WARPWISE_PROGRESS is "no": a test that holds what stands on standard error has no use for how slow a machine is.
is_progress_said() { [ "${WARPWISE_PROGRESS:-}" != no ]; }
say_progress() { if is_progress_said; then say "$@"; fi; }

# show TEXT: progress. On a terminal one line that is written again, elsewhere a line after 3 seconds and then every 10.
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

# run_shown STATE COMMAND...: runs COMMAND, whose output goes to $log, and shows what the function STATE says of
# it once it takes more than a second. Returns its status. Ctrl-C ends it first, and then the set-up.
run_shown() {
  local state=$1 start=$SECONDS pid status=0
  shift
  shown_at=$((SECONDS - 7))
  "$@" >>"$log" 2>&1 </dev/null &
  pid=$!
  trap 'end_command '$pid INT TERM HUP
  while kill -0 $pid 2>/dev/null; do
    if [ $((SECONDS - start)) -lt 1 ]; then
      sleep 0.03  # what takes no time must not wait for us
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
  if [ -n "${must_not_be_killed:-}" ]; then say "$must_not_be_killed ends first"; else kill "$1" 2>/dev/null || true; fi
  wait "$1" 2>/dev/null || true
  say "interrupted; the same command again goes on from here"
  exit 130
}

# --- The machine ------------------------------------------------------------------------------------------

# Memory in MB: the machine's, or what a container may use of it.
# memory [FILE...]: where the container's limit stands, in bytes
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

memory_of_a_compiler=900  # MB that each may use; 300 stay for the rest of the system

# How many compilers may run at once: one a processor, as far as memory goes.
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
