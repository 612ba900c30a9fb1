#!/usr/bin/env python3
"""Makes notebooks of the lessons and of docs/first-kernel.md: the page's text, and cells where it asks for something.

usage: notebooks.py FOLDER [--repository URL --commit COMMIT] [--solved]

A kernel's skeleton comes in a cell of %%kernel, where the lesson says to write it; a program of the first kernel in one of
%%cuda; a prediction in one that asks for it. With --repository, links lead to its files, else to those of this clone.
With --solved, the cells have the solutions: for tests, not for readers.
"""
import argparse
import base64
import html
import json
import os
import posixpath
import re
import sys
from pathlib import Path

from pages import CODE_OR_LINK, ROOT, notebook_of

sys.path.insert(0, str(ROOT / "python"))
from warpwise.notebook_source import parts_of  # noqa: E402

FIRST_KERNEL = "docs/first-kernel.md"
SET_UP = """\
# Where Warpwise is not installed yet, such as in Colab, take the # out of these lines first:
# %pip install warpwise
# !warpwise start reduction
# %cd reduction
%load_ext warpwise"""
ABOUT_LESSON = """\
*This is the lesson as a notebook. In a cell that begins with `%%kernel`, you write a kernel: run the cell, and it is written
into the chapter's `exercise.cu` and judged. What the text calls `./warpwise hint ch01` is `%warpwise hint ch01` in a cell.*"""
ABOUT_FIRST_KERNEL = """\
*This is the page as a notebook: you need no clone, no editor and no copies. Each program is in a cell that begins with `%%cuda`. Where
the text says to change and run a file in `mine`, change and run its cell.*"""


def pages_of(chapter):
    """The lesson, and its further pages in their order."""
    named = re.search(r"\bPAGES((?:\s+[\w.]+\.md)+)", (ROOT / chapter / "CMakeLists.txt").read_text())
    return [f"{chapter}/{name}" for name in ["README.md", *(named[1].split() if named else [])]]


class Page:
    """A page's lines, and of each whether it is in a code frame or a fold."""

    def __init__(self, path):
        self.path = path
        self.lines = (ROOT / path).read_text().split("\n")
        self.in_frame, self.in_fold = [], []
        frame = fold = False
        for line in self.lines:
            marks = line.startswith("```")
            self.in_frame.append(frame or marks)
            frame ^= marks
            fold = fold or (line.startswith("<details>") and not frame)
            self.in_fold.append(fold)
            fold = fold and not line.startswith("</details>")
        self.first_section = next(i for i in range(len(self.lines)) if self.is_heading(i))

    def is_heading(self, i):
        return self.lines[i].startswith("## ") and not self.in_frame[i]

    def is_prose(self, i):
        return not self.in_frame[i] and not self.in_fold[i] and not self.lines[i].startswith("<!--")

    def place_after(self, i):
        """The next fold, which has the answer, or the end of the section."""
        begins_fold = [self.in_fold[j] and not self.in_fold[j - 1] for j in range(1, len(self.lines))]
        return next((j for j in range(i + 1, len(self.lines)) if self.is_heading(j) or begins_fold[j - 1]), len(self.lines))


class Task:
    """Kernels that are written in one cell: what of the exercise belongs to them, and where the lesson asks for them."""

    def __init__(self, functions, kernel):
        self.functions, self.kernels, self.mention = functions, [kernel], None

    def find(self, chapter, pages):
        """(how clearly, which page, which line): `run ch01 KERNEL` or "write `KERNEL`" before any word about it."""
        names = "|".join(one.name for one in self.functions)
        run = re.compile(rf"run {chapter[:4]} ({'|'.join(self.kernels)})(?![\w ]* --|\w)")
        write = re.compile(rf"\b[Ww]rite(?: it:)?(?:\*\*)? .*?`({names})\b")
        patterns = [run, write, re.compile(rf"`({names})\b")]
        found = []
        for number, page in enumerate(pages):
            for i in range(page.first_section, len(page.lines)):
                line = page.lines[i]
                if not page.is_prose(i):
                    continue
                for rank, pattern in enumerate(patterns):
                    if match := pattern.search(line):
                        found.append((rank + line.startswith("|"), number, i, match[1]))
        self.mention = min(found, default=None)


