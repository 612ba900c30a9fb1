# Configures and builds. Sourced by ../warpwise.

# Everything that the checks look at, in a few milliseconds. As long as it stays the same, they are skipped.
fingerprint() {
  local tool folder files=()
  echo "2 $root ${WARPWISE_TOOLKIT:-} $wanted_compiler ${FETCHCONTENT_SOURCE_DIR_CATCH2:-} ${FETCHCONTENT_SOURCE_DIR_CLI11:-}" \
    "${FETCHCONTENT_SOURCE_DIR_NLOHMANN_JSON:-}"
  for tool in cmake ninja git "${wanted_compiler:-g++}"; do files+=("$(command -v "$tool" || echo "/no $tool")"); done
  while read -r folder; do files+=("$folder/bin/nvcc"); done < <(toolkit_candidates)
  stat -L -c '%n %Y %s' "${files[@]}" 2>&1 || true
}

is_set_up() { [ -f "$build/build.ninja" ] && [ -f "$build/setup.stamp" ] && [ "$(<"$build/setup.stamp")" = "$(fingerprint)" ]; }

set_up() {
  use_fetched_cmake
  if is_set_up; then return; fi
  mkdir -p "$build" 2>/dev/null && [ -w "$build" ] || die "$build is not writable, and Warpwise builds there: please make a clone of your own."
  exec 9>"$build/setup.lock"
  flock -n 9 || {  # a second ./warpwise waits here, and finds the work done
    say "another ./warpwise is setting up this clone: waiting for it"
    flock 9
  }
  if is_set_up; then exec 9>&- && return; fi
  echo "Warpwise: setting up (once)" >&2
  log=$build/setup.log
  rm -f "$build/setup.stamp"
  : >"$log"
  check_packages
  check_toolkit
  [ -z "${memory_is_short:-}" ] || say "$memory_is_short"
  configure
  fingerprint >"$build/setup.stamp"
  exec 9>&-
}

configure() {
  local library options=() werror=ON
  # Warnings of compilers that nobody has tried yet must not stop anybody from starting.
  if [ -n "$wanted_compiler" ] || at_least "$(compiler_version "$CXX")" 15; then werror=OFF; fi
  for library in CATCH2 CLI11 NLOHMANN_JSON; do  # copies of their sources, if there is no network
    local name=FETCHCONTENT_SOURCE_DIR_$library
    [ -z "${!name:-}" ] || options+=("-D$name=${!name}")
  done
  log=$build/configure.log
  : >"$log"
  configuring() { echo "configuring ($1 s)"; }
  run_shown configuring cmake --fresh --preset default -S "$root" -DCMAKE_CXX_COMPILER="$CXX" -DCUDAToolkit_ROOT="$toolkit" \
    -DWARPWISE_WERROR=$werror ${options[@]+"${options[@]}"} || {
    for library in catch2 cli11 nlohmann_json; do
      if grep -aqi "$library-\(subbuild\|populate\)" "$log"; then
        die "$library is not installed, and could not be downloaded (log: build/configure.log). Please run" \
          "$(install_command "$(package catch2)" "$(package cli11)" "$(package json)");" \
          "or name a copy of its sources with FETCHCONTENT_SOURCE_DIR_${library^^}=FOLDER ./warpwise ..."
      fi
    done
    tail -n 15 "$log" >&2
    die "CMake could not configure the build (log: build/configure.log)."
  }
}

# progress_text DONE TOTAL SECONDS: "building 37 of 120, about 50 s left". The C++ side says the same
# (common/cli/build_progress.cpp).
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

# Builds TARGET...: silently if it takes no time, otherwise with progress. If it fails, shows the compiler's messages.
make() {
  local start=$SECONDS counts last
  log=$build/build.log
  building() {
    counts=$(grep -aoE '^\[[0-9]+/[0-9]+\]' "$log" | tail -n1 | tr -c '0-9\n' ' ')
    # shellcheck disable=SC2086
    progress_text ${counts:-0 0} "$1"
  }
  locked_ninja() {  # one Ninja at a time: `watch` in another terminal builds here too (common/cli/build.cpp)
    exec 8>"$build/lock"
    flock 8
    : >"$log"
    exec ninja -C "$build" -j "$WARPWISE_JOBS" "$@"
  }
  (flock -w 2 8) 8>"$build/lock" || say "another ./warpwise is building here: waiting for it"
  run_shown building locked_ninja "$@" || {
    if grep -aqE 'Killed signal|virtual memory exhausted|out of memory' "$log"; then
      die "the build ran out of memory: please try WARPWISE_JOBS=1 ./warpwise ..."
    fi
    grep -avE '^\[|^ninja:|^FAILED|^cd |^: &&| -c | -ptx ' "$log" | head -n 30 >&2
    die "the build failed (log: build/build.log)."
  }
  if [ $((SECONDS - start)) -ge 2 ]; then say "built in $((SECONDS - start)) s"; fi
}
