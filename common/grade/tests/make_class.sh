#!/usr/bin/env bash
# make_class.sh WARPWISE_COURSE COURSE FOLDER COUNT: a class of COUNT submissions, the same every time: solutions,
# skeletons, accepted variants, attempts, and mutations of solutions, of all chapters in turn.
set -euo pipefail
tool=$1 course=$2 folder=$3 count=$4
rm -rf "$folder" && mkdir -p "$folder"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

# mutated NUMBER FILE: with other names and no comments, or something left out, or something else.
mutated() {
  case $(($1 % 5)) in
    0) sed -e 's|//.*||' -e 's/\bpartial\b/scratch/g; s/\btid\b/me/g; s/\bstride\b/step/g; s/\blane\b/who/g' "$2" ;;
    1) awk -v at=$(($1 / 5 + 1)) '!/__syncthreads\(\)|__syncwarp\(\)/ || ++seen != at' "$2" ;;
    2) awk -v at=$(($1 / 5 + 1)) '/ < / && ++seen == at { sub(/ < /, " <= ") } { print }' "$2" ;;
    3) awk -v at=$(($1 / 5 + 1)) '/ 2 / && ++seen == at { sub(/ 2 /, " 4 ") } { print }' "$2" ;;
    4) awk -v at=$(($1 / 5 + 1)) '/;$/ && /=/ && ++seen == at { next } { print }' "$2" ;;
  esac
}

# Of each chapter one kind after the other.
lists=()
for chapter in "$course"/ch[0-9][0-9]_*; do
  name=$(basename "$chapter") && list=$work/$name && mkdir -p "$list/mutated"
  "$tool" implementations "$chapter/solution.cu" "$list" "$chapter"/kernels/*.md >/dev/null
  for i in $(seq 0 19); do mutated "$i" "$chapter/solution.cu" >"$list/mutated/$i.cu"; done
  mapfile -t attempts < <(ls "$list"/attempts/*.cu | LC_ALL=C sort)
  mapfile -t accepted < <(ls "$list"/accepted/*.cu | LC_ALL=C sort)
  mapfile -t mutations < <(ls "$list"/mutated/*.cu | LC_ALL=C sort)
  {
    for i in $(seq 0 59); do
      echo "${attempts[i * 7 % ${#attempts[@]}]}"
      echo "${accepted[i * 3 % ${#accepted[@]}]}"
      echo "${mutations[i % ${#mutations[@]}]}"
      if [ $((i % 4)) = 0 ]; then echo "$chapter/solution.cu" && echo "$chapter/exercise.cu"; fi
    done
  } >"$work/$name.list"
  lists+=("$work/$name.list")
done

for ((i = 0; i < count; ++i)); do
  list=${lists[i % ${#lists[@]}]}
  chapter=$(basename "$list" .list)
  source=$(sed -n "$((i / ${#lists[@]} + 1))p" "$list")
  student=$(printf 'student_%03d' "$i")
  case $((i % 3)) in  # the three ways to name a chapter
    0) cp "$source" "$folder/$student.cu" ;;
    1) mkdir -p "$folder/$student/$chapter" && cp "$source" "$folder/$student/$chapter/exercise.cu" ;;
    2) mkdir -p "$folder/$student" && cp "$source" "$folder/$student/${chapter%%_*}.cu" ;;
  esac
done
