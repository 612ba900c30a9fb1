# A clone in a folder of its own, and a PATH with tools that only pretend to work. Sourced by the tests beside it.
# The folder has spaces and an umlaut in its name, so every test also tests quoting.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)

# new_clone: the clone and the tools, in a folder that goes with this shell.
new_clone() {
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  clone="$folder/Übungen zu CUDA" tools=$folder/bin calls=$folder/calls failed=0
  # A PATH with the commands that any system has, and nothing else.
  mkdir -p "$clone/cmake" "$clone/common/cli" "$tools" "$folder/home"
  # shellcheck disable=SC2046  # many words
  ln -s $(type -P bash sh env awk basename cat chmod comm cp cut date df dirname du find flock grep head iconv id kill ldd ln ls \
    mkdir mktemp mv nproc paste printf readlink rm rmdir sed sleep sort stat tail timeout touch tr uname wc xargs) "$tools"
  cp -r "$here/../../warpwise" "$here/../../setup" "$clone/"
  cp "$here/../../common/cli/commands.def" "$clone/common/cli/"
  sed -i "s:/usr/local/cuda:$folder/cuda:; s:/dev/nvidiactl:$folder/gpu:" "$clone"/setup/*.sh
  cp -r "$here"/../../cmake/{toolkits,cmake-wheel.txt,nvrtc-wheel.txt} "$clone/cmake/"
  make_tools
}

# pretend NAME: makes a program of stdin; each call is noted in $calls.
pretend() {
  rm -f "$tools/$1"
  { printf '#!/bin/bash\necho "%s $*" >>"%s"\n' "$1" "$calls" && cat; } >"$tools/$1"
  chmod +x "$tools/$1"
}

# The tools that work, and nvcc for pretended wheels.
pretend_tools() { cp --remove-destination "$folder"/working/* "$tools"; }

make_tools() {
  local tools=$folder/working
  mkdir "$tools"
  pretend g++ <<<'case $1 in -dump*) echo 12.2.0 ;; --version) echo "g++ 12.2.0" ;; *) cat >/dev/null ;; esac'
  pretend git <<<'case $1 in --version) echo "git version 2.39.5" ;; -C) echo f5a6810 ;; esac'
  pretend cmake <<'TOOL'
case $1 in
  --version) echo "cmake version 3.25.1" ;;
  *) [ -z "$SLOW_CMAKE" ] || sleep $SLOW_CMAKE 9>&-; echo "rules" >build/build.ninja ;;
esac
TOOL
  pretend ninja <<'TOOL'
if [ "$1" = --version ]; then echo 1.11.1; exit; fi
for i in 1 2 3; do echo "[$i/3] Building"; [ -z "$SLOW_NINJA" ] || sleep $SLOW_NINJA 8>&-; done
mkdir -p "$2/common/cli"
for program in cli:"the command line" more:"the rest" class:"the class"; do
  printf '#!/bin/bash\necho "%s: $*"\n' "${program#*:}" >"$2/common/cli/warpwise_${program%%:*}"
done
chmod +x "$2"/common/cli/*
TOOL
  pretend_nvcc 13.0 "$tools/nvcc"
  pretend_nvcc 13.0 "$folder/nvcc"
  pretend python3 <<'TOOL'
if [ "$1" = -c ]; then mkdir "$4"; exit; fi  # nvrtcInstallBundledHeaders
if [ "$3" = --version ]; then echo "pip 23.0 from nowhere"; exit; fi
if [ -n "$NO_NETWORK" ]; then echo "NewConnectionError: Failed to establish a new connection" && exit 1; fi
target=$(sed 's/.*--target \(.*\) --no-deps.*/\1/' <<<"$*")
mkdir -p "$target/nvidia/cu13/bin"
[ -z "$SLOW_PIP" ] || sleep $SLOW_PIP
mkdir -p "$target/nvidia/cu13/lib"
if [[ $* == *nvrtc-wheel.txt ]]; then touch "$target/nvidia/cu13/lib/libnvrtc.so.13" && exit; fi
touch "$target/nvidia/cu13/lib/libcudart.so.13" "$target/nvidia/cu13/.metadata"
cp "$PRETENDED_NVCC" "$target/nvidia/cu13/bin/nvcc"
TOOL
}

# pretend_nvcc VERSION FILE
pretend_nvcc() {
  mkdir -p "$(dirname "$2")"
  printf '#!/bin/bash\nif [ "$1" = --version ]; then echo "Cuda compilation tools, release %s, V%s.88"; fi\n' "$1" "$1" >"$2"
  chmod +x "$2"
}

# in_clone [NAME=VALUE...] ARGUMENTS...: runs ./warpwise there, in an environment with nothing else. Sets said and status.
in_clone() {
  local settings=()
  while [[ ${1:-} == [A-Z]*=* ]]; do settings+=("$1") && shift; done
  said=$(cd "$clone" && env -i PATH="$tools" HOME="$folder/home" TERM=dumb PRETENDED_NVCC="$folder/nvcc" \
    ${settings[@]+"${settings[@]}"} ./warpwise "$@" 2>&1)
  status=$?
}

# expect STATUS TEXT...: what the last in_clone must have said; `!TEXT`: what it must not have said
expect() {
  local wanted=$1 text
  shift
  [ "$status" = "$wanted" ] || complain "exit status $status, not $wanted"
  for text in "$@"; do
    case $text in
      !*) [[ $said != *"${text#!}"* ]] || complain "it should not say: ${text#!}" ;;
      *) [[ $said == *"$text"* ]] || complain "it does not say: $text" ;;
    esac
  done
}

complain() {
  printf '%s: %s\n  it said:\n%s\n' "$case" "$1" "$said" >&2
  failed=1
}

# Everything as in a fresh clone, with tools that work.
start_anew() {
  case=$1
  rm -rf "$clone/build" "$clone/.toolkit" "$folder/cuda" "$folder/gpu" "$calls"
  pretend_tools
}

calls_of() { grep -c "^$1" "$calls" 2>/dev/null; }
