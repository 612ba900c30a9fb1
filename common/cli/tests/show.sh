#!/bin/sh
# show.sh WARPWISE_CLI CHAPTER SOLUTION.ptx FOLDER: traces and pages, and what happens where there can be none.
# CHAPTER is ch01's executable.
set -eu
warpwise=$1 chapter=$2 solution=$3 folder=$4
rm -rf "$folder" && mkdir -p "$folder"

fail() { echo "FAILED: $*"; exit 1; }

"$chapter" "$solution" --device sim --kernel reduce_naive --trace "$folder/run.json" "[reduce_naive][technique]" \
  >"$folder/run.txt"
grep -q '"kernel":"reduce_naive"' "$folder/run.json" || fail "run --trace records the kernel"
grep -q '"blocks_left_out":252' "$folder/run.json" || fail "run --trace says how many blocks it left out"

cat >"$folder/program.cu" <<'END'
// Ten launches, two more than a trace holds; the last writes past the end of its allocation.
__global__ void write_index(int* out, int shift) { out[threadIdx.x + shift] = threadIdx.x; }
int main() {
  int* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(int));
  for (int i = 0; i < 9; ++i) write_index<<<1, 32>>>(out, 0);
  cudaDeviceSynchronize();
  write_index<<<1, 32>>>(out, 1);
  return cudaDeviceSynchronize() == cudaSuccess;
}
END
"$warpwise" exec "$folder/program.cu" --trace "$folder/exec.json" 2>"$folder/said.txt" || [ $? = 3 ] || fail "exec --trace runs"
tail -1 "$folder/said.txt" | grep -q "^warpwise: see it: .*/warpwise exec $folder/program.cu --show\$" ||
  fail "exec ends with the command that shows a finding: $(tail -1 "$folder/said.txt")"
