"""Whether the wheel judges as the clone does: the solution of every chapter, and every wrong attempt.

Usage: same_verdicts.py FOLDER CLONE [CHAPTER...]    FOLDER is one of `warpwise start`; in both, ./warpwise is called"""

import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER, CLONE = Path(sys.argv[1]), Path(sys.argv[2])


def subjects():
    """chapter, and the words that name what is judged."""
    for chapter in sys.argv[3:] or sorted(path.name for path in CLONE.glob("ch??_*")):
        yield chapter, ["--solution"]
        for page in sorted((CLONE / chapter / "kernels").glob("*.md")):
            kernel = is_wrong = None
            for line in page.read_text().splitlines():
                if heading := re.match(r"# `(.+)`$", line):
                    kernel = heading[1]
                elif line.startswith("## "):
                    is_wrong = line == "## Wrong attempts"
                elif is_wrong and (heading := re.match(r"### (.+)", line)):
                    yield chapter, ["--attempt", f"{kernel}_{heading[1]}"]


def without_folders(value):
    if isinstance(value, dict):
        return {
            key: Path(each).name if key.endswith("file") else without_folders(each)
            for key, each in value.items()
            if key != "proofs"  # the sizes at which it was tried besides: some of them differ
        }
    return [without_folders(each) for each in value] if isinstance(value, list) else value


def verdicts(root, chapter, words):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [root / "warpwise", "run", chapter, *words, "--device", "sim", "--report", file.name]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True)
        try:
            report = json.loads(Path(file.name).read_text())
        except ValueError:
            return done.stdout + done.stderr
    return done.returncode, without_folders(report["checks"])


def compare(subject):
    ours, theirs = (verdicts(root, *subject) for root in (FOLDER, CLONE))
    return None if ours == theirs else (subject, ours, theirs)


with ThreadPoolExecutor(2) as pool:
    compared = list(pool.map(compare, subjects()))
for difference in filter(None, compared):
    print(*difference, sep="\n  ")
print(f"{len(compared)} were judged, {sum(map(bool, compared))} otherwise than in the clone")
sys.exit(any(compared) or not compared)
