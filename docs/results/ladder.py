#!/usr/bin/env python3
"""Draws what was measured into pages.

usage: ladder.py [--check] PAGE...

On a page, `<!-- ladder: KERNEL... -->` stands above a block of code: how fast kernels are, beside CUB and the memory's limit,
from h200/bench.json. `<!-- log: FILE -->`, of this folder, has the file below it, without its comments and commands, or a line
that says that it is still to be measured. The block is written anew; with --check it is only compared, and the exit status is
1 where one is stale, or where a page has none.
"""
import json
import pathlib
import re
import sys

ELEMENTS = 2**26
SPECIFIED = 4800  # GB/s of an H200's memory, by its datasheet
BAR = 38  # columns for SPECIFIED
LADDER = re.compile(r"(<!-- ladder: ([a-z0-9_\s]+?)\s-->\n)```\n.*?```\n", re.DOTALL)
LOG = re.compile(r"(<!-- log: (\S+) -->\n)```\n.*?```\n", re.DOTALL)
RESULTS = pathlib.Path(__file__).parent / "h200" / "bench.json"


def rows_of(bench):
    """{kernel: (chapter's number, GB/s, CUB's GB/s, share of CUB)}"""
    rows = {}
    for kernel in bench["kernels"]:
        for row in kernel["rows"]:
            if row["n"] == ELEMENTS:
                speed, cub = (row["bytes"] / row[who]["median"] / 1e6 for who in ("ours", "cub"))
                rows[kernel["kernel"]] = (int(kernel["chapter"][2:4]), speed, cub, 1 / row["ratio"]["median"])
    return rows


def line(chapter, name, speed, share):
    eighths = round(8 * BAR * speed / SPECIFIED)
    bar = "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()
    return f"{chapter:3} {name:23} {speed:5.0f} {share:>6} {bar}"


def ladder(bench, kernels):
    rows = rows_of(bench)
    lines = [f"ch. 2²⁶ floats               GB/s of CUB  {bench['machine']['gpu']}"]
    for name in kernels:
        chapter, speed, _, share = rows[name]
        lines.append(line(chapter, name, speed, f"{100 * share:.0f} %"))
    lines.append(line("", "CUB", rows["reduce_to_the_roof"][2], "100 %"))
    lines.append(line("", "the memory, specified", SPECIFIED, ""))
    return "```\n" + "\n".join(lines) + "\n```\n"


def log(name):
    path = pathlib.Path(__file__).parent / name
    if not path.exists():
        return f"```\nnot measured yet: docs/results/{name}\n```\n"
    lines = path.read_text(encoding="utf-8").splitlines()
    body = "\n".join(line.rstrip() for line in lines if not line.startswith(("#", "$"))).strip("\n")
    return f"```\n{body}\n```\n"


def main(arguments):
    is_check = arguments[:1] == ["--check"]
    bench = json.loads(RESULTS.read_text(encoding="utf-8"))
    faults = []
    for path in map(pathlib.Path, arguments[is_check:]):
        text = path.read_text(encoding="utf-8")
        drawn, ladders = LADDER.subn(lambda match: match[1] + ladder(bench, match[2].split()), text)
        drawn, logs = LOG.subn(lambda match: match[1] + log(match[2]), drawn)
        if ladders + logs == 0:
            faults.append(f"{path}: no ladder, and no log")
        elif is_check and drawn != text:
            faults.append(f"{path}: not as measured; docs/results/ladder.py {path} draws it again")
        elif not is_check:
            path.write_text(drawn, encoding="utf-8")
    sys.exit("\n".join(faults) or 0)


main(sys.argv[1:])
