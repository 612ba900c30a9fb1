#!/usr/bin/env python3
"""Follows what `run` prints as `see it` for wrong attempts: the page opens at what was told, in the launch it was told of.

    see_it.py WARPWISE_CLI BUILD [--every K] CHAPTER...

CHAPTER is ch01_naive ..., of whose attempts each K-th is followed, or ch01_naive/ATTEMPT. Exit status 1: a line for each that is not as it was told.
"""
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from urllib.parse import parse_qs


def told_of(warpwise, chapter, attempt, folder):
    """The words behind `see it`, None if it is still to be written, and the report."""
    report = folder / "report.json"
    screen = subprocess.run([warpwise, "run", chapter, "--attempt", attempt, "--device", "sim", "--report", str(report)],
                            capture_output=True, text=True, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "HOME": str(folder)}).stdout
    commands = re.findall(r"^    see it     (.*(?:\\\n.*)*)", screen, re.MULTILINE)  # the last is of the finding
    words = re.sub(r"\\\n\s*", " ", commands[-1]).split() if commands else []
    if re.search(r"^    (write it|still TODO) ", screen, re.MULTILINE):
        words = None
    return words, json.loads(report.read_text())


def page_of(warpwise, words, folder):
    """Where the page opens, and its first run."""
    page = folder / "page.html"
    done = subprocess.run([warpwise, *words[1:], "--output", str(page)], capture_output=True, text=True)
    if done.returncode != 0:
        return None, (done.stdout + done.stderr).strip()
    text = page.read_text()
    run = json.loads(re.search(r'id="runs">(.*)</script>', text)[1])[0]
    start = {key: value[0] for key, value in parse_qs(html.unescape(re.search(r'data-start="([^"]*)"', text)[1])).items()}
    number = int(start.get("launch", 0))
    opens = {key: value[0] for key, value in parse_qs(run["facts"][number]["opens"]).items()}
    return {**opens, **start}, {"traced": run["traces"]["launches"][number], "facts": run["facts"][number]}


def place(finding):
    return finding["kind"], finding["line"], finding.get("other_line", 0)


def failures_of(checks):
    """In the order of the screen: one with findings first, of the safety before any other."""
    failures = [(check["aspect"], failure) for check in checks for failure in check["failures"] if not failure.get("broken")]
    found = [one for one in failures if one[1]["findings"]]
    order = ["safety", "result", "technique"] if found else ["result", "technique", "safety"]
    return sorted(found or failures, key=lambda one: order.index(one[0]))


def fault_of(warpwise, chapter, attempt, folder):
    """What is wrong with what was told of an attempt; empty if nothing is."""
    words, report = told_of(warpwise, chapter, attempt, folder)
    failures = failures_of(report["checks"])
    if not failures:
        return "no check rejects it"
    if words is None:
        return ""
    aspect, told = failures[0]
    if not words:
        has_place = told["findings"] and told["findings"][0]["line"] or "launch" in told and aspect == "result"
        return f"no `see it` for {aspect}: {told['message']}" if has_place else ""
    start, page = page_of(warpwise, words, folder)
    if start is None:
        return f"{' '.join(words)}: {page}"
    traced, launch = page["traced"], page["traced"]["launch"]
    if "launch" not in told:  # what the code says, whatever is launched
        return ""
    if told["block"] != launch["block"][0]:
        return f"{' '.join(words)}: a launch of {launch['block'][0]} threads a block, not {told['block']}"
    if told.get("n", 0) != launch.get("elements", 0):
        return f"{' '.join(words)}: n = {launch.get('elements')}, not {told.get('n')}"
    if told.get("schedule", "converged") != traced["schedule"]:
        return f"{' '.join(words)}: schedule {traced['schedule']}, not {told['schedule']}"
    if told["findings"]:
        return fault_of_finding(told["findings"][0], start, page, words)
    rejected = traced.get("rejected", [{}])[0].get("message")
    if rejected != told["message"]:
        return f"{' '.join(words)}: the page says {rejected}, told was {told['message']}"
    has_tree = any("results" in block["tree"] for block in page["facts"]["blocks"][:1])
    if aspect == "result" and has_tree and start.get("view") not in ("tree", "findings"):
        return f"{' '.join(words)}: a wrong result opens as {start.get('view')}"
    return ""


def fault_of_finding(told, start, page, words):
    findings = page["traced"]["launch"]["findings"]
    if start.get("view") != "findings":
        return f"{' '.join(words)}: opens as {start.get('view')}, with {len(findings)} findings"
    number = int(start.get("finding", 0))
    if number >= len(findings) or place(findings[number]) != place(told):
        return f"{' '.join(words)}: opens at {findings[number:number + 1]}, told was {place(told)}"
    step = page["facts"]["findings"][number].get("step")
    if step is None and told["kind"] == "timeout":
        return ""  # what is recorded ends long before a budget does
    if step is None:
        return f"{' '.join(words)}: no step shows the finding"
    return "" if step == int(start["step"]) else f"{' '.join(words)}: opens at step {start['step']}, the finding's is {step}"


def attempts_of(build, chapter):
    return sorted(file.stem for file in (pathlib.Path(build) / chapter / "attempts").glob("*.cu"))


def main(warpwise, build, *words):
    every = int(words[1]) if words[0] == "--every" else 1
    chapters = words[2:] if words[0] == "--every" else words
    followed, faults = 0, []
    with tempfile.TemporaryDirectory() as name:
        for chapter in chapters:
            chapter, _, attempt = chapter.partition("/")
            attempts = [attempt] if attempt else attempts_of(build, chapter)[::every]
            if not attempts:
                faults.append(f"{chapter} has no attempts in {build}")
            for attempt in attempts:
                followed += 1
                if fault := fault_of(warpwise, chapter, attempt, pathlib.Path(name)):
                    faults.append(f"{chapter} {attempt}: {fault}")
                    print("FAILED:", faults[-1], flush=True)
            print(f"{chapter}: {len(attempts)} followed", flush=True)
    print(f"{followed} attempts followed, {len(faults)} not as told")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
