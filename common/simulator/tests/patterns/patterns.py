#!/usr/bin/env python3
"""Random memory access patterns: makes them, and joins them with what the hardware counted.

    patterns.py generate COUNT SEED > patterns.txt
    patterns.py join patterns.txt ncu.csv > fresh_patterns.csv

A line of patterns.txt is one pattern, with semicolons between the columns:
    instruction; bytes a lane; lane mask (hexadecimal); what it is; byte offset of each of the 32 lanes
fresh_patterns.csv has two more columns before the offsets, as observe/tests/data/h200_memory_patterns.csv:
wavefronts and bank conflicts of a shared access, sectors and requests of a global one.
Needs Python 3 and nothing else.
"""

import csv
import random
import sys

INSTRUCTIONS = [("ld.shared", (4, 8, 16)), ("st.shared", (4, 8, 16)), ("atom.shared", (4,)),
                ("ld.global", (4, 8, 16)), ("st.global", (4, 8, 16)), ("red.global", (4,)), ("atom.global", (4,))]


def indices(rng):
    """Element index of each lane, and what the pattern is called."""
    family = rng.choice(["random", "stride", "permutation", "pairs", "quads", "holes", "few"])
    if family == "random":
        window = rng.choice([16, 32, 48, 64, 128, 256])
        return [rng.randrange(window) for _ in range(32)], f"random in a window of {window}"
    if family == "stride":
        stride, first = rng.randrange(0, 40), rng.randrange(0, 32)
        return [first + stride * lane for lane in range(32)], f"stride {stride} from {first}"
    if family == "permutation":
        order = list(range(32))
        rng.shuffle(order)
        return order, "permutation"
    if family == "pairs":
        half = [rng.randrange(64) for _ in range(16)]
        return [half[lane // 2] for lane in range(32)], "pairs equal"
    if family == "quads":
        quarter = [rng.randrange(64) for _ in range(8)]
        return [quarter[lane // 4] for lane in range(32)], "quads equal"
    if family == "holes":
        place, order = rng.randrange(8), []
        for _ in range(32):
            order.append(place)
            place += rng.choice([1, 1, 1, 2, 3, 9])
        return order, "sequential with holes"
    places = [rng.randrange(200) for _ in range(rng.choice([2, 3, 5]))]
    return [rng.choice(places) for _ in range(32)], f"{len(places)} places"


def mask(rng):
    kind = rng.randrange(5)
    if kind < 2:
        return 0xFFFFFFFF
    if kind == 2:
        return rng.getrandbits(32) or 1
    if kind == 3:  # most lanes
        return rng.getrandbits(32) | rng.getrandbits(32) | rng.getrandbits(32) or 1
    length = rng.randrange(1, 32)  # a run of lanes
    return ((1 << length) - 1) << rng.randrange(0, 33 - length)


def generate(count, seed):
    rng = random.Random(seed)
    choices = [(name, width) for name, widths in INSTRUCTIONS for width in widths]
    for number in range(count):
        name, width = choices[number % len(choices)]
        where, note = indices(rng)
        offsets = " ".join(str(width * index) for index in where)
        print(f"{name};{width};{mask(rng):08x};{note};{offsets}")


def read_measured(path):
    """One dictionary a launch, in the order of the launches: metric name -> number."""
    with open(path, newline="") as file:
        lines = [line for line in file if line.startswith('"')]
    rows = list(csv.DictReader(lines))
    launches = []
    for row in rows[1:]:  # the first holds the units
        launches.append({name: float(value.replace(",", "")) for name, value in row.items()
                         if name.startswith("l1tex__") and value})
    return launches


def join(patterns_path, measured_path):
    patterns = [line.rstrip("\n").split(";") for line in open(patterns_path) if line.strip()]
    launches = read_measured(measured_path)
    if len(patterns) != len(launches):
        sys.exit(f"{len(patterns)} patterns, but ncu reports {len(launches)} launches")
    for (name, width, lanes, note, offsets), counts in zip(patterns, launches):
        operation, space = name.split(".")
        if space == "shared":
            wanted = (f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{operation}.sum",
                      f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{operation}.sum")
        else:
            wanted = (f"l1tex__t_sectors_pipe_lsu_mem_global_op_{operation}.sum",
                      f"l1tex__t_requests_pipe_lsu_mem_global_op_{operation}.sum")
        first, second = (int(counts[metric]) for metric in wanted)
        print(f"{name};{width};{lanes};{note};{first};{second};{offsets}")


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "generate":
        generate(int(sys.argv[2]), int(sys.argv[3]))
    elif len(sys.argv) == 4 and sys.argv[1] == "join":
        join(sys.argv[2], sys.argv[3])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
