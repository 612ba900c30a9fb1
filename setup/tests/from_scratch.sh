#!/usr/bin/env bash
# from_scratch.sh: ./warpwise in a fresh clone, with things that are missing, broken, slow, or interrupted. Its parts mostly wait, so
# they run at the same time, each in a clone of its own.
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/fake_tools.sh"

first_use() {
  start_anew "a fresh clone"
  in_clone list
  expect 0 "setting up (once)" "CUDA toolkit 13.0 in $folder" "the command line: list"
  in_clone list
  expect 0 "the command line: list" "!setting up"
  [ "$(calls_of 'cmake --fresh')" = 1 ] || complain "it was configured twice"
  rm -rf "$clone/build"
  in_clone list
  expect 0 "the command line: list"

  start_anew "a home that is not there, no terminal, no language"
  in_clone HOME=/nonexistent LANG=C TERM=dumb list
  expect 0 "the command line: list" $'!\033'

  start_anew "each command builds what it needs, and no more"
  in_clone tour
  expect 0 "the command line: tour"
  [ "$(calls_of 'ninja .* tour warpwise_cli$')" = 1 ] || complain "it did not build the tour and its program"
  in_clone solution ch01
  expect 0 "the command line: solution ch01"
  [ "$(calls_of 'ninja -C')" = 1 ] || complain "it built more to print a solution"
  in_clone show ch01
  expect 0 "the rest: show ch01"
  [ "$(calls_of 'ninja .* warpwise_more$')" = 1 ] || complain "it did not build what draws alone"
  in_clone grade submissions
  expect 0 "the command line: grade submissions"  # this clone has no teaching/: a handout
  mkdir -p "$clone/common/cli/teaching"
  in_clone grade submissions
  expect 0 "the class: grade submissions"
  [ "$(calls_of 'ninja .* warpwise_class$')" = 1 ] || complain "it did not build the instructor's commands alone"
  rm -r "$clone/common/cli/teaching"
  in_clone test --help
  expect 0 "the command line: test --help"
  in_clone tset
  expect 0 "the command line: tset"  # which says what was meant
  [ "$(calls_of 'ninja .* all')" = 0 ] || complain "it built everything for an explanation"
  in_clone test
  expect 0 "the command line: test"
  [ "$(calls_of 'ninja .* all warpwise_cli$')" = 1 ] || complain "it did not build all tests"

  start_anew "the first screen, which needs nothing"
  in_clone
  expect 0 "  ./warpwise run ch01      build" "  ./warpwise list          show the chapters" "More: watch, " "for a class: handout, grade, new-chapter."
  [ ! -e "$clone/build" ] || complain "it set something up"
}

# --- The build --------------------------------------------------------------------------------------------

