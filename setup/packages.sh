# What must come from the distribution: a compiler, CMake, Ninja, git, three libraries. Sourced by ../warpwise.

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# As root, or if sudo works or can ask for the password.
may_install() {
  [ "$(id -u)" = 0 ] || { has sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; }
}

# The program that installs packages here.
package_manager() {
  local name
  for name in apt-get dnf pacman zypper apk; do
    if has $name; then echo $name && return; fi
  done
}

# package WHAT: the name of its package on this system
package() {
  case $(package_manager):$1 in
    apt-get:ninja | dnf:ninja) echo ninja-build ;;
    apt-get:cli11) echo libcli11-dev ;;
    apt-get:json) echo nlohmann-json3-dev ;;
    apt-get:pip) apt_pip ;;
    dnf:g++ | zypper:g++) echo gcc-c++ ;;
    dnf:catch2) echo catch-devel ;;
    zypper:catch2) echo Catch2-devel ;;
    dnf:cli11 | zypper:cli11) echo cli11-devel ;;
    dnf:json) echo json-devel ;;
    pacman:json) echo nlohmann-json ;;
    pacman:g++) echo gcc ;;
    pacman:python) echo python ;;
    pacman:pip) echo python-pip ;;
    zypper:json) echo nlohmann_json-devel ;;
    apk:json) echo nlohmann-json ;;
    apk:pip) echo py3-pip ;;
    *:pip) echo python3-pip ;;
    *:python) echo python3 ;;
    *:json) echo nlohmann-json ;;
    *) echo "$1" ;;
  esac
}

# pip as a wheel is a third of the size of python3-pip, and enough. But the wheel of Ubuntu 22.04 also needs distutils,
# which only the whole package has.
apt_pip() { if grep -qs jammy /etc/os-release; then echo python3-pip; else echo python3-pip-whl; fi; }

# The one command that installs the packages.
install_command() {
  local sudo=""
  [ "$(id -u)" = 0 ] || sudo="sudo "
  case $(package_manager) in
    apt-get) echo "${sudo}apt-get install --no-install-recommends $*" ;;
    dnf) echo "${sudo}dnf install $*" ;;
    pacman) echo "${sudo}pacman -S --needed $*" ;;
    zypper) echo "${sudo}zypper install $*" ;;
    apk) echo "${sudo}apk add $*" ;;
    *) echo "$* (by this system's package manager)" ;;
  esac
}

apt_install() {
  local options=(-y -q --no-install-recommends)
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" "$@" ||
    { as_root apt-get update -q && as_root env DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" "$@"; }
}

# try_install WHAT...: as root or through sudo, if packages are Debian's; otherwise sets install_complaint, which says in one
# line what to type.
try_install() {
  local what names=()
  for what in "$@"; do names+=("$(package "$what")"); done
  install_complaint="please install what is missing: $(install_command "${names[@]}")"
  [ "$(package_manager)" = apt-get ] && may_install || return 1
  say "installing with apt-get: ${names[*]}"
  if [ "$(id -u)" != 0 ]; then sudo -v || return 1; fi
  installing() { echo "installing: ${names[*]} ($1 s)"; }
  must_not_be_killed=apt-get  # nobody wants half an installation
  if run_shown installing apt_install "${names[@]}"; then must_not_be_killed="" && return; fi
  must_not_be_killed=""
  install_complaint="apt-get could not install ${names[*]}: $(grep -a '^E:' "$log" | tail -n1 | cut -c4-) (log: $(shown "$log"))"
  return 1
}

# The same, and the end of everything where it fails.
install() { try_install "$@" || die "$install_complaint"; }

# Whether the compiler finds the header.
has_header() { echo "#include <$1>" | "${CXX:-g++}" -std=c++17 -E -x c++ - >/dev/null 2>&1; }

# The libraries that CMake could fetch.
header_libraries="catch2 cli11 json"
has_library() {
  case $1 in
    catch2) has_header catch2/catch_version_macros.hpp || has_header catch2/catch.hpp ;;
    cli11) has_header CLI/CLI.hpp ;;
    json) has_header nlohmann/json.hpp ;;
  esac
}

check_packages() {
  local missing=() libraries=() library
  if [ -n "${CXX:-}" ] && ! has "$CXX"; then die "CXX names a compiler that does not exist here: '$CXX'."; fi
  has "${CXX:-g++}" || missing+=(g++)
  has cmake || [ -x "$fetched_cmake/cmake" ] || missing+=(cmake)
  has ninja || missing+=(ninja)
  has git || missing+=(git)
  for library in $header_libraries; do has_library $library || libraries+=($library); done
  # If only libraries are missing, CMake can fetch them by itself: nobody needs to become root for them.
  if [ ${#missing[@]} != 0 ] || { [ "$(package_manager)" = apt-get ] && may_install; }; then
    missing+=(${libraries[@]+"${libraries[@]}"})
  fi
  # Everything that will be needed, in one line. By itself pip is not required: a CUDA toolkit compiles kernels, too.
  if [ ${#missing[@]} != 0 ] && ! has_nvrtc; then
    has python3 || missing+=(python)
    find_pip || missing+=(pip)
  fi
  [ ${#missing[@]} = 0 ] || install "${missing[@]}"
  choose_compiler
  choose_cmake
  say "cmake $(cmake --version | version_in), ninja $(ninja --version), $(basename "$CXX") $(compiler_version "$CXX")"
}

compiler_version() { "$1" -dumpfullversion -dumpversion; }

# Whether the compiler knows C++20: from g++ 11 and clang 14 on. The version of another compiler is not known.
knows_cxx20() {
  case $("$1" --version 2>/dev/null) in
    *clang*) at_least "$(compiler_version "$1")" 14 ;;
    *) at_least "$(compiler_version "$1")" 11 ;;
  esac
}

# Sets CXX to what it names, or to g++, or to the newest other compiler that knows C++20.
choose_compiler() {
  local chosen=${CXX:-g++} other
  if ! knows_cxx20 "$chosen"; then
    [ -z "${CXX:-}" ] || die "CXX names $CXX, version $(compiler_version "$CXX"); Warpwise needs g++ 11 or clang 14, or newer."
    for other in g++-{15,14,13,12,11} clang++-{19,18,17,16,15,14} clang++; do
      if has $other && knows_cxx20 $other; then break; fi
      other=""
    done
    [ -n "$other" ] || die "g++ is version $(compiler_version g++); Warpwise needs 11 or newer (C++20):" \
      "install one, e.g. g++-12, and name it: CXX=g++-12 ./warpwise ..."
    say "g++ $(compiler_version g++) is older than 11: using $other instead"
    chosen=$other
  fi
  export CXX=$chosen
}

fetched_cmake=$downloads/cmake/cmake/data/bin

use_fetched_cmake() {
  if [ -x "$fetched_cmake/cmake" ]; then PATH=$fetched_cmake:$PATH; fi
}

# CMake 3.24 or newer: the system's, or the one on PyPI.
choose_cmake() {
  local version
  version=$(cmake --version 2>/dev/null | version_in || true)
  if at_least "${version:-0}" 3.24; then return; fi
  if [ ! -x "$fetched_cmake/cmake" ]; then
    say "cmake ${version:-} is older than 3.24: downloading 3.31.6 from PyPI (28 MB) into .toolkit/"
    fetch cmake "$root/cmake/cmake-wheel.txt" || die "CMake 3.24 or newer could not be downloaded from PyPI" \
      "($(pip_complaint)). Please install it, or name $(how_to_name_wheels cmake/cmake-wheel.txt)"
  fi
  use_fetched_cmake
}
