#!/bin/sh
# finished.sh WARPWISE_CLI ROOT BUILD: what `run` says where a kernel has become right, and where its chapter is done. It writes
# chapter 1's exercise, which comes back as it was, with what is remembered of it.
set -eu
warpwise=$1 root=$2 memory=$3/ch01_naive/judged
exercise=$root/ch01_naive/exercise.cu solution=$root/ch01_naive/solution.cu
folder=$(mktemp -d)
restore() {
  cp "$folder/exercise.cu" "$exercise"  # newer than its module, which the next line makes again
  "$warpwise" run ch01 --device sim >"$folder/said.txt" 2>&1 || true
  if [ -f "$folder/judged" ]; then cp -p "$folder/judged" "$memory"; else rm -f "$memory"; fi
  rm -rf "$folder"
}
cp "$exercise" "$folder/exercise.cu"
[ ! -f "$memory" ] || cp -p "$memory" "$folder/judged"
rm -f "$memory"
trap restore EXIT

fail() { echo "FAILED: $*"; cat "$folder/said.txt"; exit 1; }
says() { grep -q "$1" "$folder/said.txt" || fail "nothing says '$1'"; }

# One right kernel, and none of the others: it is right, and the chapter is not done.
sed '/^extern "C" __global__ void sum_in_place/,$d' "$solution" >"$exercise"
"$warpwise" run ch01 reduce_naive --device sim >"$folder/said.txt" 2>&1 || fail "a right kernel ends with status $?"
says "1 of 1 kernel is right" && says "^Next: .*exercise.cu has no sum_in_place; " && ! grep -q "^Every kernel of" "$folder/said.txt" ||
  fail "one kernel of two finishes the chapter"
# Nothing can be remembered: the verdict stands.
rm -f "$memory" && mkdir "$memory"
status=0
"$warpwise" run ch01 reduce_naive --device sim >"$folder/said.txt" 2>&1 || status=$?
rmdir "$memory"
[ "$status" = 0 ] && says "1 of 1 kernel is right" && says "^warpwise: " || fail "what comes after the verdict gives status $status"
# The second kernel is not right: it ends one iteration early.
sed 's/stride <= blockDim.x/stride < blockDim.x/' "$solution" >"$exercise"
"$warpwise" run ch01 --device sim >"$folder/said.txt" && fail "the second kernel is right"
says "1 of 2 kernels are right"
says "^Beside the solution: ./warpwise show ch01 reduce_naive --beside solution"
! grep -q "^Every kernel of" "$folder/said.txt" || fail "the chapter is done too early"
# Its page is of the launch that the check rejected, without any size.
told=$(sed -n "s/^    [^ ]* result  *\\(n = .*\\)/\\1/p" "$folder/said.txt" | head -1)
says "^    see it     ./warpwise show ch01 sum_in_place\$"
"$warpwise" show ch01 sum_in_place --output "$folder/page.html" >"$folder/said.txt" || fail "show ends with status $?"
grep -qF "\"message\":\"$told" "$folder/page.html" || fail "the page is of another launch than: $told"
# Asked for by its name it is no news, and yet compared.
"$warpwise" run ch01 reduce_naive --device sim >"$folder/said.txt" || fail "a right kernel ends with status $?"
says "^Beside the solution: ./warpwise show ch01 reduce_naive --beside solution"
# One more statement than the solution has.
sed 's/const unsigned i = 2 \* threadIdx.x;/unsigned i = threadIdx.x;\n  i += threadIdx.x;/' "$solution" >"$exercise"
"$warpwise" run ch01 --device sim >"$folder/said.txt" || fail "the chapter is right"
says "^Every kernel of ch01_naive is right" && says "^  sum_in_place  *8 / 7 " && says "^Draw both: " && says "^Next: "
echo "all is well"
