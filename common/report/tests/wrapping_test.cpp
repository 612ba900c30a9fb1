#include "common/report/wrapping.hpp"

#include "common/simulator/report.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::report;

namespace {

warpwise::simulator::Finding race() {
  warpwise::simulator::Finding finding;
  finding.file = "build/ch01_naive/attempts/reduce_naive_no_barrier_in_loop.cu";
  finding.line = 16;
  finding.message = "thread 0 reads partial[2] while thread 2 may still write it";
  finding.source = "partial[tid] += partial[tid + stride];";
  finding.note =
      "lanes of a warp need not run in step, and no barrier orders the two (seen 4 times, first in block 0)";
  finding.help = "put __syncthreads() between the two";
  return finding;
}

}  // namespace

TEST_CASE("a finding on a terminal is broken at spaces, into lines of 80 columns") {
  CHECK(finding_on_screen(format(race()), 4, Lines::broken) ==
        "    build/ch01_naive/attempts/reduce_naive_no_barrier_in_loop.cu:16: race:\n"
        "        thread 0 reads partial[2] while thread 2 may still write it\n"
        "       16 |     partial[tid] += partial[tid + stride];\n"
        "          = lanes of a warp need not run in step, and no barrier orders the two\n"
        "            (seen 4 times, first in block 0)\n"
        "          = help: put __syncthreads() between the two\n");
}

TEST_CASE("a source line is broken behind its number, and only for a screen") {
  const std::string line =
      "   16 |     if (tid % (2 * stride) == 0) partial[tid] += partial[tid + stride] + (tid == 0);";
  CHECK(finding_on_screen("race: x\n" + line, 4, Lines::broken) ==
        "    race: x\n"
        "       16 |     if (tid % (2 * stride) == 0) partial[tid] += partial[tid +\n"
        "                    stride] + (tid == 0);\n");
  CHECK(finding_on_screen("race: x\n" + line, 0, Lines::whole) == "race: x\n" + line + "\n");
}

TEST_CASE("a command is broken as the shell reads it") {
  const std::string command =
      "./warpwise show ch01 --attempt reduce_naive_no_barrier_in_loop --at 16 --n 1 --block 32";
  CHECK(fitted_command(command, 15, 19, Lines::broken) ==
        "./warpwise show ch01 --attempt reduce_naive_no_barrier_in_loop \\\n"
        "                   --at 16 --n 1 --block 32");
  CHECK(fitted_command(command, 15, 19, Lines::whole) == command);
}

TEST_CASE("an editor finds the first line of a finding whole") {
  const std::string text = finding_on_screen(format(race()), 0, Lines::whole);
  CHECK(text.substr(0, text.find('\n')) ==
        "build/ch01_naive/attempts/reduce_naive_no_barrier_in_loop.cu:16: race: thread 0 reads partial[2] "
        "while "
        "thread 2 may still write it");
}

TEST_CASE("a word that is longer than a line is not broken") {
  const std::string path(90, 'p');
  CHECK(finding_on_screen(path + ":1: race: two words", 0, Lines::broken) ==
        path + ":1:\n    race: two words\n");
  CHECK(wrapped_text("unbreakable", 0, 2, 5) == "unbreakable");
}
