"""The command `warpwise`: it knows `start`, `update` and `doctor`, and hands all others over to the programs of the wheel
(common/cli), which it tells where things are here (common/text/installation.hpp)."""

import ctypes
import importlib.metadata
import os
import platform
import re
import shutil
import sys
from pathlib import Path

from .folder import COURSE, Refusal, find_folder, other_check, start, update

PROGRAMS = COURSE / "build"
OF_CLONE = {"test", "bench", "profile"}  # they build

FIRST_SCREEN = """\
Warpwise: learn parallel reduction in CUDA C++ by writing the kernels. Each one
runs on a simulated GPU (and on a real one, if you have it), and you learn
whether it is right, uses the chapter's technique, and is safe.

  warpwise start FOLDER    write the lessons and the exercises into a folder
  warpwise update          there: bring newer lessons; what you wrote stays

In the folder:
{commands}

Never written a kernel? Start with docs/first-kernel.md of the folder.
Otherwise read ch01_naive/README.md, then `warpwise run ch01`.
`warpwise COMMAND --help` explains each."""


def commands():
    """The rows of common/cli/commands.def that a wheel has: name, words on the first screen, program, purpose."""
    row = r'^COMMAND\("([^"]*)", "([^"]*)", ([a-z_]*), "[^"]*", "([^"]*)"\)$'
    rows = re.findall(row, (COURSE / "common/cli/commands.def").read_text(), re.M)
    return [each for each in rows if each[2] != "warpwise_class" and each[0] not in OF_CLONE]


def first_screen():
    lines = []
    for name, words, _, purpose in commands():
        shown = name if words in ("", "more") else f"{name} {words}"
        lines.append(f"  warpwise {shown:15} {purpose}")
    return FIRST_SCREEN.format(commands="\n".join(lines))


def version():
    return importlib.metadata.version("warpwise")


def nvidia_file(path):
    """A file of NVIDIA's wheels, which all unpack into nvidia/cu13."""
    try:
        import nvidia
    except ImportError:
        return None
    return next((Path(each, "cu13", path) for each in nvidia.__path__ if Path(each, "cu13", path).exists()), None)


def find_nvcc():
    """Of the extra `exec`, or of a toolkit that is installed."""
    on_path = shutil.which("nvcc")
    usual = Path("/usr/local/cuda/bin/nvcc")
    return nvidia_file("bin/nvcc") or (Path(on_path) if on_path else usual if usual.exists() else None)


def cache():
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "warpwise" / version()


def device_headers(nvrtc):
    """CUB, cooperative groups and so on, which NVRTC's library brings: unpacked once for all folders."""
    folder = cache() / "headers"
    if not (folder / "cccl").exists():
        folder.mkdir(parents=True, exist_ok=True)
        ctypes.CDLL(str(nvrtc)).nvrtcInstallBundledHeaders(str(folder).encode(), 0, None)
    return folder


def write_installation(folder):
    """`folder` is None outside of one: then what is made lies in the cache, and what is read is the course's own."""
    nvrtc = nvidia_file("lib/libnvrtc.so.13")
    if nvrtc is None:
        raise Refusal("NVIDIA's compiler for kernels is not installed here: pip install nvidia-cuda-nvrtc.")
    build = (folder or cache()) / "build"
    values = {
        "root": folder or COURSE,
        "programs": PROGRAMS,
        "nvrtc": nvrtc,
        "device_headers": device_headers(nvrtc),
        "nvcc": find_nvcc() or "",
        "runtime_bundle": next((PROGRAMS / "lib").glob("libwarpwise_runtime.*"), ""),
    }
    if folder is None or not (folder / "handout.txt").exists():
        values["course"] = COURSE  # a handout's solutions are its instructor's
    elif path := other_check(folder):
        raise Refusal(f"{path} is not that of Warpwise {version()}, so this handout judges by programs of its own: install its own "
                      "wheel, if your instructor has made one, or use ./warpwise.")
    text = "# Where the wheel's programs find what they need. The command `warpwise` writes this file.\n"
    text += "".join(f"{key} {value}\n" for key, value in values.items())
    file = build / "wheel.txt"
    if not file.exists() or file.read_text() != text:
        build.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f"wheel.txt.{os.getpid()}")  # somebody may be reading it
        part.write_text(text)
        part.replace(file)
    return file


def needs_folder(words):
    """What an exercise is needed for. The rest is at hand without: tour, exec, solution, and what names no exercise."""
    is_about_others = any(word.split("=")[0] in ("--solution", "--attempt", "--accepted", "--help", "-h") for word in words)
    return words[0] not in ("tour", "exec", "solution") and not is_about_others


def doctor():
    """What this machine has; the exit status says whether Warpwise can run."""
    nvrtc, nvcc = nvidia_file("lib/libnvrtc.so.13"), find_nvcc()
    try:
        ctypes.CDLL("libcuda.so.1")
        driver = "libcuda.so.1"
    except OSError:
        driver = "none: kernels run on the simulated GPU"
    facts = {
        "Warpwise": f"{version()}, {COURSE.parent}",
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}, {' '.join(platform.libc_ver())}",
        "Python": f"{platform.python_version()}, {sys.executable}",
        "folder": find_folder() or "none here: warpwise start FOLDER",
        "NVRTC": nvrtc or "missing: pip install nvidia-cuda-nvrtc",
        "nvcc, for exec": nvcc or "none: pip install 'warpwise[exec]'",
        "g++, for exec": shutil.which("g++") or "none: nvcc needs it; apt install g++",
        "NVIDIA's driver": driver,
    }
    for name, value in facts.items():
        print(f"  {name:16} {value}")
    return 0 if nvrtc else 1


def run(words):
    if not words or words[0] in ("-h", "--help", "help"):
        print(first_screen())
        return 0
    if words[0] == "--version":
        print(f"warpwise {version()}")
        return 0
    if words[0] == "start":
        return start(words[1:], version())
    if words[0] == "update":
        return update(words[1:], version())
    if words[0] == "doctor":
        return doctor()
    known = [row[0] for row in commands()]
    if words[0] in OF_CLONE or words[0] in ("handout", "grade", "new-chapter"):
        raise Refusal(f"`{words[0]}` works in a clone of the course, where its program is built.")
    folder = find_folder()
    if folder is None and words[0] in known and needs_folder(words):
        raise Refusal("here is no folder with the exercises; `warpwise start FOLDER` writes one, then go into it.")
    os.environ["WARPWISE_INSTALLATION"] = str(write_installation(folder))
    program = str(PROGRAMS / "common/cli/warpwise_cli")
    sys.stdout.flush()
    os.execv(program, [program, *words])


def main():
    try:
        sys.exit(run(sys.argv[1:]))
    except Refusal as refusal:
        print(f"warpwise: {refusal}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f"warpwise: {error.filename or ''}: {error.strerror or error}.", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
