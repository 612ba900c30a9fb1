# ./warpwise doctor [--json]: what this machine has, what is wrong with it, and for each problem the command that fixes it.
# It installs, downloads and builds nothing, and runs even if the set-up fails. Sourced by ../warpwise.
#
# --json prints one object, for bug reports:
#   {"version": git's name of this clone's commit, "healthy": whether Warpwise can run,
#    "facts": [{"name", "value", "state": "ok", "note" or "problem", "says": a remark, "mend": a command}]}
# Exit status: 1 if there is a problem, which keeps Warpwise from running; a note is only worth knowing.

facts=()  # five fields per fact, one after the other
problems=0

# fact NAME VALUE [STATE SAYS [MEND]]
fact() {
  facts+=("$1" "$2" "${3:-ok}" "${4:-}" "${5:-}")
  if [ "${3:-}" = problem ]; then problems=$((problems + 1)); fi
}

# "3.25.1, /usr/bin/cmake"
version_and_path() { printf '%s, %s' "$("$1" --version 2>/dev/null | version_in)" "$(command -v "$1")"; }

# The other programs on PATH with that name, which the first one hides. The same file by another path does not count.
shadowed() {
  local first path
  first=$(readlink -f "$(command -v "$1")")
  type -aP "$1" | while read -r path; do
    if [ "$(readlink -f "$path")" != "$first" ]; then echo "$path"; fi
  done | awk '!seen[$0]++'
}

examine_system() {
  local name=Linux free gb_free mb
  if [ -r /etc/os-release ]; then name=$(. /etc/os-release && echo "${PRETTY_NAME:-$NAME}"); fi
  name="$name, $(uname -r), $(uname -m)"
  if grep -qi microsoft /proc/version 2>/dev/null; then name+=" (WSL)"; fi
  if [[ $(ldd --version 2>&1) == *musl* ]]; then
    fact system "$name" problem "NVIDIA's compilers need glibc, and this system has musl" "docker run -it -v \"\$PWD:/warpwise\" -w /warpwise debian:12"
  else
    fact system "$name"
  fi
  if [ -w "$root" ]; then fact "this clone" "$root"; else
    fact "this clone" "$root" problem "it is not writable, and Warpwise builds inside it" "sudo chown -R $(id -un) '$root'"
  fi
  mb=$(memory)
  choose_jobs
  if [ -n "${memory_is_short:-}" ]; then
    fact memory "$((mb / 1024)).$((mb % 1024 * 10 / 1024)) GB for $(nproc) processors" note "$memory_is_short"
  else
    fact memory "$((mb / 1024)).$((mb % 1024 * 10 / 1024)) GB for $(nproc) processors"
  fi
  free=$(df -Pm "$root" | awk 'NR == 2 { print $4 }')
  gb_free="$((free / 1024)).$((free % 1024 * 10 / 1024)) GB free"
  if [ "$free" -lt "$disk_needed" ] && [ ! -f "$build/setup.stamp" ]; then
    fact disk "$gb_free" problem "a toolkit and every test take $disk_needed MB" "rm -rf '$root/build'   # or free some space elsewhere"
  else
    fact disk "$gb_free"
  fi
  local locale=${LC_ALL:-${LC_CTYPE:-${LANG:-}}}
  case ${locale,,} in
    *utf-8* | *utf8*) fact locale "$locale, terminal ${TERM:-unknown}" ;;
    *) fact locale "${locale:-none}, terminal ${TERM:-unknown}" note "not UTF-8: marks are shown in ASCII" "export LC_ALL=C.UTF-8" ;;
  esac
}
disk_needed=2500

examine_compiler() {
  local compiler=${CXX:-g++} version
  if ! has "$compiler"; then
    if [ -n "${CXX:-}" ]; then fact "C++ compiler" "none" problem "CXX names '$CXX', which does not exist here" "unset CXX"; else
      fact "C++ compiler" "none" problem "g++ is missing" "$(install_command "$(package g++)")"
    fi
    return
  fi
  version="$(compiler_version "$compiler"), $(command -v "$compiler")"
  if knows_cxx20 "$compiler"; then fact "C++ compiler" "$version"; return; fi
  if [ -n "${CXX:-}" ]; then
    fact "C++ compiler" "$version" problem "CXX names a compiler that is too old: Warpwise needs g++ 11 or clang 14, or newer" "unset CXX"
  elif (choose_compiler) 2>/dev/null; then
    fact "C++ compiler" "$version" note "too old: Warpwise uses a newer one on PATH instead"
  else
    fact "C++ compiler" "$version" problem "too old: Warpwise needs g++ 11 or clang 14, or newer" "$(install_command g++-12)"
  fi
}