# A build that fails as Ninja tells it.
pretend_failing_ninja() {
  pretend ninja <<TOOL
if [ "\$1" = --version ]; then echo 1.11.1; exit; fi
echo "ninja: Entering directory build"
echo "[1/2] Compiling ch01_naive.exercise to PTX"
echo "FAILED: ch01_naive/exercise.ptx "
echo "cd $clone/build/ch01_naive && nvcc -ptx -O3 exercise.cu"
echo '$clone/ch01_naive/exercise.cu(9): error: expected a ";"'
echo '  extern "C" __attribute__((global)) void k() {'
echo '    ^'
echo '1 error detected in the compilation of "$clone/ch01_naive/exercise.cu".'
echo "ninja: build stopped: subcommand failed."
exit 1
TOOL
}
what_nvcc_said='ch01_naive/exercise.cu(9): error: expected a ";"
  extern "C" __global__ void k() {
    ^
1 error detected in the compilation of "ch01_naive/exercise.cu".'

builds() {
  start_anew "a build that fails"
  pretend_failing_ninja
  in_clone list
  expect 1 "$what_nvcc_said" "warpwise: the build failed (log: build/build.log)." "!FAILED" "!-ptx" "!ninja:" "![1/2]"
  grep -q 'FAILED: ch01_naive' "$clone/build/build.log" || complain "the log does not have all of it"

  start_anew "what the command line builds later"
  in_clone list
  pretend_failing_ninja
  said=$(env -i PATH="$tools" "$clone/setup/build.sh" "$clone/build" a.target another 2>"$folder/errors") && complain "it did not fail"
  [ "$said" = "$what_nvcc_said" ] || complain "not what compilers said, and that alone"
  [ ! -s "$folder/errors" ] || complain "it wrote to standard error: $(cat "$folder/errors")"
  [ "$(calls_of 'ninja .* a.target another$')" = 1 ] || complain "other targets were built"
  pretend ninja <<<'echo "something that nobody expects"; exit 1'
  said=$(env -i PATH="$tools" "$clone/setup/build.sh" "$clone/build" a.target) && complain "it did not fail"
  [ "$said" = "something that nobody expects" ] || complain "what it said is lost"

  start_anew "two that build"
  in_clone list
  touch "$clone/common/cli/commands.def"
  (
    flock 8
    sleep 3
  ) 8>"$clone/build/lock" &
  in_clone list
  expect 0 "another ./warpwise is building here: waiting for it" "the command line: list"
  wait
}

# Ninja is asked where a source of the project has changed, or where something has not been built yet.
what_changed() {
  start_anew "what has changed since the build"
  mkdir -p "$clone/common/text" "$clone/ch01_naive/checks" "$clone/ch01_naive/kernels"
  touch "$clone/common/text/words.cpp" "$clone/ch01_naive"/{exercise.cu,solution.cu,README.md,tree.hpp,checks/checks.cpp,kernels/sum.md}
  # asks_ninja YES COMMAND...: whether the command does, and then whether it does once more
  asks_ninja() {
    : >"$calls"
    in_clone "${@:2}"
    expect 0 ": ${*:2}"
    [ "$(calls_of 'ninja -C')" = "$1" ] || complain "Ninja was asked $(calls_of 'ninja -C') times for '${*:2}', not $1"
    if [ "$1" = 1 ]; then asks_ninja 0 "${@:2}"; fi
  }
  asks_ninja 1 list
  asks_ninja 1 tour
  asks_ninja 1 show ch01
  asks_ninja 0 run ch01
  for file in exercise.cu solution.cu README.md; do
    sleep 0.02 && echo "$file" >"$clone/ch01_naive/$file"
    asks_ninja 0 run ch01
  done
  for file in common/text/words.cpp setup/functions.sh cmake/nvrtc-wheel.txt ch01_naive/{tree.hpp,checks/checks.cpp,kernels/sum.md}; do
    case="$file has changed"
    sleep 0.02 && touch "$clone/$file"
    asks_ninja 1 list
  done
  case="a source that is new, and one that is gone"
  sleep 0.02 && touch "$clone/common/text/new.cpp"
  asks_ninja 1 list
  sleep 0.02 && rm "$clone/common/text/new.cpp"
  asks_ninja 1 list
  case="a build that failed"
  sleep 0.02 && touch "$clone/common/text/words.cpp"
  pretend_failing_ninja
  in_clone list
  expect 1 "the build failed"
  pretend_tools
  asks_ninja 1 list

  # What has kernels in it: they may have changed.
  case="all tests, a program of a lesson, a comparison"
  for target in all ch01_naive.single_buffer ch01_naive.bench.exercise; do
    : >"$calls"
    for _ in 1 2; do env -i PATH="$tools" "$clone/setup/build.sh" "$clone/build" $target; done
    [ "$(calls_of 'ninja -C')" = 2 ] || complain "Ninja was not asked for $target"
  done

  start_anew "what a command starts that builds nothing"
  for command in "$tools"/*; do  # each is noted, too
    [ ! -L "$command" ] || pretend "${command##*/}" <<<"exec $(readlink "$command") \"\$@\""
  done
  in_clone list
  : >"$calls"
  in_clone list
  expect 0 "the command line: list"
  [ "$(wc -l <"$calls")" = 3 ] || complain "not bash, stat and find alone: $(cut -c1-100 "$calls")"
}