grep -q '"launches_left_out":2' "$folder/exec.json" || fail "exec --trace says how many launches came after"
[ "$(grep -o '"kernel":"write_index' "$folder/exec.json" | wc -l)" = 8 ] || fail "exec --trace names the kernels"

# From here on it is compiled already.
"$warpwise" nvcc -lineinfo -o "$folder/program" "$folder/program.cu" 2>"$folder/said.txt" || fail "nvcc: $(cat "$folder/said.txt")"
"$warpwise" exec "$folder/program" --quiet --show 2>"$folder/said.txt" || [ $? = 3 ] || fail "exec --show runs"
page=$(sed -n 's/.*program is drawn in //p' "$folder/said.txt")
grep -q '"kernel":"write_index' "$page" || fail "exec --show draws the launches: $(cat "$folder/said.txt")"
! grep -q "see it" "$folder/said.txt" || fail "who has seen it is not told how to"

"$warpwise" exec "$folder/program" --quiet --text --at 'out[threadIdx.x + shift]' >"$folder/printed.txt" 2>"$folder/said.txt" || [ $? = 3 ] ||
  fail "exec --text runs"
[ "$(grep -c '^write_index' "$folder/said.txt")" = 8 ] && grep -q '^step ' "$folder/said.txt" && [ ! -s "$folder/printed.txt" ] ||
  fail "exec --text draws every launch, on stderr: $(cat "$folder/said.txt")"
"$warpwise" exec "$folder/program" --quiet --svg lanes --output "$folder/exec.svg" 2>"$folder/said.txt" || [ $? = 3 ] ||
  fail "exec --svg runs"
grep -q "<metadata>./warpwise exec $folder/program --quiet --svg lanes</metadata>" "$folder/exec.svg" ||
  fail "a picture of exec says what draws it: $(grep metadata "$folder/exec.svg")"

"$warpwise" show ch01 --solution --output "$folder/page.html" >"$folder/said.txt"
grep -q "solution.cu: reduce_naive is drawn in" "$folder/said.txt" || fail "show draws the first kernel, and says where"
grep -q '"schedule":"converged"' "$folder/page.html" || fail "the page holds its trace"

"$warpwise" show ch01 reduce_naive --solution --at 'tid % (2 * stride)' --output "$folder/at.html" >"$folder/said.txt"
grep -q 'data-start="step=[0-9]*&amp;line=0:[0-9]*&amp;view=when"' "$folder/at.html" || fail "show --at opens at the line"
"$warpwise" show ch01 reduce_naive --solution --at 'tid % (2 * stride)' --text >"$folder/said.txt"
! grep -q "^ *[0-9]\+ .*load in" "$folder/said.txt" || fail "show --at --text prints the steps of the line alone"
"$warpwise" show ch01 reduce_naive --solution --svg tree --output "$folder/tree.svg" >"$folder/said.txt"
grep -q '<metadata>./warpwise show ch01 reduce_naive --solution --svg tree</metadata>' "$folder/tree.svg" ||
  fail "a picture says what draws it: $(grep metadata "$folder/tree.svg")"

"$warpwise" show ch01 reduce_naive --solution --bench h200 --output "$folder/measured.html" >"$folder/said.txt"
grep -q 'Measured on NVIDIA H200, beside cub::DeviceReduce::Sum' "$folder/measured.html" ||
  fail "the page shows what bench measured"
# The browser that shows the page may stay open: nobody waits for it.
if command -v script >/dev/null; then
  mkdir -p "$folder/desktop"
  printf '#!/bin/sh\necho "$1" >"%s/desktop/opened"\nexec sleep 100\n' "$folder" >"$folder/desktop/xdg-open"
  chmod +x "$folder/desktop/xdg-open"
  rm -f "$folder/desktop/opened"
  PATH="$folder/desktop:$PATH" DISPLAY=:0 timeout 50 script -qec \
    "'$warpwise' show ch01 --solution --output '$folder/opened.html'" /dev/null >"$folder/said.txt" </dev/null ||
    fail "show waits for a browser, or fails: $(cat "$folder/said.txt")"
  for _ in 1 2 3 4 5 6 7 8 9 10; do [ -e "$folder/desktop/opened" ] || sleep 0.5; done
  grep -q "/opened.html" "$folder/desktop/opened" || fail "show opens its page on a desktop"
fi
# A skeleton is nothing to look at. Where somebody has written the kernel there is a page.
status=0
"$warpwise" show ch01 reduce_naive --output "$folder/skeleton.html" >"$folder/said.txt" 2>&1 || status=$?
if grep -q TODO "$(dirname "$0")/../../../ch01_naive/exercise.cu"; then
  [ "$status" = 1 ] && grep -q "reduce_naive in .*exercise.cu is not written yet" "$folder/said.txt" ||
    fail "show of a skeleton: status $status: $(cat "$folder/said.txt")"
fi

# refused STATUS WORDS ARGUMENT...: show ends with STATUS and one line that holds WORDS.
refused() {
  expected=$1 words=$2
  shift 2
  refused_by show "$@"
}
# refused_by COMMAND ARGUMENT...: the same of COMMAND, with $expected and $words.
refused_by() {
  status=0
  "$warpwise" "$@" >"$folder/said.txt" 2>&1 || status=$?
  [ "$status" = "$expected" ] || fail "$*: status $status, not $expected: $(cat "$folder/said.txt")"
  grep -q "$words" "$folder/said.txt" || fail "$*: says $(cat "$folder/said.txt")"
  # On a busy machine lines of progress come before it ("building 1 of 2", "another ./warpwise is building here").
  [ "$(grep -vc '^  [a-z]' "$folder/said.txt")" = 1 ] || fail "$*: says more than one line"
}
refused 2 "has no kernel 'reduce_nave'; did you mean reduce_naive?" ch01 reduce_nave --solution
refused 2 "did you mean --solution? (see ./warpwise show --help)" ch01 --soluton
refused 2 "there is no chapter 'ch09'" ch09
refused 2 "there is no attempt 'nothing'" ch01 --attempt nothing
refused 2 "\-\-beside is CHAPTER:KERNEL" ch01 --solution --beside ch02
refused 2 "schedule .often." ch01 reduce_naive --solution --schedule often
refused 1 "has an access to shared memory; lines that do: " ch01 reduce_naive --solution --svg banks --at 1
refused 1 "The run has no finding" ch01 reduce_naive --solution --svg finding
refused 1 "needs a second run" ch01 reduce_naive --solution --svg beside
refused 2 "nothing accepted is called 'nothing'" ch01 --accepted nothing
refused 1 "h200 has no figures of sum_in_place" ch01 sum_in_place --solution --bench h200
refused 1 "cannot read nothing.json" ch01 reduce_naive --solution --bench nothing.json
refused 2 "\-\-bench is for the page" ch01 reduce_naive --solution --bench h200 --text
refused 2 "cannot be written" ch01 reduce_naive --solution --output /dev/null/page.html
expected=2 words="\-\-svg has no view 'lane'; did you mean lanes?"
refused_by exec "$folder/program.cu" --svg lane
expected=2 words="\-\-of-block 'last' is not a number"
refused_by exec "$folder/program.cu" --text --of-block last
expected=1 words="has an access to shared memory"
refused_by exec "$folder/program" --quiet --svg banks --at 2
echo "all is well"
