#!/usr/bin/env python3
"""times.py REPORT...: the times of kernels on a GPU, from what chapters' programs write with --report, as JSON: the tour
shows them (common/report/times.hpp). Run by measure.sh. Exit status 1: nothing was timed.
"""
import json
import sys


def times_of(report):
    kernels = {(chapter["name"], kernel["name"]): kernel for chapter in report["chapters"] for kernel in chapter["kernels"]}
    for launch in report["launches"]:
        kernel = kernels.get((launch.get("chapter"), launch["kernel"]))
        if kernel and launch["device"] == "gpu" and launch["seconds"] > 0:
            size = launch["elements"] * kernel["bytes_per_element"]
            yield {
                "chapter": launch["chapter"],
                "kernel": launch["kernel"],
                "elements": launch["elements"],
                "milliseconds": float(f"{1e3 * launch['seconds']:.4g}"),
                "gigabytes_per_second": float(f"{size / launch['seconds'] / 1e9:.4g}"),
            }


reports = [json.load(open(file, encoding="utf-8")) for file in sys.argv[1:]]
gpus = [chapter["gpu"] for report in reports for chapter in report["chapters"] if chapter.get("gpu")]
lines = [json.dumps(time) for report in reports for time in times_of(report)]
if not lines:
    sys.exit("times.py: nothing was timed on a GPU")
rows = ",\n  ".join(lines)
print(f'{{"version": 1,\n "gpu": {json.dumps(gpus[0])},\n "kernels": [\n  {rows}\n ]\n}}')