others() {
  # Folders in place of files refuse even root to write them, as another user's files refuse us.
  for file in setup.lock lock build.log; do
    start_anew "a build of somebody else's, with $file"
    mkdir -p "$clone/build/$file"
    in_clone list
    expect 1 "warpwise: $clone/build is not writable, and Warpwise builds there: please make a clone of your own." "!line " "!the command line"
  done
  start_anew "stamps of somebody else's"
  in_clone list
  rm -r "$clone/build/stamps"
  : >"$clone/build/stamps"
  in_clone list
  expect 1 "warpwise: $clone/build is not writable, and Warpwise builds there: please make a clone of your own." "!line " "!the command line"
  start_anew "a reader that goes away, such as less in a small window"
  said=$(cd "$clone" && { PATH="$tools:$PATH" ./warpwise | true; } 2>&1; trap '' PIPE; { PATH="$tools:$PATH" ./warpwise | true; } 2>&1)
  [ -z "$said" ] || complain "it said: $said"
  start_anew "run by an sh that is bash"
  mkdir -p "$clone/build/setup.lock"
  said=$(cd "$clone" && PATH="$tools:$PATH" bash --posix warpwise list 2>&1)
  status=$?
  expect 1 "warpwise: $clone/build is not writable" "!line "
  start_anew "run by sh"
  said=$(cd "$clone" && PATH="$tools:$PATH" "$(command -v dash || command -v sh)" warpwise 2>&1)
  status=$?
  expect 0 "  ./warpwise list          show the chapters" "!pipefail"
}

progress() {
  start_anew "how far a build is"
  . "$clone/setup/functions.sh"
  root=$clone build=$clone/build
  . "$clone/setup/build.sh"
  # far TEXT DONE TOTAL SECONDS
  far() { said=$(progress_text "$2" "$3" "$4") && [ "$said" = "$1" ] || complain "progress_text ${*:2}"; }
  far "building" 0 0 9
  far "building 3 of 120" 3 120 9
  far "building 20 of 120" 20 120 1
  far "building 40 of 120, about 50 s left" 40 120 25
  far "building 40 of 120, about 55 s left" 40 120 26
  far "building 30 of 1200, about 7 min left" 30 1200 10
  far "building 119 of 120" 119 120 80
  far "building 95 of 101" 95 101 160  # the last take longer than the others
  in_clone SLOW_NINJA=2 list
  expect 0 "  building 2 of 3"
  [[ $said =~ '  built in '[0-9]+' s' ]] || complain "it does not say how long it took"
  touch "$clone/common/cli/commands.def"
  in_clone SLOW_NINJA=2 WARPWISE_PROGRESS=no list
  expect 0 "the command line: list" "!building" "!built"
}

# --- The toolkit ------------------------------------------------------------------------------------------

# options_of_cmake: how it was called last
options_of_cmake() { grep '^cmake --fresh' "$calls" | tail -n1; }