examine_cmake() {
  local other
  if ! has cmake; then
    if [ -x "$fetched_cmake/cmake" ]; then fact CMake "downloaded, $fetched_cmake/cmake"; else
      fact CMake none problem "it is missing" "$(install_command cmake)"
    fi
  elif at_least "$(cmake --version | version_in)" 3.24; then
    fact CMake "$(version_and_path cmake)"
  else
    other=$(shadowed cmake | while read -r other; do
      if at_least "$("$other" --version | version_in)" 3.24; then echo "$other" && break; fi
    done)
    if [ -n "$other" ]; then
      fact CMake "$(version_and_path cmake)" note "older than 3.24, and hides $other, which is new enough" "export PATH=$(dirname "$other"):\$PATH"
    else
      fact CMake "$(version_and_path cmake)" note "older than 3.24: Warpwise downloads its own from PyPI (28 MB)"
    fi
  fi
}

examine_packages() {
  local tool library
  for tool in ninja git; do
    if has $tool; then fact $tool "$(version_and_path $tool)"; else
      fact $tool none problem "it is missing" "$(install_command "$(package $tool)")"
    fi
  done
  if ! has "${CXX:-g++}"; then return; fi
  for library in $header_libraries; do
    if has_library $library; then fact $library installed; else
      fact $library none note "not installed: Warpwise downloads it from GitHub" "$(install_command "$(package $library)")"
    fi
  done
}

examine_toolkits() {
  local folder complaint is_taken=""
  mkdir -p "$build" 2>/dev/null
  toolkit=""
  while read -r folder; do
    complaint=$(complaint_of_toolkit "$folder")
    if [ -z "$complaint" ] && [ -z "$is_taken" ]; then
      is_taken=yes toolkit=$folder
      fact "CUDA toolkit" "$(toolkit_version "$folder"), $folder/bin/nvcc"
    elif [ -z "$complaint" ]; then
      fact "another one" "$(toolkit_version "$folder"), $folder" note "hidden by the one above" "WARPWISE_TOOLKIT=$folder ./warpwise tour"
    elif [ -n "$wanted_wheels" ]; then
      fact "CUDA toolkit" "$(shown "$folder")" note "$complaint: the next ./warpwise downloads it"
      is_taken=yes
    elif [ -n "${WARPWISE_TOOLKIT:-}" ]; then
      fact "CUDA toolkit" "$folder" problem "WARPWISE_TOOLKIT names it, but $complaint" "unset WARPWISE_TOOLKIT"
      is_taken=yes
    else
      fact "CUDA toolkit" "$folder" note "skipped: $complaint" "WARPWISE_TOOLKIT=wheels ./warpwise tour"
    fi
  done < <(
    toolkit_candidates
    if [ -z "${WARPWISE_TOOLKIT:-}" ]; then for folder in "$downloads"/cuda-*/; do [ ! -x "$folder/bin/nvcc" ] || echo "${folder%/}"; done; fi |
      grep -vxF "$(toolkit_candidates)"
  )
  if [ -z "$is_taken" ]; then
    fact "CUDA toolkit" none ok "only exec, bench, profile, test and a GPU need one: then NVIDIA's nvcc $default_wheels is downloaded from PyPI (100 MB)"
  fi
}

# To be called after examine_toolkits.
examine_nvrtc() {
  if has_nvrtc; then
    fact NVRTC "$nvrtc_version, $nvrtc_folder"
  elif [ -n "$toolkit" ] && is_set_up; then
    fact NVRTC none note "not downloaded: the CUDA toolkit compiles the kernels, and what they count may differ from the lessons" \
      "rm '$build/setup.stamp' && ./warpwise list"
  else
    fact NVRTC none ok "the next ./warpwise downloads $nvrtc_version, which compiles the kernels, from ${WARPWISE_WHEELS:-PyPI} (58 MB)"
  fi
  if ! has_nvrtc || [ -z "$toolkit" ]; then examine_downloads; fi
}

# lacks NAME VALUE SAYS MEND: what keeps Warpwise from running where nothing else compiles kernels.
lacks() { fact "$1" "$2" "$(if has_nvrtc || [ -n "$toolkit" ]; then echo note; else echo problem; fi)" "$3" "$4"; }

