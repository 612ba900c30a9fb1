# What compiles CUDA: NVRTC for kernels, a wheel of one version on every machine; for whole programs and for a GPU the CUDA
# toolkit, the machine's own if it works, otherwise NVIDIA's wheels from PyPI. Sourced by ../warpwise.

# --- NVRTC ------------------------------------------------------------------------------------------------

while IFS= read -r line; do
  if [[ $line =~ ^nvidia-cuda-nvrtc==([0-9]+\.[0-9]+) ]]; then nvrtc_version=${BASH_REMATCH[1]}; fi
done <"$root/cmake/nvrtc-wheel.txt"
nvrtc_folder=$downloads/nvrtc-$nvrtc_version
nvrtc_library=$nvrtc_folder/lib/libnvrtc.so.13

has_nvrtc() { [ -e "$nvrtc_library" ]; }

# To be called once `toolkit` is set. Where NVRTC cannot be had, the toolkit's own compiler takes its place, and what it counts
# may differ from the lessons.
check_nvrtc() {
  local complaint lists=(cmake/nvrtc-wheel.txt)
  if has_nvrtc || fetch_nvrtc; then
    say "NVRTC $nvrtc_version in $(shown "$nvrtc_folder")"
  elif [ -n "$toolkit$wanted_wheels" ]; then
    say "without NVRTC ($complaint) the CUDA toolkit compiles the kernels, and what they count may differ from the lessons"
  else
    if needs_toolkit_for_command; then lists+=("cmake/toolkits/$default_wheels.txt"); fi
    die "nothing here compiles kernels: NVRTC could not be downloaded ($complaint), and there is no CUDA toolkit that works. Please name" \
      "one with WARPWISE_TOOLKIT=FOLDER, or $(how_to_name_wheels "${lists[@]}")"
  fi
}

# Sets complaint where it fails.
fetch_nvrtc() {
  complaint=$(complaint_of_system)
  [ -z "$complaint" ] || return 1
  if ! can_fetch; then
    [ -n "$toolkit$wanted_wheels" ] || die "$install_complaint"
    complaint="there is no pip, which downloads it"
    return 1
  fi
  say "downloading NVIDIA's compiler for kernels, NVRTC $nvrtc_version, from ${WARPWISE_WHEELS:-PyPI} into .toolkit/ (58 MB)"
  fetch "nvrtc-$nvrtc_version" "$root/cmake/nvrtc-wheel.txt" finish_nvrtc || { complaint=$(pip_complaint) && return 1; }
}