toolkits() {
  start_anew "no toolkit"
  rm "$tools/nvcc"
  in_clone list
  expect 0 "NVRTC 13.5, from PyPI into .toolkit/ (58 MB)" "NVRTC 13.5 in .toolkit/nvrtc-13.5" "!toolkit found" "!nvcc"
  [ -d "$clone/.toolkit/nvrtc-13.5/headers" ] || complain "no headers"
  [[ $(options_of_cmake) == *" -DWARPWISE_TOOLKIT=OFF"* ]] || complain "the build looks for a toolkit"
  in_clone run ch01
  expect 0 "the command line: run ch01" "!setting up"
  in_clone exec --help
  expect 0 "the rest: exec --help" "!setting up"
  in_clone exec prog.cu
  expect 0 "no CUDA toolkit found that works, and \`./warpwise exec\` needs one" "CUDA toolkit 13.0 in .toolkit/cuda-13.0" \
    "downloading NVIDIA's nvcc 13.0 from PyPI" "!downloading NVIDIA's compiler for kernels"
  [[ $(options_of_cmake) == *" -DCUDAToolkit_ROOT=$clone/.toolkit/cuda-13.0" ]] || complain "the build was not told of the toolkit"
  [ -e "$clone/.toolkit/cuda-13.0/lib64/libcudart.so" ] || complain "no lib64/libcudart.so"
  for command in "exec prog.cu" "test" "list"; do
    # shellcheck disable=SC2086  # several words
    in_clone $command
    expect 0 ": $command" "!setting up"
  done
  in_clone WARPWISE_TOOLKIT=wheels:13.5 list
  expect 0 "in .toolkit/cuda-13.5"
  in_clone list
  expect 0 "in .toolkit/cuda-13.0" "!downloading"
  [ "$(calls_of 'python3 -m pip install')" = 3 ] || complain "something was downloaded twice"

  start_anew "no toolkit, but a GPU"
  rm "$tools/nvcc"
  touch "$folder/gpu"
  in_clone list
  expect 0 "no CUDA toolkit found that works, and the GPU needs one" "CUDA toolkit 13.0 in .toolkit/cuda-13.0"

  start_anew "a toolkit, and all the tests"
  in_clone test
  expect 0 "CUDA toolkit 13.0 in $folder" "NVRTC 13.5 in .toolkit/nvrtc-13.5" "!nvcc 13.0" "the command line: test"
  in_clone list
  expect 0 "the command line: list" "!setting up"
}

# What is said where nothing compiles kernels, and nothing can be downloaded.
nothing_compiles="warpwise: nothing here compiles kernels: NVRTC could not be downloaded (no network), and there is no CUDA toolkit"
without_network() {
  start_anew "no network"
  rm "$tools/nvcc"
  in_clone NO_NETWORK=1 list
  expect 1 "$nothing_compiles" "with WARPWISE_TOOLKIT=FOLDER" "WARPWISE_WHEELS=FOLDER" \
    "pip download --no-deps -d FOLDER -r cmake/nvrtc-wheel.txt\`."
  [ "$(grep -c 'warpwise:' <<<"$said")" = 1 ] || complain "not one line"
  [ -z "$(ls "$clone/.toolkit")" ] || complain "it left something in .toolkit/"
  in_clone NO_NETWORK=1 exec prog.cu
  expect 1 "$nothing_compiles" "-r cmake/nvrtc-wheel.txt -r cmake/toolkits/13.0.txt\`."
  in_clone WARPWISE_WHEELS="$folder/a house" WARPWISE_DOWNLOADS="$folder/kept here" list
  expect 0 "NVRTC 13.5, from $folder/a house"
  grep -q -- "--no-index --find-links $folder/a house --cache-dir $folder/kept here" "$calls" || complain "pip did not get these options"
  in_clone NO_NETWORK=1 exec prog.cu
  expect 1 "warpwise: NVIDIA's nvcc 13.0 could not be downloaded (no network)" "-r cmake/toolkits/13.0.txt\`."
  in_clone NO_NETWORK=1 list
  expect 0 "the command line: list" "!setting up"  # what was there is as it was

  start_anew "no network, and a toolkit"
  in_clone NO_NETWORK=1 list
  expect 0 "without NVRTC (no network) the CUDA toolkit compiles the kernels, and what they count may differ from the lessons" \
    "the command line: list"
  [[ $(options_of_cmake) == *" -DCUDAToolkit_ROOT=$folder" ]] || complain "the build was not told of the toolkit"
  in_clone NO_NETWORK=1 list
  expect 0 "the command line: list" "!setting up"

  start_anew "no pip, and nobody who could install it"
  pretend id <<<'echo 1000'
  pretend apt-get <<<'exit 1'
  pretend python3 <<<'exit 1'
  in_clone list
  expect 0 "without NVRTC (there is no pip, which downloads it) the CUDA toolkit compiles the kernels" "the command line: list"
  start_anew "no pip, and no toolkit"
  pretend python3 <<<'exit 1'
  rm "$tools/nvcc"
  in_clone list
  expect 1 "warpwise: please install what is missing: sudo apt-get install --no-install-recommends python3 python3-pip"
  ln -sf "$(type -P id)" "$tools/id"

  start_anew "no pip, and apt-get has no network"
  pretend id <<<'echo 0'
  pretend python3 <<<'exit 1'
  in_clone list
  expect 0 "without NVRTC (there is no pip, which downloads it) the CUDA toolkit compiles the kernels" "the command line: list"
  ln -sf "$(type -P id)" "$tools/id"
  rm "$tools/apt-get"
}

