#include "../process.hpp"

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
