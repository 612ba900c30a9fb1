# Sets this clone up: looks for the tools, and configures the build. Sourced by ../warpwise.

# Sets fingerprint: everything that the checks look at. As long as it stays the same, they are skipped. Every command waits
# for this, so it starts one process.
take_fingerprint() {
  local tool files=("$nvrtc_library")
  for tool in cmake ninja git nvcc "${wanted_compiler:-g++}"; do
    if hash "$tool" 2>/dev/null; then files+=("${BASH_CMDS[$tool]:-$tool}"); else files+=("/no $tool"); fi
  done
  for tool in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda "${WARPWISE_TOOLKIT:-}" "$downloads"/cuda-*; do
    files+=("$tool/bin/nvcc")
  done
  fingerprint="3 $root ${WARPWISE_TOOLKIT:-} $wanted_compiler ${FETCHCONTENT_SOURCE_DIR_CATCH2:-} ${FETCHCONTENT_SOURCE_DIR_CLI11:-}"
  fingerprint+=" ${FETCHCONTENT_SOURCE_DIR_NLOHMANN_JSON:-}"$'\n'$(stat -L -c '%n %Y %s' "${files[@]}" 2>&1) || true
}

# build/setup.stamp: the folder of the CUDA toolkit, or nothing, and the fingerprint.
is_set_up() {
  local known toolkit
  [ -f "$build/build.ninja" ] && [ -f "$build/setup.stamp" ] || return 1
  { IFS= read -r toolkit && IFS= read -r -d '' known; } <"$build/setup.stamp" || true  # no zero byte ends it
  take_fingerprint
  [ "$known" = "$fingerprint"$'\n' ] && { [ -n "$toolkit" ] || ! needs_toolkit; }
}

set_up() {
  use_fetched_cmake
  if is_set_up; then return; fi
  expect_ours setup.lock setup.log
  exec 9>"$build/setup.lock"
  flock -n 9 || {  # a second ./warpwise waits here, and finds the work done
    say "another ./warpwise is setting up this clone: waiting for it"
    flock 9
  }
  if is_set_up; then exec 9>&- && return; fi
  echo "Warpwise: setting up (once)" >&2
  log=$build/setup.log
  : >"$log"
  choose_jobs
  check_packages
  find_toolkit
  check_nvrtc
  check_toolkit
  [ -z "${memory_is_short:-}" ] || say "$memory_is_short"
  rm -f "$build/setup.stamp"  # until here what is built is left as it is
  configure
  take_fingerprint
  printf '%s\n' "$toolkit" "$fingerprint" >"$build/setup.stamp"
  exec 9>&-
}

configure() {
  local library options=() werror=ON
  if [ -n "$toolkit" ]; then options+=("-DCUDAToolkit_ROOT=$toolkit"); else options+=(-DWARPWISE_TOOLKIT=OFF -DWARPWISE_TESTS=OFF); fi
  # Warnings of compilers that nobody has tried yet must not stop anybody from starting.
  if [ -n "$wanted_compiler" ] || at_least "$(compiler_version "$CXX")" 15; then werror=OFF; fi
  for library in CATCH2 CLI11 NLOHMANN_JSON; do  # copies of their sources, if there is no network
    local name=FETCHCONTENT_SOURCE_DIR_$library
    [ -z "${!name:-}" ] || options+=("-D$name=${!name}")
  done
  forget_builds
  log=$build/configure.log
  : >"$log"
  configuring() { echo "configuring ($1 s)"; }
  run_shown configuring cmake --fresh --preset default -S "$root" -DCMAKE_CXX_COMPILER="$CXX" \
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