odd_toolkits() {
  start_anew "wheels that do not exist"
  in_clone WARPWISE_TOOLKIT=wheels:99 list
  expect 1 "names wheels of CUDA '99', but there are only: 13.0 "
  in_clone WARPWISE_TOOLKIT=wheels:12.4 list
  expect 1 "from CUDA 13.0 on" "WARPWISE_TOOLKIT=FOLDER"

  start_anew "a toolkit that is too old, and one that is broken"
  pretend_nvcc 11.5 "$tools/nvcc"
  in_clone list
  expect 0 "skipping the CUDA toolkit in $folder: it is version 11.5" "NVRTC 13.5 in .toolkit/nvrtc-13.5" "!nvcc 13.0"
  in_clone exec prog.cu
  expect 0 "skipping the CUDA toolkit in $folder: it is version 11.5" "CUDA toolkit 13.0 in .toolkit/cuda-13.0"
  in_clone WARPWISE_TOOLKIT="$folder/nothing here" list
  expect 1 "in $folder/nothing here cannot be used: there is no bin/nvcc" "WARPWISE_TOOLKIT=wheels"
  pretend nvcc <<<'echo "nvcc: libfoo.so is missing" >&2; exit 127'
  in_clone list
  expect 0 "skipping the CUDA toolkit in $folder: " "--version\` fails" "!11.5"

  start_anew "a C library that the default wheels do not know"
  rm "$tools/nvcc"
  sed -i '2i case $0 in */cuda-13.0/*) [ "$1" = --version ] || { echo "error: rsqrt" >\&2; exit 1; } ;; esac' "$folder/nvcc"
  in_clone exec prog.cu
  expect 0 "nvcc 13.0 does not work here: it cannot compile: error: rsqrt" "CUDA toolkit 13.0 in .toolkit/cuda-13.5"
  in_clone list
  expect 0 "the command line: list" "!setting up"
  in_clone WARPWISE_TOOLKIT=wheels:13.0 list
  expect 1 "nvcc 13.0 does not work here: it cannot compile: error: rsqrt"
}

# --- Interrupted ------------------------------------------------------------------------------------------

# interrupted_while FILE SIGNAL NAME=VALUE [ARGUMENT...]: starts ./warpwise, waits for FILE, sends SIGNAL
interrupted_while() {
  local pid i
  (cd "$clone" && exec env -i PATH="$tools" HOME="$folder/home" PRETENDED_NVCC="$folder/nvcc" "$3" ./warpwise "${@:4}") \
    >"$folder/said" 2>&1 &
  pid=$!
  for ((i = 0; i < 100; ++i)); do if [ -e "$clone/$1" ]; then break; fi; sleep 0.1; done
  sleep 0.3
  kill -"$2" $pid
  wait $pid 2>/dev/null
  status=$?
  said=$(cat "$folder/said")
}

interrupted_downloads() {
  local command wheels
  for command in list "exec prog.cu"; do
    wheels=nvrtc-13.5
    start_anew "ended while downloading for $command"
    rm "$tools/nvcc"
    if [ "$command" != list ]; then in_clone list && wheels=cuda-13.0; fi
    # shellcheck disable=SC2086  # several words
    interrupted_while .toolkit/$wheels.part/out/nvidia/cu13 TERM SLOW_PIP=3 $command
    expect 130 "interrupted; run the same command again to go on from here"
    [ ! -e "$clone/.toolkit/$wheels" ] || complain "half of it is there"
    in_clone $command
    expect 0 " in .toolkit/$wheels" ": $command"
    [ ! -e "$clone/.toolkit/$wheels.part" ] || complain "the half is still there"
  done

  start_anew "killed while downloading"
  rm "$tools/nvcc"
  interrupted_while .toolkit/nvrtc-13.5.part/out/nvidia/cu13 KILL SLOW_PIP=3 list
  in_clone list
  expect 0 "another ./warpwise is setting up this clone: waiting for it" "NVRTC 13.5 in .toolkit/nvrtc-13.5" "the command line: list"
}

