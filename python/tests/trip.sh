#!/usr/bin/env bash
# trip.sh WHEEL PACKAGES CLONE: from `pip install` in a fresh environment to every verdict, which must be that of CLONE, where
# ./warpwise has been built. PACKAGES: a folder with NVIDIA's wheels; with those of the extra, a program is run as well.
set -euo pipefail
wheel=$(realpath "$1") packages=$(realpath "$2") clone=$(realpath "$3")
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache
cd "$work"

fail() { echo "trip: $*" >&2 && exit 1; }
# expect WORDS COMMAND...: the command prints the words.
expect() {
  local words=$1 said
  said=$("${@:2}" 2>&1) || true
  [[ $said == *"$words"* ]] || fail "\`${*:2}\` does not say '$words', but: $said"
}
seconds() { awk -v from="$1" -v to="$(date +%s.%N)" 'BEGIN { printf "%.1f", to - from }'; }

# All that is listed is in it, and nothing else but the programs.
in_wheel() { python3 -m zipfile -l "$wheel" | sed -nE 's,^warpwise/course/([^ ]*[^ /]) .*,\1,p' | grep -v '^build/' | sort; }
diff <(in_wheel) <({ "$clone/.ci/wheel" --list | cut -d' ' -f2; echo start.txt; } | sort) >&2 || fail "these files are not as listed"

python3 -m venv environment
begin=$(date +%s.%N)
environment/bin/pip install -q --disable-pip-version-check --no-index --find-links "$packages" "$wheel"
installed=$(seconds "$begin")
PATH=$work/environment/bin:$PATH
warpwise start folder >/dev/null
cd folder
judging=$(date +%s.%N)
expect "✗ reduce_naive" env LC_ALL=C.UTF-8 warpwise run ch01
echo "$(stat -c %s "$wheel") bytes; pip install $installed s, first verdict $(seconds "$judging") s later, $(seconds "$begin") s in all"

expect "ch01_naive" ./warpwise list
expect "hint 1 of 3" ./warpwise hint ch01
expect "reduce_naive" warpwise show ch01 --solution --text
expect "is drawn in build/show/" warpwise show ch01 --solution
expect "No answer" warpwise puzzle ch01 --anyway </dev/null
expect "__global__ void reduce_naive" warpwise solution ch01
expect "is the skeleton already" warpwise reset ch01
expect "Your turn" warpwise tour
expect "NVRTC" warpwise doctor
expect "Everything is up to date" python -m warpwise update
expect "is such a folder already" warpwise start .
(cd / && expect "here is no folder" warpwise run ch01)
(cd / && expect "Your turn: warpwise start FOLDER" warpwise tour)
if [ "$(find . -name 'solution.*' ! -path './build/*')" ]; then fail "a solution is in sight"; fi

# The student's file is judged, and what is right is remembered.
sed -n '/./p' "$clone/ch01_naive/solution.cu" >ch01_naive/exercise.cu
expect "✓ reduce_naive" env LC_ALL=C.UTF-8 ./warpwise run ch01
expect "2 of 2" warpwise list
expect "Your version is kept as ch01_naive/exercise.cu.1" warpwise reset ch01

if ls "$packages"/nvidia_cuda_nvcc-* >/dev/null 2>&1; then
  [ -n "$(command -v nvcc)" ] || [ -e /usr/local/cuda/bin/nvcc ] || expect "pip install 'warpwise[exec]'" \
    warpwise exec docs/first_kernel/1_hello.cu
  pip install -q --disable-pip-version-check --no-index --find-links "$packages" "$wheel[exec]"
  expect "race" warpwise exec docs/first_kernel/5_reverse.cu
fi
python3 "$here/same_verdicts.py" "$work/folder" "$clone"
