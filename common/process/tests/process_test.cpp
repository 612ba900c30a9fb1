#include "common/process/process.hpp"

#include <chrono>
#include <csignal>
#include <thread>

#include "common/testing/catch.hpp"
#include "common/text/files.hpp"

using namespace warpwise::process;
using warpwise::testing::ContainsSubstring;
using warpwise::text::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

Result shell(const std::string& script, Keeps keeps = Keeps::all) {
  return run({.words = {"sh", "-c", script}, .keeps = keeps});
}

Result confined(const std::string& script, const Limits& limits = {}) {
  return run({.words = {"/bin/sh", "-c", script},
              .folder = "/",
              .keeps = Keeps::all,
              .environment = std::vector<std::string>{"PATH=/usr/bin:/bin"},
              .limits = limits});
}

}  // namespace

TEST_CASE("a program's status and output come back") {
  const Result result = shell("echo out; echo err >&2; exit 3");
  CHECK(result.status == 3);
  CHECK(result.signal == 0);
  CHECK(result.output == "out\nerr\n");
  CHECK(result.how_it_ended() == "ended with status 3");
  CHECK(shell("echo out; echo err >/dev/null", Keeps::output).output == "out\n");
  CHECK(shell("echo out; echo err >&2", Keeps::errors).output == "err\n");
  CHECK(run({{"pwd"}, "/", Keeps::all}).output == "/\n");
}

TEST_CASE("a word is a word, whatever it holds") {
  const std::string word = "it's \"$HOME\" `x`";
  CHECK(run({.words = {"printf", "%s", word}, .keeps = Keeps::output}).output == word);
  CHECK(shell("printf %s " + quoted_for_shell(word)).output == word);
}

TEST_CASE("a program that a signal ends is distinguished from one that fails") {
  const Result result = shell("kill -9 $$");
  CHECK(result.signal == 9);
  CHECK(result.status == 137);
  CHECK(result.how_it_ended() == "was ended by signal 9 (Killed)");
}

TEST_CASE("a program that does not exist is one sentence") {
  CHECK_THROWS_WITH(run({{"warpwise-no-such-program"}}),
                    ContainsSubstring("cannot run warpwise-no-such-program: No such file"));
  CHECK_THROWS_WITH(run({{"pwd"}, "/no/such/folder"}), ContainsSubstring("cannot run pwd: No such file"));
}

TEST_CASE("output larger than a pipe is read whole") {
  CHECK(shell("head -c 300000 /dev/zero").output.size() == 300000);
}

TEST_CASE("what is left behind with the output open is not waited for") {
  const auto start = Clock::now();
  const Result result = shell("echo opened; sleep 30 & exit 3");
  CHECK(result.status == 3);
  CHECK_FALSE(result.is_stopped);
  CHECK(result.output == "opened\n");
  CHECK(confined("echo judged; sleep 30 & exit 3").output == "judged\n");
  CHECK(Clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("a listener hears what comes, and that nothing comes, and can stop the program") {
  std::string heard;
  std::size_t silences = 0;
  const auto start = Clock::now();
  const Result result = run({.words = {"sh", "-c", "echo one; exec sleep 30"},
                             .keeps = Keeps::output,
                             .listener = [&](std::string_view piece) {
                               heard += piece;
                               silences += piece.empty() ? 1 : 0;
                               return silences < 5;
                             }});
  CHECK(heard == "one\n");
  CHECK(result.is_stopped);
  CHECK(result.signal == SIGKILL);
  CHECK(Clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("a confined program has the environment that it is given, and no input") {
  const Result result = confined("echo out; echo err >&2; env | grep -c HOME; read line; exit 3");
  CHECK(result.status == 3);
  CHECK(result.output == "out\nerr\n0\n");
  CHECK(result.why_ended({}).empty());
}

TEST_CASE("time, memory and files have limits") {
  const Limits limits{.seconds = 1, .memory_mib = 256, .file_mib = 1};
  CHECK_THAT(confined("while :; do :; done", limits).why_ended(limits), ContainsSubstring("used up its 1 s"));
  const TemporaryFolder folder;
  const Result large =
      confined("exec head -c 3000000 /dev/zero > " + (folder.path() / "file").string(), limits);
  CHECK_THAT(large.why_ended(limits), ContainsSubstring("more than 1 MiB"));
  CHECK(fs::file_size(folder.path() / "file") <= 1 << 20);
#if !defined(__SANITIZE_ADDRESS__)
  CHECK(
      confined("head -c 1000000000 /dev/zero | tail -c 900000000 | wc -c", limits).output.find("900000000") ==
      std::string::npos);
#endif
}

TEST_CASE("a program that closes its output and sleeps is stopped at the limit by the clock") {
  const Limits limits{.seconds = 1, .spare_seconds = 0};
  const auto start = Clock::now();
  const Result result = confined("exec >/dev/null 2>&1; sleep 30", limits);
  CHECK(result.is_stopped);
  CHECK(result.signal == SIGKILL);
  CHECK(Clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("what a confined program leaves running ends with it") {
  const TemporaryFolder folder;
  const fs::path late = folder.path() / "late";
  CHECK(confined("(sleep 1; echo > " + late.string() + ") >/dev/null 2>&1 & exit 3").status == 3);
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  CHECK_FALSE(fs::exists(late));
}

TEST_CASE("of a flood of output the beginning is kept") {
  const Result result = confined("exec head -c 10000000 /dev/zero");
  CHECK(result.status == 0);
  CHECK(result.output.size() == 256 * 1024);
}
