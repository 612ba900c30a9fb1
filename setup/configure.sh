# Sets this clone up: looks for the tools, and configures the build. Sourced by ../warpwise.

# Everything that the checks look at, in a few milliseconds. As long as it stays the same, they are skipped.
fingerprint() {
  local tool folder files=()
  echo "2 $root ${WARPWISE_TOOLKIT:-} $wanted_compiler ${FETCHCONTENT_SOURCE_DIR_CATCH2:-} ${FETCHCONTENT_SOURCE_DIR_CLI11:-}" \
    "${FETCHCONTENT_SOURCE_DIR_NLOHMANN_JSON:-}"
  for tool in cmake ninja git "${wanted_compiler:-g++}"; do files+=("$(command -v "$tool" || echo "/no $tool")"); done
  files+=("$nvrtc_library")
  while read -r folder; do files+=("$folder/bin/nvcc"); done < <(toolkit_candidates)
  stat -L -c '%n %Y %s' "${files[@]}" 2>&1 || true
}

is_set_up() {
  [ -f "$build/build.ninja" ] && [ -f "$build/setup.stamp" ] && [ "$(<"$build/setup.stamp")" = "$(fingerprint)" ] &&
    { ! needs_toolkit || grep -q '^nvcc .' "$build/installation.txt"; }
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
  rm -f "$build/setup.stamp"
  : >"$log"
  check_packages
  check_nvrtc
  check_toolkit
  [ -z "${memory_is_short:-}" ] || say "$memory_is_short"
  configure
  fingerprint >"$build/setup.stamp"
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
