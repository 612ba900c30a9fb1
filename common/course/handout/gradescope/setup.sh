#!/usr/bin/env bash
# Gradescope runs this once, as root, in an Ubuntu image, when the autograder is made: brings the compilers and builds
# the checks, so that a submission waits for neither.
set -euo pipefail
source=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
cd "$source/course"

export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -y -q --no-install-recommends ca-certificates git bubblewrap
./warpwise list                      # brings what else is missing, and builds the command line
# The skeleton is graded once, which builds the checks; what it earns is of no interest, but it must be graded.
./warpwise grade @CHAPTER@/exercise.cu --one --chapter @CHAPTER@ --unfenced --out "$source/tried"
