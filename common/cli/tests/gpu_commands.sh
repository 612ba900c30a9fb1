#!/usr/bin/env bash
# gpu_commands.sh WARPWISE_CLI CC TOOLKIT_MAJOR FOLDER: what `bench` and `profile` say on machines with other GPUs,
# drivers and permissions than this one; the driver and Nsight Compute are fakes. Exit status 1: another answer.
set -uo pipefail
cli=$1 cc=$2 major=$3 folder=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
rm -rf "$folder" && mkdir -p "$folder/bin" && cd "$folder" || exit 1
# In place of NVIDIA's driver: as many GPUs as FAKE_GPUS says, for the CUDA of FAKE_CUDA (13000).
"$cc" -x c -shared -fPIC -o libcuda.so.1 - <<'END' || exit 1
#include <stdlib.h>
#include <string.h>

static int number_of(const char* name) { return getenv(name) == NULL ? 0 : atoi(getenv(name)); }

int cuInit(unsigned flags) { return (void)flags, number_of("FAKE_GPUS") < 0 ? 999 : 0; }
int cuDeviceGetCount(int* count) { return *count = number_of("FAKE_GPUS"), 0; }
int cuDriverGetVersion(int* version) { return *version = number_of("FAKE_CUDA"), 0; }
int cuDeviceGetName(char* name, int size, int device) {
  (void)device;
  return strncpy(name, "Fake GPU", (size_t)size), 0;
}
END
cp "$here/fake_ncu" bin/ncu && chmod +x bin/ncu
current=$((1000 * major))
old=$((1000 * (major - 1) + 80))
failures=0

# expect STATUS TEXT VARIABLE=VALUE... COMMAND...; `output` is then all that was said
expect() {
  local status=$1 text=$2 found
  shift 2
  output=$(env LD_LIBRARY_PATH="$folder" "$@" 2>&1)
  found=$?
  if [ $found != "$status" ] || ! grep -qE -- "$text" <<<"$output"; then
    printf 'expected status %s and "%s" of %s; status %s:\n%s\n\n' "$status" "$text" "$*" "$found" "$output"
    failures=1
  fi
}

expect 1 'no GPU here to measure .the driver sees no GPU.*bench --simulator' FAKE_GPUS=0 "$cli" bench
expect 1 'no GPU here to profile .the driver sees no GPU.*run CHAPTER --lines' FAKE_GPUS=0 "$cli" profile ch01
expect 1 'the driver does not start' FAKE_GPUS=-1 "$cli" bench
expect 1 'the driver does not start' FAKE_GPUS=-1 "$cli" profile ch01
mkdir -p other && "$cc" -x c -shared -fPIC -o other/libcuda.so.1 - <<<'int nothing;' || exit 1
expect 1 'no GPU here to measure .libcuda.so.1 is not NVIDIA.s driver.' LD_LIBRARY_PATH="$folder/other" "$cli" bench
expect 1 'no GPU here to profile .libcuda.so.1 is not NVIDIA.s driver.' LD_LIBRARY_PATH="$folder/other" "$cli" profile ch01
# Without a driver; where there is one, nothing can be said about its absence.
if [[ $(ldconfig -p) != *libcuda.so.1* ]]; then
  for command in "bench" "profile ch01"; do
    expect 1 'no GPU here to (measure .no NVIDIA driver.*bench --simulator|profile .no NVIDIA driver.*run CHAPTER --lines)' LD_LIBRARY_PATH= "$cli" $command
    [ "$(wc -l <<<"$output")" = 1 ] || { echo "$command takes more than a sentence: $output"; failures=1; }
  done
  expect 1 '--device gpu: ' LD_LIBRARY_PATH= "$cli" run ch01 --device gpu
fi
expect 1 "too old .Fake GPU, driver for CUDA $((major - 1)).8. for programs of CUDA $major.*WARPWISE_TOOLKIT" \
  FAKE_GPUS=1 FAKE_CUDA=$old "$cli" bench
expect 1 'the driver here is too old' FAKE_GPUS=1 FAKE_CUDA=$old "$cli" profile ch01
"$cli" run ch01 reduce_naive --solution >/dev/null  # compiled here: NVRTC cannot work beside the fake driver
too_old="the NVIDIA driver supports CUDA $((major - 1)).8, this program was built with $major"
expect 1 "$too_old" FAKE_GPUS=1 FAKE_CUDA=$old "$cli" run ch01 reduce_naive --solution --device gpu
expect 1 "$too_old" FAKE_GPUS=1 FAKE_CUDA=$old "$cli" tour --device gpu
expect 2 'has no kernel|there is no chapter|no .*ch99' FAKE_GPUS=1 FAKE_CUDA=$current "$cli" bench ch99
expect 2 'two exponents of 2' FAKE_GPUS=1 FAKE_CUDA=$current "$cli" bench --sizes 3:99
expect 1 'cannot read nothing.json' FAKE_GPUS=1 FAKE_CUDA=$current "$cli" bench --compare nothing.json
expect 2 'cannot be written' FAKE_GPUS=1 FAKE_CUDA=$current "$cli" bench --json /nowhere/x.json
# Where one is installed it is found without PATH, and nothing can be said about its absence.
if ! compgen -G '/usr/local/cuda/bin/ncu' >/dev/null && ! compgen -G '/opt/nvidia/nsight-compute/*/ncu' >/dev/null &&
  ! command -v ncu >/dev/null; then
  expect 1 'Nsight Compute .ncu. is not here\. .*developer.nvidia.com/nsight-compute.*run CHAPTER --lines' \
    FAKE_GPUS=1 FAKE_CUDA=$current "$cli" profile ch01 reduce_naive --solution
fi
expect 1 'Nsight Compute says: Cuda driver is not compatible' FAKE_GPUS=1 FAKE_CUDA=$current \
  FAKE_NCU_FAILS='==ERROR== Cuda driver is not compatible with Nsight Compute' PATH="$folder/bin:$PATH" \
  "$cli" profile ch01 reduce_naive --solution
expect 1 'Nsight Compute measured nothing' FAKE_GPUS=1 FAKE_CUDA=$current FAKE_NCU_FAILS=' ' \
  PATH="$folder/bin:$PATH" "$cli" profile ch01 reduce_naive --solution
expect 1 'ERR_NVGPUCTRPERM.*NVreg_RestrictProfilingToAdminUsers=0' FAKE_GPUS=1 FAKE_CUDA=$current \
  FAKE_NCU_REFUSES=1 PATH="$folder/bin:$PATH" "$cli" profile ch01 reduce_naive --solution
expect 0 'global_load_requests +2 048 +7 +differs' FAKE_GPUS=1 FAKE_CUDA=$current PATH="$folder/bin:$PATH" \
  "$cli" profile ch01 reduce_naive --solution --n 65536 --save "$folder/saved.tsv" --keep "$folder/kept.ncu-rep"
expect 0 'hardware counters, all as they were' FAKE_GPUS=1 FAKE_CUDA=$current PATH="$folder/bin:$PATH" \
  "$cli" profile ch01 reduce_naive --solution --n 65536 --compare "$folder/saved.tsv"
[ -s "$folder/kept.ncu-rep" ] || { echo "--keep kept nothing"; failures=1; }
exit $failures