interrupted_builds() {
  start_anew "ended while configuring"
  interrupted_while build/configure.log TERM SLOW_CMAKE=5 list
  expect 130 "interrupted"
  in_clone list
  expect 0 "setting up" "the command line: list" "!waiting for it"

  start_anew "ended while building"
  interrupted_while build/build.log TERM SLOW_NINJA=3 list
  expect 130 "interrupted"
  in_clone list
  expect 0 "the command line: list" "!setting up"
}

# --- The machine ------------------------------------------------------------------------------------------

# line_for MANAGER LINE: what somebody without rights is told if nothing is installed
line_for() {
  start_anew "nothing installed, $1"
  pretend id <<<'echo 1000'
  rm "$tools"/{g++,cmake,ninja,python3,nvcc}
  pretend "$1" <<<'exit 1'
  in_clone list
  expect 1 "please install what is missing: $2"
  [ "$(grep -c 'warpwise:' <<<"$said")" = 1 ] || complain "not one line"
  rm "$tools/$1"
}
machines() {
  line_for apt-get "sudo apt-get install --no-install-recommends g++ cmake ninja-build catch2 libcli11-dev nlohmann-json3-dev python3 python3-pip"  # on newer systems python3-pip-whl
  line_for dnf "sudo dnf install gcc-c++ cmake ninja-build catch-devel cli11-devel json-devel python3 python3-pip"
  line_for pacman "sudo pacman -S --needed gcc cmake ninja catch2 cli11 nlohmann-json python python-pip"
  line_for zypper "sudo zypper install gcc-c++ cmake ninja Catch2-devel cli11-devel nlohmann_json-devel python3 python3-pip"
  ln -sf "$(type -P id)" "$tools/id"

  start_anew "an old compiler"
  pretend g++ <<<'case $1 in -dump*) echo 9.4.0 ;; --version) echo "g++ 9.4.0" ;; esac'
  in_clone list
  expect 1 "g++ is version 9.4.0; Warpwise needs 11 or newer" "CXX=g++-12 ./warpwise"
  pretend g++-12 <<<'case $1 in -dump*) echo 12.3.0 ;; --version) echo "g++ 12.3.0" ;; esac'
  in_clone list
  expect 0 "g++ 9.4.0 is older than 11: using g++-12 instead" "the command line: list"
  rm "$tools/g++-12"
  in_clone CXX=nothing++ list
  expect 1 "CXX names a compiler that does not exist here: 'nothing++'"

  start_anew "an old CMake"
  pretend cmake <<<'echo "cmake version 3.22.1"'
  in_clone NO_NETWORK=1 list
  expect 1 "CMake 3.24 or newer could not be downloaded from PyPI (no network)" "cmake/cmake-wheel.txt"

  start_anew "little memory"
  . "$clone/setup/functions.sh"
  [ "$(jobs_for 1 1900) $(jobs_for 4 1900) $(jobs_for 4 64000) $(jobs_for 2 500)" = "1 1 4 1" ] || complain "jobs_for"
  echo 1073741824 >"$folder/limit"
  [ "$(memory "$folder/limit")" = 1024 ] || complain "a container's limit is not seen"
  echo max >"$folder/limit"
  [ "$(memory "$folder/limit")" -gt 1024 ] || complain "no limit is no memory"
  in_clone WARPWISE_JOBS=many list
  expect 1 "WARPWISE_JOBS is 'many', not a number of compilers."
}

parts=()
for part in first_use builds others progress what_changed toolkits without_network odd_toolkits interrupted_downloads interrupted_builds machines; do
  (new_clone; $part; exit $failed) &
  parts+=($!)
done
status=0
for part in "${parts[@]}"; do wait "$part" || status=1; done
exit $status
