#!/usr/bin/env bash
# doctor_report.sh CMAKE: what ./warpwise doctor says about machines that lack something, and that --json prints JSON.
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/fake_tools.sh"
cmake=$1
new_clone

# expect_json: --json prints one object, with "healthy" $1 and a fact named $2 in state $3
expect_json() {
  in_clone doctor --json
  printf '%s' "$said" >"$folder/doctor.json"
  cat >"$folder/check.cmake" <<'SCRIPT'
cmake_minimum_required(VERSION 3.24)
file(READ "${FILE}" text)
string(JSON healthy GET "${text}" healthy)
string(JSON count LENGTH "${text}" facts)
math(EXPR last "${count} - 1")
set(found no)
foreach(i RANGE ${last})
  foreach(member IN ITEMS name value state says mend)
    string(JSON ${member} GET "${text}" facts ${i} ${member})
  endforeach()
  if(name STREQUAL NAME AND state STREQUAL STATE)
    set(found yes)
  endif()
endforeach()
if(NOT found OR NOT ((healthy AND HEALTHY) OR NOT (healthy OR HEALTHY)))
  message(FATAL_ERROR "healthy: ${healthy}; ${NAME} is ${STATE}: ${found}")
endif()
SCRIPT
  "$cmake" -DFILE="$folder/doctor.json" -DHEALTHY="$1" -DNAME="$2" -DSTATE="$3" -P "$folder/check.cmake" || complain "its JSON"
}

network() { pretend timeout <<<"exit $1"; }  # 0: PyPI answers; 1: it does not

start_anew "a healthy machine"
network 0
in_clone doctor
expect 0 "CUDA toolkit  13.0, $folder/bin/nvcc" "the next ./warpwise downloads 13.5" "this clone    $clone" "g++" "not UTF-8" \
  "Warpwise should run here."
expect_json true "CUDA toolkit" ok
[ "$(calls_of 'cmake --fresh')$(calls_of 'python3 -m pip install')" = 00 ] || complain "doctor configured, or downloaded"
in_clone list
in_clone doctor
expect 0 "NVRTC         13.5, $clone/.toolkit/nvrtc-13.5" "set-up        done" "!PyPI"

start_anew "no toolkit, as long as NVRTC can be had"
rm "$tools/nvcc"
in_clone doctor
expect 0 "only exec, bench, profile, test and a GPU need one" "the next ./warpwise downloads 13.5" "PyPI answers" "Warpwise should run here."
expect_json true NVRTC ok
network 1
in_clone doctor
expect 1 "PyPI does not answer: NVRTC must come from a folder" "pip download --no-deps -d FOLDER -r cmake/nvrtc-wheel.txt"
expect_json false network problem
in_clone list
in_clone doctor
expect 0 "NVRTC         13.5, " "set-up        done" "PyPI does not answer: nvcc must come" "-r cmake/toolkits/13.0.txt"
expect_json true network note

start_anew "no network, and a toolkit"
in_clone NO_NETWORK=1 list
in_clone doctor
expect 0 "the CUDA toolkit compiles the kernels, and what they count may differ" "rm '$clone/build/setup.stamp' && ./warpwise list" \
  "PyPI does not answer"
expect_json true NVRTC note
rm "$clone/build/setup.stamp"
in_clone list
expect 0 "NVRTC 13.5 in .toolkit/nvrtc-13.5"
network 0

start_anew "no compiler, and a quote in CXX"
rm "$tools/g++"
pretend apt-get <<<'exit 1'
in_clone doctor
expect 1 "g++ is missing" "apt-get install --no-install-recommends g++" "1 thing keeps Warpwise from running here"
expect_json false "C++ compiler" problem
in_clone CXX='a "b\c' doctor
expect 1 'CXX names '\''a "b\c'\''' "unset CXX"
expect_json false "C++ compiler" problem

start_anew "two toolkits, the first too old"
pretend_nvcc 11.5 "$tools/nvcc"
pretend_nvcc 12.4 "$folder/cuda/bin/nvcc"
in_clone CUDA_PATH="$folder/cuda" doctor
expect 0 "CUDA toolkit  12.4, $folder/cuda/bin/nvcc" "skipped: it is version 11.5"
in_clone WARPWISE_TOOLKIT="$folder/home" doctor
expect 1 "WARPWISE_TOOLKIT names it, but there is no bin/nvcc" "unset WARPWISE_TOOLKIT"

start_anew "an old CMake before a good one"
mkdir -p "$folder/other"
cp "$tools/cmake" "$folder/other/cmake"
pretend cmake <<<'echo "cmake version 3.22.1"'
in_clone PATH="$tools:$folder/other" doctor
expect 0 "3.22.1, $tools/cmake" "hides $folder/other/cmake, which is new enough" "export PATH=$folder/other:"

start_anew "wheels from a folder that has none"
in_clone WARPWISE_WHEELS="$folder/home" doctor
expect 0 "there is no wheel of NVRTC in it"  # the toolkit will do
rm "$tools/nvcc"
in_clone WARPWISE_WHEELS="$folder/home" doctor
expect 1 "there is no wheel of NVRTC in it" "pip download --no-deps -d '$folder/home' -r cmake/nvrtc-wheel.txt"
touch "$folder/home/nvidia_cuda_nvrtc-13.5.37-py3-none-any.whl"
in_clone WARPWISE_WHEELS="$folder/home" doctor
expect 0 "wheels        $folder/home"

start_anew "no pip"
pretend python3 <<<'exit 1'
in_clone doctor
expect 0 "Warpwise needs pip to download NVRTC"
rm "$tools/nvcc"
in_clone doctor
expect 1 "Warpwise needs pip to download NVRTC"

start_anew "a wrong option"
in_clone doctor --all
expect 2 "doctor has no option '--all', only --json"

exit $failed
