#!/usr/bin/env python3
"""What the magics of a notebook do with files and with output, without Jupyter: notebook_source.py, notebook_run.py."""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PACKAGE))

from warpwise import notebook_run  # noqa: E402
from warpwise.notebook_source import Refusal, parts_of, replaced  # noqa: E402

FILE = """\
// Chapter 1.

#include "kernels.hpp"

/// What one() does.
template <class T>
__device__ T one(T value) {
  // TODO
  return value;
}

/// What the kernel does: } is no brace of it.
extern "C" __global__ void __launch_bounds__(256)
    kernel(const float* in, float* out) {
  // TODO
}

extern "C" __global__ void last(float* out) {}
"""


def cell(text):
    return "\n" + text  # in the place of the magic, so that lines agree


class Replacing(unittest.TestCase):
    def refused(self, text, name="kernel"):
        with self.assertRaises(Refusal) as caught:
            replaced(FILE, cell(text), name, "exercise.cu")
        return str(caught.exception)

    def test_functions_of_every_exercise_are_found_once(self):
        exercises = sorted(PACKAGE.parent.glob("ch[0-9][0-9]_*/exercise.cu"))
        self.assertTrue(exercises)
        for exercise in exercises:
            text = exercise.read_text()
            names = [one.name for one in parts_of(text, exercise.name)[0]]
            self.assertEqual(len(names), len(set(names)), exercise)
            self.assertEqual(len(names), text.count("__global__ ") + text.count("__device__ "), exercise)

    def test_only_the_functions_of_the_cell_change(self):
        kernel = 'extern "C" __global__ void __launch_bounds__(256)\n    kernel(const float* in, float* out) {\n  out[0] = in[0]; // {\n}'
        text, places = replaced(FILE, cell(kernel + "\n"), "kernel", "exercise.cu")
        begin, end = FILE.index('extern "C" __global__ void __launch'), FILE.index("\n\nextern \"C\" __global__ void last")
        self.assertEqual(text, FILE[:begin] + kernel + FILE[end:])
        self.assertEqual(places, [(13, 2, 4)])
        self.assertEqual(replaced(text, cell(kernel), "kernel", "exercise.cu")[0], text)

    def test_comments_above_the_cells_function_replace_those_of_the_file(self):
        text, _ = replaced(FILE, cell("/// Mine.\n__global__ void kernel() { }\n"), "kernel", "exercise.cu")
        self.assertIn("\n\n/// Mine.\n__global__ void kernel() { }\n\n", text)
        self.assertNotIn("What the kernel does", text)

    def test_a_new_function_comes_before_the_one_that_follows_it(self):
        new = "__device__ int new_one() { return '{' + 1'000; }"
        text, _ = replaced(FILE, cell(new + "\n\n__global__ void kernel() { new_one(); }\n"), "kernel", "exercise.cu")
        self.assertIn(f"{new}\n\n/// What the kernel does: }} is no brace of it.\n__global__ void kernel() {{ new_one(); }}\n\n", text)
        changed = new.replace("1'000", "2")
        again, _ = replaced(text, cell(changed + "\n__global__ void kernel() { new_one(); }\n"), "kernel", "exercise.cu")
        self.assertEqual(again, text.replace(new, changed))
        after, _ = replaced(FILE, cell("__global__ void kernel() { }\n" + new), "kernel", "exercise.cu")
        self.assertIn(f"kernel() {{ }}\n\n{new}\n\nextern", after)

    def test_what_cannot_be_placed_is_refused_in_a_sentence(self):
        self.assertIn("does not define kernel (it defines last): ", self.refused("__global__ void last(float* out) {}"))
        self.assertIn("does not define kernel: ", self.refused("  out[0] = in[0];"))
        self.assertIn("has no kernel kernl; did you mean kernel?", self.refused("__global__ void kernel() {}", "kernl"))
        self.assertIn("the { in line 2 of the cell is never closed", self.refused("__global__ void kernel() {\n"))
        self.assertIn("line 4 of the cell has a } too many", self.refused("__global__ void kernel() {\n}\n}\n"))
        self.assertIn("defines kernel twice", self.refused("__global__ void kernel() {}\n__global__ void kernel() {}\n"))
        self.assertIn("line 2 of the cell, `constexpr int two = 2;`", self.refused("constexpr int two = 2;\n__global__ void kernel() {}"))

    def test_what_the_file_has_already_may_be_in_the_cell(self):
        text, _ = replaced(FILE, cell('#include "kernels.hpp"\n__global__ void kernel() {}\n'), "kernel", "exercise.cu")
        self.assertEqual(text.count("#include"), 1)


