# How every script that measures on a GPU begins; to be sourced: . common/measuring/start.sh "$0" "$@"
# Takes the script and its only argument, the file for the results. Afterwards the root of the repository is the
# current folder, and there are: file, the absolute path of that argument; work, a folder that goes with the script;
# capability, the GPU's compute capability without its point, for sm_ and compute_.
if [ $# -ne 2 ]; then
  echo "usage: $1 FILE" >&2
  exit 2
fi
file=$(realpath "$2")
cd "$(dirname "$1")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. ')
