#include "../process.hpp"

#include "../build.hpp"
#include "../failure.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::cli;
using warpwise::testing::ContainsSubstring;

TEST_CASE("a program's status and output come back") {
  const ProcessResult result = capture_process({"sh", "-c", "echo out; echo err >&2; exit 3"});
  CHECK(result.status == 3);
  CHECK(result.signal == 0);
  CHECK(result.output == "out\nerr\n");
  CHECK(capture_process({"sh", "-c", "echo out; echo err >/dev/null"}, "/", false).output == "out\n");
  CHECK(capture_process({"pwd"}, "/").output == "/\n");
}

TEST_CASE("a program that a signal ends is distinguished from one that fails") {
  const ProcessResult result = capture_process({"sh", "-c", "kill -9 $$"});
  CHECK(result.signal == 9);
  CHECK(result.status == 137);
}

TEST_CASE("a program that does not exist is one sentence") {
  CHECK_THROWS_WITH(capture_process({"warpwise-no-such-program"}),
                    ContainsSubstring("cannot run warpwise-no-such-program: No such file"));
}

TEST_CASE("output larger than a pipe is read whole") {
  CHECK(capture_process({"sh", "-c", "head -c 300000 /dev/zero"}).output.size() == 300000);
}

TEST_CASE("compiler messages lose what Ninja wrote around them") {
  const char* const output =
      "ninja: Entering directory `/home/me/warpwise/build'\n"
      "[1/2] Compiling ch01_naive.exercise to PTX\n"
      "FAILED: ch01_naive/exercise.ptx \n"
      "cd /home/me/warpwise/build/ch01_naive && /usr/local/cuda/bin/nvcc -ptx -O3 exercise.cu\n"
      "/home/me/warpwise/ch01_naive/exercise.cu(9): error: expected a \";\"\n"
      "    }\n    ^\n"
      "1 error detected in the compilation of \"/home/me/warpwise/ch01_naive/exercise.cu\".\n"
      "ninja: build stopped: subcommand failed.\n";
  CHECK(compiler_messages(output, "/home/me/warpwise") ==
        "ch01_naive/exercise.cu(9): error: expected a \";\"\n    }\n    ^\n"
        "1 error detected in the compilation of \"ch01_naive/exercise.cu\".\n");
  CHECK(compiler_messages("  extern \"C\" __attribute__((global)) void k() {\n", "") ==
        "  extern \"C\" __global__ void k() {\n");
}
