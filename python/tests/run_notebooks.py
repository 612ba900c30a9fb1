#!/usr/bin/env python3
"""Executes notebooks from top to bottom in a real Jupyter kernel, twice: as a reader gets them, where every kernel fails as it
should, and with the solutions, where every kernel is right. Nowhere may a Python error come up.

usage: run_notebooks.py FOLDER [NAME...] [--course COURSE]

FOLDER gets the notebooks as executed, in unwritten/ and solved/. COURSE is the folder in which they run: this clone, whose
exercises come back as they were, or one of `warpwise start`, where the package is installed. NAME: only these notebooks.
Needs what requirements.txt beside it names.
"""
import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

import nbclient
import nbformat

ROOT = Path(__file__).resolve().parents[2]
LARGEST_CELL = 2_000_000


def text_of(cell):
    """What the cell printed, without colours."""
    text = "".join(output.get("text", "") for output in cell.outputs)
    return re.sub(r"\x1b\[\d*m", "", text)


def printed_by(page, is_solved):
    """What the text after a cell says that its program prints, in parts between lines left out: as the cell is, or in the last
    fold that mends it."""
    folds = page.split("<details>")
    mended = [fold for fold in folds if "```diff" in fold]
    text = "".join(mended[-1:] if is_solved else [fold for fold in folds if fold not in mended])
    frames = re.findall(r"^```\n\$ \./warpwise exec .*\n((?:.*\n)*?)```$", text, re.MULTILINE)
    parts = frames[-1 if is_solved else 0].split("...\n") if frames else []
    return [" ".join(re.sub(r"mine/\w+\.cu:(\d+)", r"cell line \1", part).split()) for part in parts]


def faults(notebook, is_solved):
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        first, text, where = cell.source.split("\n")[0], text_of(cell), f"cell {number}, `{cell.source[:40]}`"
        if any(output.output_type == "error" for output in cell.outputs) or "Traceback" in text:
            yield f"{where}: a Python error"
        if len(str(cell.outputs)) > LARGEST_CELL:
            yield f"{where}: more than 2 MB"
        if first.startswith("%%kernel"):
            name = first.split()[2]
            if is_solved and (f"✓ {name}" not in text or "✗" in text):
                yield f"{where}: the solution is not right:\n{text}"
            if not is_solved and f"✗ {name}" not in text:
                yield f"{where}: the skeleton does not fail:\n{text}"
        if "%warpwise run" in cell.source and is_solved == ("✗" in text or "✓" not in text):
            yield f"{where}: the chapter is {'not ' if is_solved else ''}right:\n{text}"
        if first.startswith("%%cuda") and "--show" in first and "<iframe" not in str(cell.outputs):
            yield f"{where}: no page is shown"
        if first.startswith("%%cuda") and number + 1 < len(notebook.cells):
            said = " ".join(text.split())
            parts = printed_by(notebook.cells[number + 1].source, is_solved)
            if not is_solved and not parts and "$ ./warpwise exec" in notebook.cells[number + 1].source:
                yield f"{where}: what the page says that it prints is not found"
            for part in parts:
                if part not in said:
                    yield f"{where}: the page says that this is printed: {part}\nbut it is: {said}"
        if first.startswith("%warpwise predict") and "guess first" not in text and "No answer" not in text:
            yield f"{where}: nothing is asked:\n{text}"


def execute(path, target, course):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    client = nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(course)}})
    client.execute()
    target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, target)
    return notebook


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--course", type=Path, default=ROOT)
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    if options.course == ROOT:
        os.environ["PYTHONPATH"] = str(ROOT / "python")
    exercises = {path: path.read_bytes() for path in options.course.glob("ch[0-9][0-9]_*/exercise.cu")}
    copies = set(options.course.glob("ch[0-9][0-9]_*/exercise.cu.*"))
    count = 0
    try:
        for state, words in (("unwritten", []), ("solved", ["--solved"])):
            made = options.folder / "made" / state
            subprocess.run([sys.executable, ROOT / "docs/site/notebooks.py", made, *words], check=True)
            for path in sorted(made.glob("*.ipynb")):
                if options.names and path.stem not in options.names:
                    continue
                notebook = execute(path, options.folder / state / path.name, options.course.resolve())
                found = list(faults(notebook, state == "solved"))
                print(f"{state} {path.name}: {len(found)} faults" + "".join(f"\n  {fault}" for fault in found), flush=True)
                count += len(found)
    finally:
        for path, text in exercises.items():
            path.write_bytes(text)
        for path in set(options.course.glob("ch[0-9][0-9]_*/exercise.cu.*")) - copies:
            path.unlink()
    sys.exit(1 if count else 0)


main()
