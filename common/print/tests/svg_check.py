"""Pictures of real runs: XML that a parser takes, numbers that are the report's, colours that can be read.

    svg_check.py WARPWISE CHAPTER SOLUTION.ptx FOLDER KERNEL...

CHAPTER is the chapter's executable, FOLDER a place for files. Exit status 1: a line for each thing that is not so.
"""
import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

SVG = "{http://www.w3.org/2000/svg}"
SHARED = ("shared_load", "shared_store", "shared_atomic")
failures = 0


def expect(condition, what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", what)


def texts(root):
    return ["".join(text.itertext()) for text in root.iter(SVG + "text")]


def draw(warpwise, chapter, folder, kernel, view):
    """The picture's root; None where the run has nothing of the kind, which is said in a sentence."""
    file = folder / f"{kernel}_{view}.svg"
    file.unlink(missing_ok=True)
    words = [warpwise, "show", chapter, kernel, "--solution", "--svg", view, "--output", str(file)]
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode != 0:
        expect(re.search(r"(No recorded step|stores nothing|no finding|too many|too wide)", result.stderr),
               f"{kernel}, {view}: {result.stderr}")
        return None
    root = xml.parse(file).getroot()
    check_form(root, f"{kernel}, {view}", file)
    return root


def check_form(root, name, file):
    expect(root.tag == SVG + "svg", f"{name}: the root is {root.tag}")
    for tag in ("title", "desc", "metadata"):
        expect((root.findtext(SVG + tag) or "").strip(), f"{name}: has no {tag}")
    for element in root.iter():
        expect(element.tag not in (SVG + "script", SVG + "image", SVG + "foreignObject"), f"{name}: holds {element.tag}")
        expect(not any(key.endswith("href") for key in element.attrib), f"{name}: asks for something outside")
    style = root.findtext(SVG + "style")
    expect("url(http" not in style and "@import" not in style, f"{name}: its style asks for something outside")
    width = float(root.get("width"))
    for text in root.iter(SVG + "text"):
        letter = {"code": 7.3, "missing": 6.9, "title": 6.9}.get(text.get("class"), 6.2)
        starts_there = text.get("text-anchor") is None and text.get("class") not in ("cell", "tight")
        end = float(text.get("x")) + (letter * len(text.text or "") if starts_there else 0)
        expect(0 <= float(text.get("x")) <= end <= width + 4, f"{name}: '{text.text}' stands outside")


def light(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def check_contrast(root):
    """Words against what they stand on (WCAG 2.1, 1.4.3), in both schemes."""
    palettes = [dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block))
                for block in re.findall(r":root \{(.*?)\}", root.findtext(SVG + "style"), re.S)]
    expect(len(palettes) == 2, "two palettes")
    for palette in palettes:
        for ink, ground in (("ink", "paper"), ("faint", "paper"), ("conflict", "paper"), ("defect", "paper"),
                            ("paper", "lane"), ("faint", "idle"), ("ink", "card"), ("faint", "card")):
            a, b = sorted((light(palette[ink]), light(palette[ground])), reverse=True)
            expect((a + 0.05) / (b + 0.05) >= 4.5, f"{ink} on {ground}: contrast {(a + 0.05) / (b + 0.05):.2f}")


def check_banks(root, trace, kernel):
    accesses = [a for step in trace["steps"] for a in step.get("accesses", []) if trace["arrays"][a["array"]]["shared"]]
    dearest = max(a.get("bank_conflicts", 0) for a in accesses)
    sentence = root.findtext(SVG + "desc")
    conflicts = int((re.search(r"(\d+) conflict", sentence) or [0, 0])[1])
    if "atomics" not in sentence:
        expect(conflicts == dearest, f"{kernel}: {conflicts} conflicts are drawn, {dearest} are counted")
    counts = [int(text.text) for text in root.iter(SVG + "text") if "many" in (text.get("class") or "").split()]
    if dearest and not any(a["element_bytes"] * a["elements"] > 4 for a in accesses):
        expect(max(counts) == dearest + 1, f"{kernel}: {max(counts)} words of a bank for {dearest} conflicts")


def check_costs(root, launch, kernel):
    drawn = [text for text in texts(root) if "warp instruction" in text]
    expect(len(drawn) == len(launch["lines"]), f"{kernel}: {len(drawn)} lines are drawn of {len(launch['lines'])}")
    for text, line in zip(drawn, launch["lines"]):
        counters = line["counters"]
        expect(text.startswith(f"{counters['warp_instructions']} warp instruction"), f"{kernel}: {text}")
        for word, kind in (("wavefront", "wavefronts"), ("conflict", "bank_conflicts")):
            counted = sum(counters[f"{space}_{kind}"] for space in SHARED)
            said = re.search(rf"(\d+) {word}", text)
            expect((int(said[1]) if said else 0) == counted, f"{kernel}, line {line['line']}: {text}, counted {counted}")


def check_tree(root, trace, kernel):
    said = next((text for text in texts(root) if text.startswith("↓ ")), "")
    result = re.match(r"↓ (\w+)\[(\d+)\] = (\S+)", said)
    if not result:
        expect("values" in said, f"{kernel}: the tree names no result: {said}")
        return
    stored = [value for step in trace["steps"] if step["block"] == 0 for a in step.get("accesses", [])
              if trace["arrays"][a["array"]]["name"] == result[1] and a["kind"] != "load"
              for value in a.get("after") or a["values"]]
    expect(result[3] in stored, f"{kernel}: the tree ends in {result[3]}, stored was {stored}")


def main(warpwise, executable, module, folder, *kernels):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    chapter = pathlib.Path(executable).name
    drawn = 0
    for kernel in kernels:
        file = folder / f"{kernel}.json"
        subprocess.run([executable, module, "--device", "sim", "--no-checks", "--kernel", kernel, "--block", "64",
                        "--trace", str(file)], check=True, stdout=subprocess.DEVNULL)
        trace = json.loads(file.read_text())["launches"][0]
        roots = {view: draw(warpwise, chapter, folder, kernel, view)
                 for view in ("lanes", "banks", "sectors", "shuffle", "tree", "costs")}
        drawn += sum(root is not None for root in roots.values())
        check_contrast(roots["costs"])
        check_costs(roots["costs"], trace["launch"], kernel)
        if roots["banks"] is not None:
            check_banks(roots["banks"], trace, kernel)
        if roots["tree"] is not None:
            check_tree(roots["tree"], trace, kernel)
    expect(drawn >= 3 * len(kernels), f"only {drawn} pictures were drawn")
    print(f"{drawn} pictures, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