# Where wheels can come from. Only checked if some are needed.
examine_downloads() {
  local what=NVRTC file=nvidia_cuda_nvrtc list=cmake/nvrtc-wheel.txt
  if has_nvrtc; then what=nvcc file=nvidia_cuda_nvcc list=cmake/toolkits/$default_wheels.txt; fi
  if ! has python3; then
    lacks Python none "Warpwise needs python3 and pip to download $what" "$(install_command "$(package python)" "$(package pip)")"
  elif ! find_pip; then
    lacks pip none "Warpwise needs pip to download $what" "$(install_command "$(package pip)")"
  else
    fact pip "$("${pip[@]}" --version | version_in)"
  fi
  if [ -n "${WARPWISE_WHEELS:-}" ]; then
    if compgen -G "$WARPWISE_WHEELS/$file-*.whl" >/dev/null; then fact wheels "$WARPWISE_WHEELS"; else
      lacks wheels "$WARPWISE_WHEELS" "WARPWISE_WHEELS names it, but there is no wheel of $what in it" \
        "python3 -m pip download --no-deps -d '$WARPWISE_WHEELS' -r $list"
    fi
  elif [ -n "${https_proxy:-${HTTPS_PROXY:-}}" ]; then
    fact network "through the proxy ${https_proxy:-$HTTPS_PROXY}"
  elif timeout 3 bash -c 'exec 3<>/dev/tcp/pypi.org/443' 2>/dev/null; then
    fact network "PyPI answers"
  else
    lacks network none "PyPI does not answer: $what must come from a folder of wheels, which any machine with a network fills" \
      "python3 -m pip download --no-deps -d FOLDER -r $list   # there; and here WARPWISE_WHEELS=FOLDER ./warpwise list"
  fi
}

examine_gpu() {
  local smi=nvidia-smi gpus
  if ! has $smi && [ -x /usr/lib/wsl/lib/nvidia-smi ]; then smi=/usr/lib/wsl/lib/nvidia-smi; fi
  if ! has $smi; then
    fact GPU "none: kernels run on the simulated GPU"
  elif gpus=$($smi --query-gpu=name,compute_cap,driver_version --format=csv,noheader 2>/dev/null) && [ -n "$gpus" ]; then
    while IFS=, read -r name capability driver; do
      if at_least "${capability# }" 7.5; then fact GPU "$name, compute capability$capability, driver$driver"; else
        fact GPU "$name, compute capability$capability, driver$driver" note "older than 7.5 (Turing): kernels run on the simulated GPU"
      fi
    done <<<"$gpus"
  else
    fact GPU none note "nvidia-smi is here but the driver does not answer: kernels run on the simulated GPU" "nvidia-smi"
  fi
}

examine_build() {
  if [ -f "$build/setup.lock" ] && ! (flock -n 9) 9<"$build/setup.lock"; then
    fact set-up "under way in another terminal"
  elif is_set_up; then
    fact set-up "done; logs in build/*.log"
  elif [ -f "$build/setup.stamp" ]; then
    fact set-up "must be done again: tools or settings have changed"
  else
    fact set-up "not done yet, or interrupted: the next ./warpwise does it"
  fi
}

# Prints a JSON string, without control characters and without anything that is not UTF-8.
json() {
  local LC_ALL=C
  local text=${1//[[:cntrl:]]/}
  text=${text//\\/\\\\}
  text=${text//\"/\\\"}
  case $text in *[!\ -~]*) text=$(printf '%s' "$text" | { iconv -c -f UTF-8 -t UTF-8 2>/dev/null || true; }) ;; esac
  printf '"%s"' "$text"
}

print_json() {
  local i members=('"name": ' ', "value": ' ', "state": ' ', "says": ' ', "mend": ')
  printf '{"version": ' && json "$(git -C "$root" describe --always --dirty 2>/dev/null)"
  printf ', "healthy": %s, "facts": [' "$([ $problems = 0 ] && echo true || echo false)"
  for i in "${!facts[@]}"; do
    if [ $((i % 5)) = 0 ]; then [ "$i" = 0 ] && printf '\n  {' || printf '},\n  {'; fi
    printf '%s' "${members[i % 5]}" && json "${facts[i]}"
  done
  printf '}\n]}\n'
}

print_facts() {
  local i mark
  for ((i = 0; i < ${#facts[@]}; i += 5)); do
    case ${facts[i + 2]} in
      problem) mark='x' ;;
      note) mark='!' ;;
      *) mark=' ' ;;
    esac
    printf '%s %-13s %s\n' "$mark" "${facts[i]}" "${facts[i + 1]}"
    [ -z "${facts[i + 3]}" ] || printf '  %-13s   %s\n' "" "${facts[i + 3]}"
    [ -z "${facts[i + 4]}" ] || printf '  %-13s   to fix it: %s\n' "" "${facts[i + 4]}"
  done
  case $problems in
    0) printf '\nWarpwise should run here.\n' ;;
    1) printf '\n1 thing keeps Warpwise from running here: the line marked x.\n' ;;
    *) printf '\n%d things keep Warpwise from running here: the lines marked x.\n' $problems ;;
  esac
}

doctor() {
  case ${1:-} in
    "" | --json) ;;
    -h | --help) echo "./warpwise doctor [--json]: what this machine has, what is wrong, how to fix it" && exit ;;
    *) echo "warpwise: doctor has no option '$1', only --json" >&2 && exit 2 ;;
  esac
  use_fetched_cmake
  examine_system
  examine_compiler
  examine_cmake
  examine_packages
  examine_toolkits
  examine_nvrtc
  examine_gpu
  examine_build
  if [ "${1:-}" = --json ]; then print_json; else print_facts; fi
  exit $((problems != 0))
}
