#!/usr/bin/env python3
"""Lays out what MkDocs makes the site from, in a folder: pages as GitHub shows them, turned into what MkDocs reads.

usage: pages.py FOLDER --commit COMMIT [--repository URL]

FOLDER may hold show/CHAPTER/KERNEL.html and show/CHAPTER/kernels.json already (draw_kernels.sh); the chapter's lesson then
ends with a list of them.
"""
import argparse
import fnmatch
import json
import pathlib
import posixpath
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ch[0-9][0-9]_*.md", "docs/*.md"]
# What holds answers, or is for tools, is no page. It can be linked like any source.
NO_PAGES = ["*/hints.md", "*/lesson/predict.md", "*/kernels/*", "*/variants/*"]
FILES = ["ch[0-9][0-9]_*/lesson/pictures/*", "docs/pictures/*", "docs/results/*", "docs/*.json"]  # beside pages, as they are


def fits(path, patterns):
    return any(fnmatch.fnmatch(path, pattern) for pattern in patterns)


def is_page(path):
    return fits(path, PAGES) and not fits(path, NO_PAGES)


class Sources:
    """What pages link to and the site does not show: files of the repository, or copies as plain text."""

    def __init__(self, folder, tracked, repository, commit):
        self.folder, self.tracked, self.repository, self.commit = folder, tracked, repository, commit

    def link(self, path, page):
        """Where a link in `page` to `path`, a file or a folder of the repository, leads in the site."""
        is_folder = path not in self.tracked
        if is_folder and not self._below(path):
            raise SystemExit(f"site: {page} links to {path}, which the repository does not have")
        if self.repository:
            return f"{self.repository}/{'tree' if is_folder else 'blob'}/{self.commit}/{path}"
        visible = re.sub(r"(^|/)\.", r"\1", path)  # MkDocs leaves out what begins with a dot
        copy = f"source/{visible}.txt"  # a browser shows text, and would save a .cu
        target = self.folder / copy
        target.parent.mkdir(parents=True, exist_ok=True)
        if is_folder:
            target.write_text("".join(name + "\n" for name in self._below(path)))
        else:
            shutil.copyfile(ROOT / path, target)
        return posixpath.relpath(copy, posixpath.dirname(page) or ".")

    def _below(self, path):
        return [name for name in sorted(self.tracked) if name.startswith(path + "/")]


# A code frame, or code in a line of text, neither of which is looked into; or where a link leads.
CODE_OR_LINK = re.compile(r"^ *```.*?^ *```|`+(?:[^`\n]|\n(?!\n))*`+|\]\(([^()\s]+)\)", re.MULTILINE | re.DOTALL)


def relinked(text, page, sources):
    """The text, its links to files that the site does not show leading to where they can be seen."""

    def replace(match):
        target = (match[1] or "").partition("#")[0]
        if not target or re.match(r"[a-z]+:", target):
            return match[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
        if path in sources.tracked and (is_page(path) or fits(path, FILES)):
            return match[0]
        return f"]({sources.link(path, page)})"

    return CODE_OR_LINK.sub(replace, text)


def for_mkdocs(text, page, sources):
    """A page of the repository as MkDocs wants it; what stands in code frames stays."""
    lines, frame, comment = [], False, False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            frame = not frame
        elif not frame:
            if line.startswith("<!--"):
                comment = True
            if comment:  # says what draws or fills in what follows: for whoever changes the page
                comment = "-->" not in line
                continue
            if line.startswith("<details>"):
                line = line.replace("<details>", '<details markdown="1">')
                line = line.replace("<summary>", '<summary markdown="span">')
            if line.startswith("|"):  # GitHub wants a bar in a table's code escaped
                line = re.sub(r"`[^`]*`", lambda code: code[0].replace(r"\|", "|"), line)
        lines.append(line)
    return relinked("\n".join(lines), page, sources)


def notebook_of(page):
    """"ch02_divergence/ways_out.md" -> "ch02_divergence_ways_out.ipynb" """
    folder, _, file = page.rpartition("/")
    stem = file.removesuffix(".md")
    return (stem.replace("-", "_") if folder == "docs" else folder if stem == "README" else f"{folder}_{stem}") + ".ipynb"


def notebook_link(folder, page):
    """For the end of a page that is a notebook too (notebooks.py), if the notebooks are made."""
    file = f"notebooks/{notebook_of(page)}"
    if not (folder / file).exists():
        return ""
    there = posixpath.relpath(file, posixpath.dirname(page) or ".")
    return f"\n\n[This page as a Jupyter notebook]({there}): save it, and open it in Jupyter or Colab.\n"


def kernels_drawn(folder, page):
    """The list of a chapter's drawn kernels, for the end of its lesson; empty where none are drawn."""
    chapter = posixpath.dirname(page)
    drawn = folder / "show" / chapter / "kernels.json"
    if posixpath.basename(page) != "README.md" or not chapter or not drawn.exists():
        return ""
    kernels = json.loads(drawn.read_text())["chapters"][0]["kernels"]
    items = "".join(f"- [`{one['name']}`](../show/{chapter}/{one['name']}.html): {one['task']}\n" for one in kernels)
    return (
        "\n## See each kernel run\n\n"
        "What each lane of a small run did, step by step, and what it cost. It is the solution that runs: look when your\n"
        f"own is right. Your own is shown by `./warpwise show {chapter[:4]}`.\n\n{items}"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--repository", default="")
    options = parser.parse_args()
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    tracked = set(listed.split("\0")) - {""}
    sources = Sources(options.folder, tracked, options.repository, options.commit)
    for path in sorted(tracked):
        target = options.folder / path
        if is_page(path):
            target.parent.mkdir(parents=True, exist_ok=True)
            text = for_mkdocs((ROOT / path).read_text(), path, sources)
            target.write_text(text + kernels_drawn(options.folder, path) + notebook_link(options.folder, path))
        elif fits(path, FILES):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, target)
    for drawn in options.folder.glob("show/*/kernels.json"):
        drawn.unlink()
    shutil.copyfile(ROOT / "docs/site/site.css", options.folder / "site.css")


if __name__ == "__main__":
    main()