class Lines(unittest.TestCase):
    def test_a_whole_program_has_the_cells_lines(self):
        lines = notebook_run.CellLines("cell.cu", [(1, 1, 20)], True)
        self.assertEqual(lines("/tmp/x/cell.cu:12: race: ..."), "cell line 12: race: ...")
        self.assertEqual(lines("/tmp/x/cell.cu(7): error: ..."), "cell line 7: error: ...")
        self.assertEqual(lines("/tmp/x/cell.cu:7:3: error: ..."), "cell line 7: error: ...")
        self.assertEqual(lines("warpwise: /tmp/x/cell.cu does not compile"), "warpwise: the cell does not compile")
        self.assertEqual(lines('the compilation of "/tmp/x/cell.cu".'), 'the compilation of "the cell".')

    def test_lines_of_an_exercise_become_the_cells_where_the_cell_has_them(self):
        lines = notebook_run.CellLines("ch01_naive/exercise.cu", [(7, 2, 10)], False)
        self.assertEqual(lines("race at line 16"), "race at line 11")
        self.assertEqual(lines("lines 8 to 10, and"), "lines 3 to 5, and")
        self.assertEqual(lines("race at line 20"), "race at line 20 of ch01_naive/exercise.cu")
        self.assertEqual(lines("in line 8 of lookback.hpp"), "in line 8 of lookback.hpp")
        self.assertEqual(lines("in line 18 of lookback.hpp"), "in line 18 of lookback.hpp")
        self.assertEqual(lines("write it   ch01_naive/exercise.cu:9   load"), "write it   cell line 4   load")
        self.assertEqual(lines("   12 |   x"), "    7 |   x")


class Running(unittest.TestCase):
    def test_output_comes_while_the_command_runs(self):
        came = []
        code = "import time; print('one'); time.sleep(0.4); print('two ✓', end='')"
        begin = time.monotonic()
        status = notebook_run.stream([sys.executable, "-c", code], write=lambda text: came.append((text, time.monotonic())))
        self.assertEqual((status, "".join(text for text, _ in came)), (0, "one\ntwo ✓"))
        self.assertGreater(came[-1][1] - came[0][1], 0.2)
        self.assertGreater(came[0][1], begin)

    def test_questions_are_answered(self):
        came, asked = [], []

        def answer(prompt):
            asked.append(prompt)
            return "42" if len(asked) == 1 else None

        code = "import sys\nfor i in 1, 2:\n  print('     >', end=' ', flush=True); x = sys.stdin.readline().strip(); print(x); print('got', x)"
        self.assertEqual(notebook_run.stream([sys.executable, "-c", code], write=came.append, answer=answer), 0)
        self.assertEqual("".join(came), "got 42\n\ngot \n")

    def test_a_gpu_counts_only_with_nvcc_and_if_it_answers(self):
        path = os.environ["PATH"]
        with tempfile.TemporaryDirectory() as folder:
            os.environ["PATH"] = folder
            try:
                for status, found in ((0, "NVIDIA H200"), (9, None)):
                    for name, text in (("nvidia-smi", f"#!/bin/sh\necho NVIDIA H200\nexit {status}\n"), ("nvcc", "#!/bin/sh\n")):
                        (Path(folder) / name).write_text(text)
                        (Path(folder) / name).chmod(0o755)
                    gpu = notebook_run.Gpu.find()
                    self.assertEqual(gpu and gpu.name, found)
                    if gpu:
                        self.assertIn("-arch=native", gpu.compile("cell.cu", "program", ["-O2"]))
                        self.assertNotIn("-arch=native", gpu.compile("cell.cu", "program", ["-arch=sm_90"]))
                (Path(folder) / "nvidia-smi").unlink()
                self.assertIsNone(notebook_run.Gpu.find())
            finally:
                os.environ["PATH"] = path

    def test_the_command_is_that_of_the_clone_or_the_one_that_is_named(self):
        before, here = dict(os.environ), Path.cwd()
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "ch01_naive").mkdir()
            (Path(folder) / "ch01_naive/exercise.cu").write_text("")
            (Path(folder) / "warpwise").write_text("")
            try:
                os.environ.pop("WARPWISE", None)
                os.environ["PATH"] = ""
                os.chdir(Path(folder) / "ch01_naive")
                self.assertEqual(notebook_run.own_command(), [str(Path(folder).resolve() / "warpwise")])
                self.assertEqual(notebook_run.exercise_of("ch01")[1].parent.name, "ch01_naive")
                with self.assertRaisesRegex(Refusal, "no chapter `ch09`"):
                    notebook_run.exercise_of("ch09")
                os.environ["WARPWISE"] = "/opt/warpwise"
                self.assertEqual(notebook_run.own_command(), ["/opt/warpwise"])
                os.environ.pop("WARPWISE")
                os.chdir("/")
                with self.assertRaisesRegex(Refusal, "no command `warpwise`"):
                    notebook_run.own_command()
            finally:
                os.chdir(here)
                os.environ.clear()
                os.environ.update(before)


class Notebooks(unittest.TestCase):
    def test_every_kernel_is_written_in_one_cell_and_no_solution_is_in_sight(self):
        root = PACKAGE.parent
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, root / "docs/site/notebooks.py", folder], check=True, stdout=subprocess.DEVNULL)
            cells = {}
            for path in sorted(Path(folder).glob("*.ipynb")):
                notebook = json.loads(path.read_text())
                cells[path.name] = ["".join(each["source"]) for each in notebook["cells"] if each["cell_type"] == "code"]
        for chapter in sorted(root.glob("ch[0-9][0-9]_*")):
            text = (chapter / "exercise.cu").read_text()
            written = "\n".join(cell for name, of in cells.items() if name.startswith(chapter.name) for cell in of)
            for one in parts_of(text, "exercise.cu")[0]:
                self.assertEqual(written.count(text[one.code : one.end]), 1, f"{one.name} of {chapter.name}")
        self.assertEqual(sum(cell.startswith("%%cuda") for cell in cells["first_kernel.ipynb"]), 7)


if __name__ == "__main__":
    unittest.main()
