"""What `%load_ext warpwise` adds to a notebook: %%cuda, %%kernel and %warpwise. Whatever goes wrong is said in a sentence."""

import functools
import os
import re
import shlex
import tempfile
from pathlib import Path

from IPython.core.error import StdinNotImplementedError
from IPython.core.magic import no_var_expand
from IPython.display import HTML, display

from .notebook_run import CellLines, Gpu, as_magic, exercise_of, own_command, print_now, stream
from .notebook_source import Refusal, replaced

LARGEST_PAGE = 1_990_000  # bytes: with what is around it, a cell has at most 2 MB
# With one of these a program runs on the simulated GPU, wherever it is.
SIMULATED = re.compile(r"--(simulate|show|text|svg|output|at|time|warp|of-block|report|trace|schedule|threads|budget|strict|quiet)(=.*)?")
written = {}  # file: what this notebook has written into it last


def says_what_is_wrong(magic):
    @functools.wraps(magic)
    def run(*arguments):
        try:
            magic(*arguments)
        except Refusal as refusal:
            print_now(f"✗ {refusal}\n")
        except KeyboardInterrupt:
            print_now("stopped\n")
        except (OSError, UnicodeError) as error:
            print_now(f"✗ {error}\n")

    return run


def words_of(line):
    try:
        return shlex.split(line)
    except ValueError as error:
        raise Refusal(f"what follows on the first line cannot be read ({error}).") from None


def split(words):
    """The options, and the program's arguments after `--`."""
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]


def show_page(page, program=""):
    """Draws a page of `show` below the cell, in a frame of its own: it has all that it needs. `program`: the cell's file."""
    text = page.read_text().replace(program or "cell.cu", "cell.cu")
    # A page keeps its state in its address, which a frame does not have.
    text = text.replace("<script>\n", "<script>history.replaceState = () => {};</script>\n<script>\n", 1)
    quoted = text.replace("&", "&amp;").replace("'", "&#39;")  # fewer of these than of "
    if len(quoted.encode()) > LARGEST_PAGE:
        print_now(f"The picture has more than 2 MB, too much for a notebook: draw less of it (docs/show.md).\n")
        return
    display(HTML(f"<div><iframe srcdoc='{quoted}' title='What each lane did' style='{STYLE_OF_FRAME}'></iframe></div>"))


STYLE_OF_FRAME = "width: 100%; height: 44rem; border: 1px solid #8888; border-radius: 4px; color-scheme: light dark"


@no_var_expand
@says_what_is_wrong
def cuda(line, cell):
    """%%cuda [--show] [--simulate] [options of `exec` and nvcc] [-- arguments]: compiles the cell's program and runs it."""
    options, arguments = split(words_of(line))
    gpu = None if any(SIMULATED.fullmatch(word) for word in options) else Gpu.find()
    options = [word for word in options if word != "--simulate"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cell.cu"
        file.write_text("\n" + cell)  # an empty line for the magic, so that lines agree
        count = cell.count("\n") + 2
        lines = CellLines("cell.cu", [(1, 1, count)], is_whole=True)
        if gpu:
            run_on_gpu(gpu, file, options, arguments, lines)
        else:
            run_simulated(file, options, arguments, lines)


def run_on_gpu(gpu, file, options, arguments, lines):
    program = file.with_name("program")
    print_now(f"On {gpu.name} (--simulate: on the simulated GPU, which looks for mistakes)\n")
    if stream(gpu.compile(file, program, options), rewrite=lines) == 0:
        status = stream([str(program), *arguments])
        if status:
            print_now(f"The program ended with status {status}.\n")


def run_simulated(file, options, arguments, lines):
    page = file.with_name("page.html")
    is_page = "--show" in options and not any(re.match(r"--(text|svg|output)\b", word) for word in options)
    command = [*own_command(), "exec", str(file), f"-I{Path.cwd()}", *options]
    if is_page:
        command += ["--output", str(page)]

    def rewrite(text):
        if str(page) in text:  # it is drawn below
            return ""
        if re.match(r"warpwise: see it: ", text):
            return "warpwise: see it: %%cuda --show\n"
        return lines(text)

    stream([*command, "--", *arguments], rewrite=rewrite)
    if is_page and page.exists():
        show_page(page, str(file))


@no_var_expand
@says_what_is_wrong
def kernel(line, cell):
    """%%kernel CHAPTER KERNEL [--show] [options of `run`]: writes the kernel into the chapter's exercise.cu, and judges it."""
    words = words_of(line)
    if len(words) < 2 or any(word.startswith("-") for word in words[:2]):
        raise Refusal("which kernel? The cell's first line says it: %%kernel ch01 reduce_naive")
    chapter, name, options = words[0], words[1], words[2:]
    folder, file = exercise_of(chapter)
    shown = file.relative_to(folder).as_posix()
    places = write_kernel(file, shown, "\n" + cell, name)  # an empty line for the magic: lines agree
    lines = CellLines(shown, places, is_whole=False)
    rest = [word for word in options if word != "--show"]

    def rewrite(text):
        if re.match(r" +see it +\./warpwise ", text):
            return "    see it     below\n"
        return as_magic(lines(text))

    status = stream([*own_command(), "run", chapter, name, *rest], folder=folder, rewrite=rewrite)
    if status == 1 or "--show" in options:
        with tempfile.TemporaryDirectory() as place:
            page = Path(place) / "page.html"
            # Where there is nothing to draw, the verdict has said why.
            stream([*own_command(), "show", chapter, name, "--output", str(page)], folder=folder, write=lambda text: None)
            if page.exists():
                show_page(page)


def write_kernel(file, shown, cell, name):
    """What CellLines wants to know of what was written. What nobody but the file has is kept beside it."""
    before = file.read_text()
    after, places = replaced(before, cell, name, shown)
    if "TODO" in cell and still_to_do(after) > still_to_do(before):
        print_now(
            f"In {shown}, {name} is further than in this cell, which still has a TODO: the file stays as it is, and is judged. "
            f"(%warpwise reset {file.parent.name[:4]} begins anew.)\n"
        )
        return []
    if after == before:
        return places
    if written.get(file) != before and not is_kept(file, before):
        print_now(f"{shown} as it was is kept as {keep(file, before)}.\n")
    part = file.with_name(file.name + ".part")  # a file is written whole or not at all
    part.write_text(after)
    os.replace(part, file)
    written[file] = after
    return places


def still_to_do(text):
    return text.count("TODO")


def copies(file):
    return sorted(file.parent.glob(file.name + ".[0-9]*"))


def is_kept(file, text):
    return any(copy.read_text() == text for copy in copies(file))


def keep(file, text):
    """As `reset` does: exercise.cu.1, .2 ..."""
    number = 1
    while file.with_name(f"{file.name}.{number}").exists():
        number += 1
    copy = file.with_name(f"{file.name}.{number}")
    copy.write_text(text)
    return copy.name


@says_what_is_wrong
def warpwise(line):
    """%warpwise COMMAND ...: what `warpwise COMMAND ...` does in a terminal; a question is asked below the cell."""
    stream([*own_command(), *words_of(line)], rewrite=as_magic, answer=ask)


def ask(prompt):
    print_now(prompt[: prompt.rfind("\n") + 1])
    try:
        return input(prompt[prompt.rfind("\n") + 1 :].strip() + " ")
    except (EOFError, StdinNotImplementedError):
        return None


def load(shell):
    shell.register_magic_function(cuda, "cell")
    shell.register_magic_function(kernel, "cell")
    shell.register_magic_function(warpwise, "line")
