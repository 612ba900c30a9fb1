#!/bin/sh
# course.sh WARPWISE_CLASS ROOT: the chapters of this course lack nothing that `new-chapter --check` looks for.
set -eu
warpwise=$1 root=$2
for folder in "$root"/ch[0-9][0-9]_*; do
  chapter=${folder##*/}
  said=$(WARPWISE_PROGRESS=no "$warpwise" new-chapter --check "$chapter" 2>&1) || [ $? = 1 ]
  # A student may have written an exercise: then it is no skeleton any more.
  lacks=$(echo "$said" | grep -v -e '^exercise\.cu has no skeleton of ' -e "^$chapter has everything that a chapter needs\.") || continue
  echo "FAILED: $chapter: $lacks"
  exit 1
done
echo "all is well"