# finish_nvrtc FOLDER: the library, and beside it the headers that it brings (nvrtcInstallBundledHeaders).
finish_nvrtc() {
  mv "$1"/nvidia/*/lib "$1/lib" && rm -rf "$1/nvidia" || return 1
  python3 -c 'import ctypes, sys
install = ctypes.CDLL(sys.argv[1]).nvrtcInstallBundledHeaders
sys.exit(install(sys.argv[2].encode(), 0, None))' "$1/lib/libnvrtc.so.13" "$1/headers" >>"$log" 2>&1
}

# --- The toolkit ------------------------------------------------------------------------------------------

default_wheels=13.0

# The version of the wheels that WARPWISE_TOOLKIT names; empty if it names none.
case ${WARPWISE_TOOLKIT:-} in
  wheels) wanted_wheels=$default_wheels ;;
  wheels:*) wanted_wheels=${WARPWISE_TOOLKIT#wheels:} ;;
  *) wanted_wheels="" ;;
esac

wheels_folder() { echo "$downloads/cuda-$1"; }

# In the order of their versions. The last one works on the newest systems; the lessons use the default.
known_wheels() { (cd "$root/cmake/toolkits" && printf '%s\n' *.txt) | sed 's/\.txt$//' | sort -V | paste -sd' '; }

newest_wheels() { known_wheels | grep -o '[^ ]*$'; }

# Every folder that may contain the toolkit, the first choice first.
toolkit_candidates() {
  local folder seen=:
  if [ -n "$wanted_wheels" ]; then
    wheels_folder "$wanted_wheels"
  elif [ -n "${WARPWISE_TOOLKIT:-}" ]; then
    echo "${WARPWISE_TOOLKIT%/}"
  else
    local on_path
    on_path=$(command -v nvcc || true)
    for folder in "${CUDA_HOME:-}" "${CUDA_PATH:-}" "${on_path%/bin/nvcc}" /usr/local/cuda \
      "$(wheels_folder $default_wheels)" "$(wheels_folder "$(newest_wheels)")"; do
      if [ -x "$folder/bin/nvcc" ] && [[ $seen != *":$folder:"* ]]; then echo "$folder"; fi
      seen+=$folder:
    done
  fi
}

toolkit_version() { "$1/bin/nvcc" --version 2>/dev/null | version_in "release "; }

# What is wrong with the toolkit in a folder, in a few words; nothing if it compiles a kernel.
complaint_of_toolkit() {
  local nvcc=$1/bin/nvcc version probe
  [ -x "$nvcc" ] || { echo "there is no bin/nvcc" && return; }
  version=$(toolkit_version "$1") || { echo "\`$nvcc --version\` fails" && return; }
  at_least "$version" 12 || { echo "it is version $version, and Warpwise needs 12 or newer" && return; }
  probe=$(mktemp -d "$build/probe.XXXXXX")
  echo 'extern "C" __global__ void probe(int* out) { *out = 1; }' >"$probe/probe.cu"
  compiles() { "$nvcc" -ptx -arch=compute_75 "$@" -o "$probe/probe.ptx" "$probe/probe.cu" </dev/null >>"$probe/log" 2>&1; }
  # If nvcc finds the compiler too new, it can try others (cmake/HostCompiler.cmake).
  if ! compiles -ccbin "${CXX:-g++}" && ! compiles && ! compiles -ccbin "${CXX:-g++}" -allow-unsupported-compiler; then
    echo "it cannot compile: $(grep -m1 -iE 'error|not found' "$probe/log" || tail -n1 "$probe/log")"
  fi
  rm -rf "$probe"
}

# Whether the command compiles whole programs; all others need NVRTC alone.
needs_toolkit_for_command() {
  case $command in
    exec | nvcc | bench | profile | test) [ -z "$is_explanation" ] ;;
    *) return 1 ;;
  esac
}

# A GPU needs CUDA's runtime, and the programs that run there.
needs_toolkit() {
  needs_toolkit_for_command || ! has_nvrtc || [ -n "$wanted_wheels" ] || [ -e /dev/nvidiactl ]
}

# Sets toolkit to the first that works, or to nothing. One that WARPWISE_TOOLKIT names must work; one that was only found is
# skipped, with a message.
find_toolkit() {
  local folder complaint
  if [ -n "$wanted_wheels" ] && [ ! -f "$root/cmake/toolkits/$wanted_wheels.txt" ]; then
    case $wanted_wheels in
      12 | 12.*) die "NVIDIA's wheels contain nvcc only from CUDA 13.0 on (WARPWISE_TOOLKIT=wheels:VERSION takes $(known_wheels))." \
        "For $wanted_wheels, install the CUDA toolkit and name its folder: WARPWISE_TOOLKIT=FOLDER." ;;
      *) die "WARPWISE_TOOLKIT names wheels of CUDA '$wanted_wheels', but there are only: $(known_wheels)." ;;
    esac
  fi
  toolkit=""
  while read -r folder; do
    if [ -n "$wanted_wheels" ] && [ ! -x "$folder/bin/nvcc" ]; then break; fi
    complaint=$(complaint_of_toolkit "$folder")
    if [ -z "$complaint" ]; then
      toolkit=$folder
      say "CUDA toolkit $(toolkit_version "$folder") in $(shown "$folder")"
      return
    fi
    if [ -n "${WARPWISE_TOOLKIT:-}" ] && [ -z "$wanted_wheels" ]; then
      die "the CUDA toolkit in $folder cannot be used: $complaint" \
        "(WARPWISE_TOOLKIT=wheels ./warpwise ... downloads one into this folder)."
    fi
    say "skipping the CUDA toolkit in $(shown "$folder"): $complaint"
  done < <(toolkit_candidates)
}

# To be called after find_toolkit: NVIDIA's wheels where none was found and one is needed.
check_toolkit() {
  if [ -n "$toolkit" ] || ! needs_toolkit; then return; fi
  local user="the GPU"
  if needs_toolkit_for_command; then user="\`./warpwise $command\`"; fi
  [ -n "$wanted_wheels" ] || say "no CUDA toolkit found that works, and $user needs one"
  case ${WARPWISE_TOOLKIT:-} in
    wheels:*) take_wheels "$wanted_wheels" ;;
    *) take_wheels "$default_wheels" "$(newest_wheels)" ;;
  esac
}

# take_wheels VERSION...: sets toolkit to the first that works here. A C library that is newer than a toolkit may declare
# functions differently from the toolkit's headers.
take_wheels() {
  local version complaint
  for version in "$@"; do
    fetch_toolkit "$version"
    toolkit=$(wheels_folder "$version")
    complaint=$(complaint_of_toolkit "$toolkit")
    if [ -z "$complaint" ]; then
      say "CUDA toolkit $(toolkit_version "$toolkit") in $(shown "$toolkit")"
      return
    fi
    [ "$version" = "${*: -1}" ] || { rm -rf "$toolkit" && say "NVIDIA's nvcc $version does not work here: $complaint"; }
  done
  die "NVIDIA's nvcc $version does not work here: $complaint"
}

fetch_toolkit() {
  local list=cmake/toolkits/$1.txt complaint
  complaint=$(complaint_of_system)
  [ -z "$complaint" ] || die "NVIDIA's nvcc cannot be downloaded: $complaint."
  say "downloading NVIDIA's nvcc $1 from ${WARPWISE_WHEELS:-PyPI} into .toolkit/ (about 100 MB, 300 MB unpacked)"
  fetch "cuda-$1" "$root/$list" join_wheels || die "NVIDIA's nvcc $1 could not be downloaded ($(pip_complaint))." \
    "Please name a CUDA toolkit with WARPWISE_TOOLKIT=FOLDER, or $(how_to_name_wheels "$list")"
}

# join_wheels FOLDER: the wheels unpack into nvidia/*. Makes one toolkit from them, laid out like an installed one.
join_wheels() {
  local part
  mkdir "$1/joined" || return 1
  for part in "$1"/nvidia/*/; do cp -al "$part." "$1/joined/" || return 1; done
  [ -x "$1/joined/bin/nvcc" ] || chmod +x "$1/joined/bin/nvcc" || return 1
  rm -rf "$1/nvidia"
  # The wheels have libcudart.so.13 in lib/; CMake and nvcc look for libcudart.so in lib64/.
  ln -sfn lib "$1/joined/lib64"
  for part in "$1"/joined/lib/libcudart.so.*; do ln -sf "$(basename "$part")" "$1/joined/lib/libcudart.so"; done
  mv "$1/joined"/* "$1/" && rm -rf "$1/joined"  # wheels of some versions contain hidden files, which nobody needs
}

# --- NVIDIA's wheels --------------------------------------------------------------------------------------

# Why they are of no use on this system; nothing if they are.
complaint_of_system() {
  case $(uname -m) in
    x86_64 | aarch64) ;;
    *) echo "NVIDIA has no wheels for $(uname -m)" && return ;;
  esac
  if [[ $(ldd --version 2>&1) == *musl* ]]; then
    echo "NVIDIA's compilers need glibc and this system has musl; a container of Debian or Ubuntu has it"
  fi
}

# how_to_name_wheels LIST...: the end of a sentence.
how_to_name_wheels() {
  echo "a folder of wheels with WARPWISE_WHEELS=FOLDER. To fill the folder, on a machine with a network:" \
    "\`python3 -m pip download --no-deps -d FOLDER$(printf ' -r %s' "$@")\`."
}

# --- pip --------------------------------------------------------------------------------------------------

# Sets pip: the module, or its wheel from Debian's python3-pip-whl and python3-venv.
find_pip() {
  local wheel
  has python3 || return 1
  pip=(python3 -m pip)
  if "${pip[@]}" --version >/dev/null 2>&1; then return; fi
  for wheel in /usr/share/python-wheels/pip-*.whl /usr/lib/python3*/ensurepip/_bundled/pip-*.whl; do
    pip=(python3 "$wheel/pip")
    if [ -f "$wheel" ] && "${pip[@]}" --version >/dev/null 2>&1; then return; fi
  done
  return 1
}

