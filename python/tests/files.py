"""What is in the wheel, and what `start` and `update` write; needs nothing that is compiled.

Usage: files.py REPOSITORY FOLDER    FOLDER is made, and removed first"""

import io
import os
import re
import shutil
import subprocess
import sys
import unittest
from contextlib import redirect_stdout
from pathlib import Path

ROOT, FOLDER = Path(sys.argv.pop(1)).resolve(), Path(sys.argv.pop(1)).resolve()
PACKAGES = FOLDER / "packages"


def listed():
    """What .ci/wheel puts into the wheel: where it goes ("start" or "course"), and the path."""
    lines = subprocess.run([ROOT / ".ci/wheel", "--list"], check=True, capture_output=True, text=True).stdout.splitlines()
    return [tuple(line.split(" ", 1)) for line in lines]


def lay_out_package():
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(ROOT / "python/warpwise", PACKAGES / "warpwise", ignore=shutil.ignore_patterns("__pycache__"))
    course = PACKAGES / "warpwise/course"
    for _, path in listed():
        (course / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, course / path)
    (course / "start.txt").write_text("".join(path + "\n" for where, path in listed() if where == "start"))


lay_out_package()
sys.dont_write_bytecode = True
sys.path.insert(0, str(PACKAGES))
from warpwise import folder as student  # noqa: E402
from warpwise.__main__ import commands, needs_folder  # noqa: E402


def quietly(command, *words):
    with redirect_stdout(io.StringIO()) as said:
        command(list(words), "1.0")
    return said.getvalue()


class Files(unittest.TestCase):
    def test_every_chapter_is_whole(self):
        paths = set(listed())
        for chapter in (path.name for path in ROOT.glob("ch??_*")):
            for file in ("README.md", "exercise.cu", "kernels.hpp", "hints.md"):
                self.assertIn(("start", f"{chapter}/{file}"), paths)
            for file in ("solution.cu", "lesson/predict.md"):
                self.assertIn(("course", f"{chapter}/{file}"), paths)
            kernels = {("course", str(path.relative_to(ROOT))) for path in (ROOT / chapter / "kernels").glob("*.md")}
            self.assertTrue(kernels and kernels <= paths)

    def test_no_solution_in_sight(self):
        kept = re.compile(r"solution|/kernels/|/checks/|/variants/|/bench/|predict|answers|instructors|grading")
        self.assertEqual([path for where, path in listed() if where == "start" and kept.search(path)], [])

    def test_what_is_included_is_there(self):
        paths = {path for _, path in listed()}
        for path in sorted(paths):
            if not path.endswith((".cu", ".cuh")) and not path.endswith("kernels.hpp"):
                continue  # checks are there to be read
            for name in re.findall(r'^#include "([^"]+)"', (ROOT / path).read_text(), re.M):
                beside = os.path.normpath(Path(path).parent / name)
                self.assertTrue(beside in paths or name in paths, f"{path} includes {name}")

    def test_versions_and_pins_are_those_of_the_clone(self):
        project = (ROOT / "python/pyproject.toml").read_text()
        version = re.search(r"^project\(warpwise VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]
        self.assertIn(f'\nversion = "{version}"\n', project)
        lists = [(ROOT / "cmake" / name).read_text() for name in ("nvrtc-wheel.txt", "toolkits/13.5.txt")]
        pins = [pin for text in lists for pin in re.findall(r"^(nvidia\S+==\S+)", text, re.M)]
        self.assertEqual(re.findall(r'"(nvidia\S+==\S+)"', project), pins)

    def test_commands(self):
        names = [row[0] for row in commands()]
        for name in ("run", "watch", "show", "hint", "predict", "puzzle", "solution", "list", "reset", "exec", "tour", "doctor"):
            self.assertIn(name, names)
        for name in ("test", "bench", "profile", "handout", "new-chapter"):
            self.assertNotIn(name, names)
        self.assertTrue(needs_folder(["run", "ch01"]))
        self.assertFalse(needs_folder(["run", "ch01", "--attempt=reduce_naive_no_barrier"]))


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = FOLDER / self._testMethodName
        quietly(student.start, str(self.folder))
        os.chdir(self.folder / "docs")  # anywhere in it
        self.exercise, self.lesson = self.folder / "ch01_naive/exercise.cu", self.folder / "ch01_naive/README.md"

    def newer(self, path):
        """The course has a newer version of the file, until the test ends."""
        file = student.COURSE / path
        before = file.read_bytes()
        self.addCleanup(file.write_bytes, before)
        file.write_bytes(before + b"\nnewer\n")
        return file.read_bytes()

    def test_it_has_what_is_listed_and_no_more(self):
        there = {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file()}
        self.assertEqual(there, {path for where, path in listed() if where == "start"} | {"warpwise", ".warpwise"})
        self.assertTrue(os.access(self.folder / "warpwise", os.X_OK))

    def test_start_loses_nothing(self):
        self.exercise.write_text("mine")
        with self.assertRaisesRegex(student.Refusal, "is such a folder already"):
            student.start([str(self.folder)], "1.0")
        other = FOLDER / "other"
        other.mkdir()
        (other / "thesis.txt").write_text("mine")
        with self.assertRaisesRegex(student.Refusal, "is not empty"):
            student.start([str(other)], "1.0")
        self.assertEqual((self.exercise.read_text(), [path.name for path in other.iterdir()]), ("mine", ["thesis.txt"]))

    def test_update_leaves_what_was_written(self):
        self.exercise.write_text("mine")
        self.newer("ch01_naive/exercise.cu")
        lesson = self.newer("ch01_naive/README.md")
        said = quietly(student.update)
        self.assertEqual((self.exercise.read_text(), self.lesson.read_bytes()), ("mine", lesson))
        self.assertIn("1 files are new or newer.\nch01_naive/exercise.cu is left as you wrote it", said)

    def test_update_after_update(self):
        self.newer("ch01_naive/README.md")
        quietly(student.update)
        self.lesson.write_text("my notes")
        newest = self.newer("ch01_naive/hints.md")
        quietly(student.update)
        self.assertEqual((self.lesson.read_text(), (self.folder / "ch01_naive/hints.md").read_bytes()), ("my notes", newest))

    def test_update_brings_back_what_is_gone(self):
        self.lesson.unlink()
        quietly(student.update)
        self.assertTrue(self.lesson.exists())
        self.assertEqual(quietly(student.update), "Everything is up to date.\n")

    def test_a_handout_is_judged_by_the_wheel_if_its_checks_are(self):
        self.assertIsNone(student.other_check(self.folder))
        checks = self.folder / "ch01_naive/checks/checks.cpp"
        checks.parent.mkdir()
        checks.write_bytes((ROOT / "ch01_naive/checks/checks.cpp").read_bytes())
        self.assertIsNone(student.other_check(self.folder))
        checks.write_text("// stricter")
        self.assertEqual(str(student.other_check(self.folder)), "ch01_naive/checks/checks.cpp")


if __name__ == "__main__":
    unittest.main()
