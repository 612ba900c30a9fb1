#!/usr/bin/env python3
"""counters.py REPORT NCU: what the simulator counted, beside the hardware's counters, kernel by kernel.

REPORT: what a chapter's program writes with --report (docs/report.schema.json).
NCU: the table of `ncu --csv --page raw --print-units base` of the same program on a GPU, one launch a kernel.
Run by measure.sh. Exit status 1: a kernel was launched here and not there, or with another grid.
counters.py --metrics: the hardware counters to ask ncu for, with commas between them.

Prints, tab separated, a line for each kernel and counter that is not 0 on both sides: chapter, kernel, counter,
simulated, hardware, and `=` or `differs`; or `machine code` where the hardware counts something else by design, or
`by chance` where two runs on the same device need not agree.
"""
import csv
import json
import sys

SHARED = {"load": "ld", "store": "st", "atomic": "atom"}
GLOBAL = {"load": ("ld",), "store": ("st",), "atomic": ("atom", "red")}

# Simulated counter -> the hardware counters whose sum it is. Names: Nsight Compute, "Metrics Reference".
MEMORY = {}
for ours, theirs in SHARED.items():
    MEMORY[f"shared_{ours}_wavefronts"] = (f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{theirs}.sum",)
    MEMORY[f"shared_{ours}_bank_conflicts"] = (f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{theirs}.sum",)
for ours, names in GLOBAL.items():
    MEMORY[f"global_{ours}_requests"] = tuple(f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum" for op in names)
    MEMORY[f"global_{ours}_sectors"] = tuple(f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum" for op in names)

# Who polls how often, and which warp draws which ticket, is chance, here and there.
BY_CHANCE = {
    ("find_ahead", "global_load_requests"),
    ("find_ahead", "global_load_sectors"),
    ("scan_device", "global_load_requests"),
    ("scan_device", "global_load_sectors"),
    ("compact_by_tickets", "global_store_sectors"),
}

# These the simulator counts in PTX and the hardware in machine code: shown side by side, not compared.
CODE = {
    "warp_instructions": ("smsp__inst_executed.sum",),
    "divergent_branches": ("smsp__sass_branch_targets_threads_divergent.sum",),
}


def read_report(path):
    """The chapter's name, and for each kernel simulated its grid and its counters."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    kernels = {
        launch["kernel"]: {"grid": tuple(launch["grid"]), **launch["counters"]}
        for launch in report["launches"] if launch["device"] == "sim"
    }
    return report["chapters"][0]["name"], kernels


def read_measured(path):
    """For each kernel its first launch: a column's name -> what is in it."""
    with open(path, encoding="utf-8") as file:
        table = [line for line in file if line.startswith('"')]
    launches = {}
    for row in csv.DictReader(table):
        if row["ID"]:  # the line below the heading has the units and no ID
            launches.setdefault(row["Kernel Name"].split("(")[0], row)
    return launches


def main():
    if sys.argv[1:] == ["--metrics"]:
        print(",".join(metric for metrics in {**MEMORY, **CODE}.values() for metric in metrics))
        return 0
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    chapter, kernels = read_report(sys.argv[1])
    measured = read_measured(sys.argv[2])
    status = 0
    for kernel, simulated in kernels.items():
        row = measured.get(kernel)
        grid = row and tuple(int(part) for part in row["Grid Size"].strip("()").split(","))
        if grid != simulated["grid"]:
            print(f"{chapter} {kernel}: simulated with grid {simulated['grid']}, measured with {grid}", file=sys.stderr)
            status = 1
            continue
        for counter, metrics in {**MEMORY, **CODE}.items():
            here = simulated[counter]
            there = sum(int(float(row[metric].replace(",", ""))) for metric in metrics)
            if here or there:
                verdict = (
                    "machine code" if counter in CODE
                    else "by chance" if (kernel, counter) in BY_CHANCE
                    else "=" if here == there
                    else "differs"
                )
                print(chapter, kernel, counter, here, there, verdict, sep="\t")
    return status


if __name__ == "__main__":
    sys.exit(main())