def tasks_of(chapter, pages):
    text = (ROOT / chapter / "exercise.cu").read_text()
    tasks, functions = [], []
    for one in parts_of(text, "exercise.cu")[0]:
        functions.append(one)
        if "__global__" not in text[one.code : one.end]:
            continue
        task = Task(functions, one.name)
        task.find(chapter, pages)
        to_do = re.findall(r"TODO[^(]*\(([^)]*)", "".join(text[each.begin : each.end] for each in functions))
        is_call = len(to_do) == 1 and to_do[0].startswith("1 line")  # of what the task before it writes
        if tasks and (not to_do or is_call or task.mention is None):
            tasks[-1].functions += functions
            tasks[-1].kernels += task.kernels
            tasks[-1].find(chapter, pages)
        else:
            tasks.append(task)
        functions = []
    for task in tasks:
        if task.mention is None:
            raise SystemExit(f"notebooks: no page of {chapter} says where to write {task.kernels[0]}")
    return tasks


def kernel_cell(chapter, task, is_solved):
    text = (ROOT / chapter / ("solution.cu" if is_solved else "exercise.cu")).read_text()
    definitions = {one.name: text[one.begin : one.end] for one in parts_of(text, chapter)[0]}
    named = task.mention[3]
    kernel = named if named in task.kernels else task.kernels[0]
    body = "\n\n".join(definitions[one.name] for one in task.functions)
    if is_solved:  # without the marks of what the lessons quote
        body = re.sub(r"^ *// \[/?\w+\]\n", "", body, flags=re.MULTILINE)
    return f"%%kernel {chapter[:4]} {kernel}\n{body}"


def lesson_cells(chapter, is_solved):
    """For each page of the chapter: the page, and (line, cell) of what is put before that line: first one guesses."""
    pages = [Page(path) for path in pages_of(chapter)]
    cells = [[] for _ in pages]
    for order, task in enumerate(tasks_of(chapter, pages)):
        _, number, line, _ = task.mention
        cells[number].append((pages[number].place_after(line), 1, order, kernel_cell(chapter, task, is_solved)))
    last = max(number for number in range(len(pages)) if cells[number])
    for number, page in enumerate(pages):
        for i, line in enumerate(page.lines):
            if page.is_prose(i):
                for words in re.findall(rf"`\./warpwise (predict {chapter[:4]} \w+)`", line):
                    cells[number].append((page.place_after(i), 0, i, f"%warpwise {words}"))
    cells[last].append((len(pages[last].lines), 2, 0, f"# All kernels of the chapter\n%warpwise run {chapter[:4]}"))
    return [(page, [(at, cell) for at, *_, cell in sorted(found)]) for page, found in zip(pages, cells)]


def mended(program, frame):
    """The program with the lines of a diff changed."""
    old = "".join(line[1:] + "\n" for line in frame if line[:1] in " -")
    new = "".join(line[1:] + "\n" for line in frame if line[:1] in " +")
    if program.count(old) != 1:
        raise SystemExit(f"notebooks: {FIRST_KERNEL} mends what is not there: {old}")
    return program.replace(old, new)


def first_kernel_cells(is_solved):
    """A cell for each run of a program, before the fold that tells what it prints: as the program is by then, or with what the
    folds below mend."""
    page = Page(FIRST_KERNEL)
    programs, cells, mended_at, i = {}, [], -1, 0
    while i < len(page.lines):
        line = page.lines[i]
        run = re.match(r"(?:\$ )?\./warpwise exec mine/(\S+)(.*)", line)
        fold = i
        while page.in_fold[fold] and page.in_fold[fold - 1]:
            fold -= 1
        if run and page.in_frame[i] and mended_at < fold:  # what a fold has just mended, the reader has run
            name, options = run.groups()
            if name not in programs:
                text = (ROOT / "docs/first_kernel" / name).read_text()
                programs[name] = text.partition("\n")[2]  # the magic takes the place of the comment: lines agree
            cells.append([fold if page.in_fold[i] else i - 1, name, options, programs[name]])
        elif mends := re.match(r"<!-- mends: mine/(\S+) -->", line):
            frame = page.lines[i + 2 : page.lines.index("```", i + 2)]
            programs[mends[1]], mended_at = mended(programs[mends[1]], frame), i
            if is_solved:
                cells[-1][3] = programs[mends[1]]
        i += 1
    return page, [(at, f"%%cuda{options}\n{program.rstrip()}") for at, _, options, program in cells]


