"""Whether the wheel judges as the clone does: the solution of every chapter, and every wrong attempt. The wheel's `run` compiles
it, and both programs of the chapter judge it, on one thread of the host: on several, blocks that race add up to other sums each time.

Usage: same_verdicts.py FOLDER CLONE [CHAPTER...]    FOLDER is one of `warpwise start`; CLONE has been built"""

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER, CLONE = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
subprocess.run([FOLDER / "warpwise", "list"], check=True, stdout=subprocess.DEVNULL)  # writes where the wheel's programs are
INSTALLATION = FOLDER / "build/wheel.txt"
PROGRAMS = Path(re.search("^programs (.*)$", INSTALLATION.read_text(), re.M)[1])


def subjects():
    """chapter, kernel and name of each wrong attempt; None for both: the solution."""
    for chapter in sys.argv[3:] or sorted(path.name for path in CLONE.glob("ch??_*")):
        yield chapter, None, None
        for page in sorted((CLONE / chapter / "kernels").glob("*.md")):
            kernel = is_wrong = None
            for line in page.read_text().splitlines():
                if heading := re.match(r"# `(.+)`$", line):
                    kernel = heading[1]
                elif line.startswith("## "):
                    is_wrong = line == "## Wrong attempts"
                elif is_wrong and (heading := re.match(r"### (.+)", line)):
                    yield chapter, kernel, f"{kernel}_{heading[1]}"


def without_places(value):
    if isinstance(value, dict):
        return {
            key: Path(each).name if key.endswith("file") else without_places(each)
            for key, each in value.items()
            if key != "proofs"  # the sizes at which it was tried besides: some of them differ
        }
    if isinstance(value, str):
        return re.sub("0x[0-9a-f]{8,}", "0x...", value)  # where the host's memory lies
    return [without_places(each) for each in value] if isinstance(value, list) else value


def run(*command):
    return subprocess.run(command, cwd=FOLDER, capture_output=True, text=True,
                          env=dict(os.environ, WARPWISE_INSTALLATION=str(INSTALLATION)))


def verdicts(*command):
    """The exit status, and what each check says of each kernel."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        done = run(*command, "--device", "sim", "--threads", "1", "--report", file.name)
        text = Path(file.name).read_text()
    report = json.loads(text) if text else {"checks": done.stdout + done.stderr}
    return done.returncode, without_places(report["checks"])


def differences(ours, theirs, place=""):
    """Where the two differ, and what each has there."""
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        pairs = [(key, ours[key], theirs[key]) for key in ours]
    elif isinstance(ours, (list, tuple)) and isinstance(theirs, (list, tuple)) and len(ours) == len(theirs):
        pairs = [(i, *both) for i, both in enumerate(zip(ours, theirs))]
    else:
        return [] if ours == theirs else [f"{place}: {ours} | {theirs}"]
    return [line for key, *both in pairs for line in differences(*both, f"{place}/{key}")]


def compare(subject):
    chapter, kernel, attempt = subject
    words = ["--attempt", attempt] if attempt else ["--solution"]
    run(PROGRAMS / "common/cli/warpwise_cli", "run", chapter, *words, "--", "--list-tests")  # no more than compiled
    module = FOLDER / "build" / chapter / (f"attempts/{attempt}.ptx" if attempt else "solution.ptx")
    judging = [module, *(["--kernel", kernel] if kernel else [])]
    ours, theirs = (verdicts(programs / chapter / chapter, *judging) for programs in (PROGRAMS, CLONE / "build"))
    found = differences(ours, theirs)
    if found:
        print(chapter, attempt or "solution", *found, sep="\n  ", flush=True)
    return found


with ThreadPoolExecutor(os.cpu_count()) as pool:
    compared = list(pool.map(compare, subjects()))
print(f"{len(compared)} were judged, {sum(map(bool, compared))} otherwise than in the clone")
sys.exit(any(compared) or not compared)