pip_complaint() {
  if grep -aqi 'No space left' "$log"; then
    echo "there is no space left on the disk"
  elif grep -aqiE 'DO NOT MATCH THE HASHES' "$log"; then
    echo "the download is not what was expected: its hash does not match"
  elif grep -aqiE 'Failed to establish|Temporary failure|Name or service|NewConnectionError|Could not resolve|timed out|ProxyError|Network is unreachable' "$log"; then
    echo "no network"
  else
    grep -a '^ERROR:' "$log" | tail -n1 | cut -c8- | grep . || echo "log: $(shown "$log")"
  fi
}

# Whether pip is there, or could be installed; otherwise sets install_complaint.
can_fetch() { find_pip || { try_install python pip && find_pip; }; }

# fetch NAME REQUIREMENTS [FINISH]: downloads the wheels listed in REQUIREMENTS into .toolkit/NAME; FINISH arranges them. It
# does this completely or not at all: what an interrupted run left is in a folder of another name.
fetch() {
  local folder=$downloads/$1 part=$downloads/$1.part
  local options=(--target "$part/out" --no-deps --require-hashes --only-binary=:all: --disable-pip-version-check
    --retries 1 --timeout 20)
  can_fetch || die "$install_complaint"
  [ -z "${WARPWISE_WHEELS:-}" ] || options+=(--no-index --find-links "$WARPWISE_WHEELS")
  [ -z "${WARPWISE_DOWNLOADS:-}" ] || options+=(--cache-dir "$WARPWISE_DOWNLOADS")
  rm -rf "$part" && mkdir -p "$part/tmp" || return 1
  fetching() { echo "downloading: $(du -sm "$part" 2>/dev/null | cut -f1) MB on disk after $1 s"; }
  # The student's own settings of pip must not interfere.
  run_shown fetching env TMPDIR="$part/tmp" PIP_USER=no PIP_REQUIRE_VIRTUALENV=no "${pip[@]}" install "${options[@]}" -r "$2" &&
    { [ -z "${3:-}" ] || "$3" "$part/out"; } && rm -rf "$folder" && mv "$part/out" "$folder"
  local status=$?
  rm -rf "$part"
  return $status
}
