"""A student's folder: the lessons, exercises, contracts and hints of the course, which the wheel has in course/."""

import hashlib
import os
import shlex
import sys
from pathlib import Path

COURSE = Path(__file__).resolve().parent / "course"
RECORD = ".warpwise"  # in the folder: the version, and a line for each file as it was written: its hash, its path

LAUNCHER = """\
#!/bin/sh
# Calls Warpwise as it was installed with pip, so that what the lessons say works here. `warpwise start` writes it.
WARPWISE_FOLDER=$(cd "$(dirname "$0")" && pwd) && export WARPWISE_FOLDER
if [ -x {python} ]; then exec {python} -m warpwise "$@"; fi
exec warpwise "$@"
"""


class Refusal(Exception):
    """What is wrong, in one sentence."""


def hash_of(data):
    return hashlib.sha256(data).hexdigest()


def files():
    """What is written into a folder: path and contents."""
    paths = (COURSE / "start.txt").read_text().splitlines()
    return {path: (COURSE / path).read_bytes() for path in paths}


def is_folder(path):
    return (path / RECORD).is_file() or (path / "handout.txt").is_file()


def find_folder():
    """That of the launcher, else the nearest at or above the current one; None if there is none."""
    named = os.environ.get("WARPWISE_FOLDER")
    if named and is_folder(Path(named)):
        return Path(named)
    here = Path.cwd()
    return next((path for path in (here, *here.parents) if is_folder(path)), None)


def other_check(folder):
    """The first contract or check of a handout that is not the wheel's, whose programs judge by its own; None if there is none."""
    for pattern in ("ch??_*/kernels.hpp", "ch??_*/checks/*.[ch]pp"):
        for file in sorted(folder.glob(pattern)):
            path = file.relative_to(folder)
            if not (COURSE / path).exists() or (COURSE / path).read_bytes() != file.read_bytes():
                return path
    return None


def read_record(folder):
    lines = (folder / RECORD).read_text().splitlines()[1:]
    return {path: known for known, path in (line.split(" ", 1) for line in lines)}


def write_record(folder, version, record):
    lines = [f"warpwise {version}"] + [f"{known} {path}" for path, known in sorted(record.items())]
    (folder / RECORD).write_text("\n".join(lines) + "\n")


def write(folder, path, data):
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def write_launcher(folder):
    file = folder / "warpwise"
    file.write_text(LAUNCHER.format(python=shlex.quote(sys.executable)))
    file.chmod(0o755)


def start(words, version):
    if len(words) != 1 or words[0].startswith("-"):
        raise Refusal("warpwise start FOLDER: writes the lessons and the exercises into a new folder.")
    folder = Path(words[0])
    if is_folder(folder):
        raise Refusal(f"{folder} is such a folder already; in it, `warpwise update` brings newer lessons.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refusal(f"{folder} is not empty; please name a folder that does not exist yet.")
    course = files()
    for path, data in course.items():
        write(folder, path, data)
    write_launcher(folder)
    write_record(folder, version, {path: hash_of(data) for path, data in course.items()})
    print(f"The lessons and the exercises are in {folder}/. Begin with the first kernel:\n")
    print(f"  cd {shlex.quote(str(folder))}")
    print("  warpwise run ch01          # judges ch01_naive/exercise.cu; ch01_naive/README.md is the lesson")
    print("\nNever written a kernel? Read docs/first-kernel.md first.")
    return 0


def update(words, version):
    """A file is written again if it is as it was written last, so that what a student wrote stays."""
    folder = find_folder()
    if words:
        raise Refusal("warpwise update: brings the lessons of the installed version into the folder that you are in.")
    if folder is None or not (folder / RECORD).is_file():
        raise Refusal("here is no folder of `warpwise start`, so there is nothing to update.")
    record, changed, kept = read_record(folder), [], []
    for path, data in files().items():
        file = folder / path
        is_there = file.exists()
        now = hash_of(file.read_bytes()) if is_there else None
        if now == hash_of(data):
            record[path] = now
        elif not is_there or now == record.get(path):
            write(folder, path, data)
            record[path] = hash_of(data)
            changed.append(path)
        elif record.get(path) != hash_of(data):
            kept.append(path)  # it was written here, and there is a newer one
    write_launcher(folder)
    write_record(folder, version, record)
    print(f"{len(changed)} files are new or newer." if changed else "Everything is up to date.")
    for path in kept:
        print(f"{path} is left as you wrote it; there is a newer one.")
    return 0
