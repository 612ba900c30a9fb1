"""Commands that a cell runs: which, with what output, and whose lines the output names."""

import codecs
import os
import re
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from .notebook_source import Refusal


def folder_with_exercises():
    """The nearest folder at or above the current one that has chapters: a clone, a hand-out or one of `warpwise start`."""
    here = Path.cwd()
    return next((path for path in (here, *here.parents) if any(path.glob("ch[0-9][0-9]_*/exercise.cu"))), None)


def own_command():
    """That of the package if it is a wheel, else $WARPWISE, else `warpwise` on PATH, else that of the clone here."""
    if (Path(__file__).parent / "course").is_dir():
        return [sys.executable, "-m", "warpwise"]
    found = os.environ.get("WARPWISE") or shutil.which("warpwise")
    folder = folder_with_exercises()
    if not found and folder and (folder / "warpwise").is_file():
        found = str(folder / "warpwise")
    if not found:
        raise Refusal(
            f"there is no command `warpwise` here: install it with pip, or start Jupyter in a clone (this is {Path.cwd()})."
        )
    return [found]


def exercise_of(chapter):
    """(the folder with the chapters, the chapter's exercise)"""
    folder = folder_with_exercises()
    if folder is None:
        raise Refusal(
            f"there are no exercises in {Path.cwd()}: `!warpwise start reduction` writes them into a folder, "
            "and `%cd reduction` goes there."
        )
    found = sorted(folder.glob(f"{glob_safe(chapter)}*/exercise.cu"))
    if len(found) != 1:
        names = ", ".join(path.parent.name for path in sorted(folder.glob("ch[0-9][0-9]_*/exercise.cu")))
        raise Refusal(f"there is no chapter `{chapter}` in {folder} (it has {names}).")
    return folder, found[0]


def glob_safe(words):
    return re.sub(r"[^\w]", "?", words)


class Gpu:
    """A GPU together with nvcc, where a program can run instead of on the simulated one."""

    def __init__(self, name, nvcc):
        self.name, self.nvcc = name, nvcc

    @staticmethod
    def find():
        """None if there is none, or no nvcc for it."""
        nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
        asks = shutil.which("nvidia-smi")
        if not nvcc or not asks:
            return None
        try:
            words = [asks, "--query-gpu=name", "--format=csv,noheader"]
            answer = subprocess.run(words, capture_output=True, text=True, timeout=20)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return Gpu(answer.stdout.splitlines()[0].strip(), nvcc) if answer.returncode == 0 and answer.stdout.strip() else None

    def compile(self, file, program, options):
        is_chosen = any(re.match(r"--?(arch|gpu-architecture|gencode|generate-code)\b", word) for word in options)
        architecture = [] if is_chosen else ["-arch=native"]
        return [self.nvcc, *architecture, *options, str(file), f"-I{Path.cwd()}", "-o", str(program)]


class CellLines:
    """Turns what is said of a file's lines into the lines of the cell that the file was made from."""

    def __init__(self, file, places, is_whole):
        """`places`: (line in the file, line in the cell, how many). `is_whole`: the cell is the whole file, which nobody else knows."""
        self.file, self.places, self.is_whole = str(file), places, is_whole
        name = re.escape(self.file)
        self.of_file = re.compile(rf"(?:[^\s\"'`]*/)?{name}(?::(\d+)(?::\d+(?=:))?|\((\d+)\)(?=:))?")

    def cell_line(self, line):
        for in_file, in_cell, count in self.places:
            if in_file <= line < in_file + count:
                return line - in_file + in_cell
        return None

    def __call__(self, text):
        if self.is_whole:
            return self.of_file.sub(self._replace, text)
        text = re.sub(r"\blines? \d+(?:(?:, | to | and )\d+)*(?!\d| of |, \d| to \d| and \d)", self._number, text)
        text = re.sub(r"^( *)(\d+)( \| )", self._margin, text)
        return self.of_file.sub(self._replace, text)

    def _replace(self, match):
        number = match[1] or match[2]
        line = self.cell_line(int(number)) if number else None
        if line is None:
            return "the cell" if self.is_whole and not number else match[0]
        return f"cell line {line}"

    def _number(self, match):
        lines = [self.cell_line(int(number)) for number in re.findall(r"\d+", match[0])]
        if None in lines:
            return f"{match[0]} of {self.file}"
        words = iter(lines)
        return re.sub(r"\d+", lambda _: str(next(words)), match[0])

    def _margin(self, match):
        line = self.cell_line(int(match[2]))
        return match[0] if line is None else match[1] + str(line).rjust(len(match[2])) + match[3]


def as_magic(text):
    """Commands as a cell takes them."""
    return text.replace("./warpwise ", "%warpwise ").replace("`warpwise ", "`%warpwise ")


def coloured(text):
    """The marks in the colours that a terminal shows; Jupyter knows these."""
    return text.replace("✓", "\x1b[32m✓\x1b[0m").replace("✗", "\x1b[31m✗\x1b[0m")


def stream(words, folder=None, rewrite=str, write=None, answer=None):
    """Runs a command, hands over what it prints as it comes, and returns its exit status. `answer`, if there is one, is asked
    what to reply when the command waits after a prompt that ends in `>`; None ends the command's input."""
    write = write or print_now
    if shutil.which("stdbuf"):  # a program's own output waits in a buffer when nobody looks at a terminal
        words = ["stdbuf", "-oL", "-eL", *words]
    process = subprocess.Popen(
        words,
        cwd=folder,
        stdin=subprocess.PIPE if answer else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(),
        start_new_session=True,
    )
    try:
        hand_over(process, rewrite, write, answer)
    except KeyboardInterrupt:
        write("\nstopped\n")
    finally:
        if process.poll() is None:
            end(process)
        process.stdout.close()
        if process.stdin:
            process.stdin.close()
    return process.returncode


def environment():
    """In a server's bare environment the marks would be plain ASCII."""
    variables = {"PYTHONUNBUFFERED": "1", **os.environ}
    locale = variables.get("LC_ALL") or variables.get("LC_CTYPE") or variables.get("LANG") or ""
    if not re.search(r"utf-?8", locale, re.IGNORECASE):
        variables["LC_ALL"] = "C.UTF-8"
    return variables


def hand_over(process, rewrite, write, answer):
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    pipe, waiting, echo = process.stdout.fileno(), "", None
    while True:
        if not select.select([pipe], [], [], 0.2)[0]:
            if answer and waiting.rstrip().endswith(">"):
                reply = echo = answer(waiting)
                waiting = ""
                try:
                    if reply is None:
                        process.stdin.close()
                    else:
                        process.stdin.write((reply + "\n").encode())
                        process.stdin.flush()
                except BrokenPipeError:
                    pass
            elif waiting:
                write(rewrite(waiting))
                waiting = ""
            continue
        data = os.read(pipe, 1 << 16)
        waiting += decoder.decode(data, final=not data)
        lines = waiting.splitlines(keepends=True)
        waiting = lines.pop() if lines and not lines[-1].endswith(("\n", "\r")) and data else ""
        if lines and lines[0].rstrip("\n") == echo:
            lines.pop(0)  # the command repeats what was typed, as nobody has seen it in a terminal
        if lines:
            echo = None
            write("".join(rewrite(line) for line in lines))
        if not data:
            process.wait()
            return


def end(process):
    """The command and all that it has started."""
    for number in (signal.SIGINT, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(5)
            return
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            process.wait()
            return


def print_now(text):
    print(coloured(text), end="", flush=True)
