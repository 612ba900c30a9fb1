"""Whether the wheel judges as the clone does: the solution of every chapter, every wrong attempt, every other correct solution.

Usage: same_verdicts.py FOLDER CLONE    FOLDER is one of `warpwise start`; in both, ./warpwise is called"""

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
    for chapter in sorted(path.name for path in CLONE.glob("ch??_*")):
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


def verdicts(root, chapter, words):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [root / "warpwise", "run", chapter, *words, "--device", "sim", "--report", file.name]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True)
        try:
            report = json.loads(Path(file.name).read_text())
        except ValueError:
            return done.stdout + done.stderr
    for verdict in report["verdicts"]:
        for failure in verdict.get("failures", []):
            failure.pop("file", None)
    return done.returncode, report["verdicts"]


def compare(subject):
    ours, theirs = (verdicts(root, *subject) for root in (FOLDER, CLONE))
    return None if ours == theirs else (subject, ours, theirs)


with ThreadPoolExecutor(2) as pool:
    compared = list(pool.map(compare, subjects()))
for difference in filter(None, compared):
    print(*difference, sep="\n  ")
print(f"{len(compared)} were judged, {sum(map(bool, compared))} otherwise than in the clone")
sys.exit(any(compared) or len(compared) < 100)