class Links:
    def __init__(self, folder, repository, commit, notebooks):
        self.folder, self.repository, self.commit, self.notebooks = folder, repository, commit, notebooks

    def replace(self, text, page):
        def one(match):
            target, _, anchor = (match[1] or "").partition("#")
            if not match[1] or re.match(r"[a-z]+:", match[1]):
                return match[0]
            path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target)) if target else page
            if path in self.notebooks:
                return f"]({notebook_of(path)})"
            if not (ROOT / path).exists():
                raise SystemExit(f"notebooks: {page} links to {path}, which is not there")
            anchor = f"#{anchor}" if anchor else ""
            if self.repository:
                kind = "tree" if (ROOT / path).is_dir() else "blob"
                return f"]({self.repository}/{kind}/{self.commit}/{path}{anchor})"
            return f"]({Path(os.path.relpath(ROOT / path, self.folder)).as_posix()}{anchor})"

        text = re.sub(r"^!\[([^\]]*)\]\(([^)]+\.svg)\)$", lambda match: self.picture(match, page), text, flags=re.MULTILINE)
        # A place in the same page has another name in every notebook: its link becomes plain text.
        text = re.sub(r"(?<!!)\[([^\]]*)\]\(#[^)]*\)", r"\1", text)
        text = CODE_OR_LINK.sub(one, text)
        return re.sub(r"^```(.*)\n((?:(?!```).*\n)*)```$", self.frame, text, flags=re.MULTILINE)

    def frame(self, match):
        """Jupyter breaks the lines of a frame in a narrow window, and of a drawing or of columns nothing is left then."""
        language, text = match.groups()
        is_drawn = re.search(r"[─│╱█●▶]|\S {3,}\S", text) and not re.search(r"^.{121}", text, re.MULTILINE)
        if language or text.startswith(("./", "$ ./warpwise exec")) or not is_drawn:
            return match[0]
        return f'<pre style="white-space: pre; overflow-x: auto">{html.escape(text, quote=False)}</pre>'

    def picture(self, match, page):
        """Within the notebook, and as HTML: not every viewer takes an SVG from Markdown."""
        data = (ROOT / posixpath.dirname(page) / match[2]).read_bytes()
        words = match[1].replace('"', "&quot;").replace("<", "&lt;")
        return f'<img alt="{words}" src="data:image/svg+xml;base64,{base64.b64encode(data).decode()}">'


def without_comments(lines, page):
    """The text of a stretch of the page, without what is for those who change the page."""
    text, comment = [], False
    for i in lines:
        line = page.lines[i]
        if not page.in_frame[i]:
            comment = comment or line.startswith("<!--")
            if comment:
                comment = "-->" not in line
                continue
        text.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(text)).strip()


def notebook(page, cells, about, links):
    made = []

    def add(kind, text):
        if text:
            source = text if kind == "code" else links.replace(text, page.path)
            more = {"execution_count": None, "outputs": []} if kind == "code" else {}
            made.append({"cell_type": kind, "id": f"cell-{len(made)}", "metadata": {}, "source": source.splitlines(True), **more})

    add("markdown", page.lines[0] + "\n\n" + about)
    add("code", SET_UP)
    begin = 1
    cuts = sorted({at for at, _ in cells} | {i for i in range(1, len(page.lines)) if page.is_heading(i)} | {len(page.lines)})
    for cut in cuts:
        add("markdown", without_comments(range(begin, cut), page))
        for at, cell in cells:
            if at == cut:
                add("code", cell)
        begin = cut
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": made, "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repository", default="")
    parser.add_argument("--commit", default="main")
    parser.add_argument("--solved", action="store_true")
    options = parser.parse_args()
    chapters = sorted(path.parent.name for path in ROOT.glob("ch[0-9][0-9]_*/exercise.cu"))
    made = [(page, cells, ABOUT_LESSON) for chapter in chapters for page, cells in lesson_cells(chapter, options.solved)]
    made.append((*first_kernel_cells(options.solved), ABOUT_FIRST_KERNEL))
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    links = Links(folder, options.repository.rstrip("/"), options.commit, {page.path for page, _, _ in made})
    for page, cells, about in made:
        text = json.dumps(notebook(page, cells, about, links), ensure_ascii=False, indent=1)
        (folder / notebook_of(page.path)).write_text(text + "\n")
    print(f"{len(made)} notebooks are in {options.folder}/")


main()
