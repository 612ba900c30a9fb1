#!/usr/bin/env bash
# Gradescope runs this once, as root, in an Ubuntu image, when the autograder is made. It installs the compilers and builds
# the checks, so that a submission need not wait for either.
set -euo pipefail
source=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
cd "$source/course"

export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -y -q --no-install-recommends ca-certificates git bubblewrap
./warpwise list                      # installs what else is missing, and builds the command line
# Grade the skeleton once, which builds the checks. Its points don't matter, but grading must work.
./warpwise grade @CHAPTER@/exercise.cu --one --chapter @CHAPTER@ --no-sandbox --out "$source/tried"
