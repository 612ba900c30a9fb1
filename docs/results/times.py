#!/usr/bin/env python3
"""times.py FILE...: the times of kernels on a GPU, as JSON: the tour shows them (common/report/report.hpp). A file is
what a chapter's program writes with --report, or `bench --json`, whose times are taken first: so a kernel has one time on all
pages. Run by measure.sh. Exit status 1: nothing was timed.
"""
import json
import sys


def queued_times(benches):
    """{(chapter, kernel, n): (seconds, bytes)} for 2^26 elements, unless several inputs of this size were timed"""
    times = {}
    for kernel in (kernel for bench in benches for kernel in bench["kernels"]):
        rows = [row for row in kernel["rows"] if row["n"] == 2**26]
        if len(rows) == 1:
            times[kernel["chapter"], kernel["kernel"], 2**26] = (rows[0]["ours"]["median"] / 1e3, rows[0]["bytes"])
    return times


def times_of(report, queued):
    kernels = {(chapter["name"], kernel["name"]): kernel for chapter in report["chapters"] for kernel in chapter["kernels"]}
    for launch in report["launches"]:
        kernel = kernels.get((launch.get("chapter"), launch["kernel"]))
        if kernel and launch["device"] == "gpu" and launch["seconds"] > 0:
            single = launch["seconds"], launch["elements"] * kernel["bytes_per_element"]
            seconds, size = queued.get((launch["chapter"], launch["kernel"], launch["elements"]), single)
            yield {
                "chapter": launch["chapter"],
                "kernel": launch["kernel"],
                "elements": launch["elements"],
                "milliseconds": float(f"{1e3 * seconds:.4g}"),
                "gigabytes_per_second": float(f"{size / seconds / 1e9:.4g}"),
            }


files = [json.load(open(file, encoding="utf-8")) for file in sys.argv[1:]]
reports = [file for file in files if "launches" in file]
queued = queued_times([file for file in files if "launches" not in file])
gpus = [chapter["gpu"] for report in reports for chapter in report["chapters"] if chapter.get("gpu")]
lines = [json.dumps(time) for report in reports for time in times_of(report, queued)]
if not lines:
    sys.exit("times.py: nothing was timed on a GPU")
rows = ",\n  ".join(lines)
print(f'{{"version": 1,\n "gpu": {json.dumps(gpus[0])},\n "kernels": [\n  {rows}\n ]\n}}')
