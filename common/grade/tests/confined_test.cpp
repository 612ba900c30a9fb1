#include "common/grade/fence.hpp"

#include <chrono>
#include <csignal>
#include <thread>

#include "common/grade/assignment.hpp"
#include "common/grade/grading.hpp"
#include "common/testing/catch.hpp"
#include "course_example.hpp"

using namespace warpwise::grade;
using warpwise::testing::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

ConfinedResult shell(const std::string& script, const Limits& limits = {}) {
  return run_confined({{"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin"}, "/"}, limits);
}

}  // namespace

TEST_CASE("status and output of a program, whose environment and input are what they are told to be") {
  const ConfinedResult result = shell("echo out; echo err >&2; env | grep -c HOME; read line; exit 3");
  CHECK(result.status == 3);
  CHECK(result.output == "out\nerr\n0\n");
  CHECK(result.why_ended({}).empty());
  CHECK_THROWS_WITH(run_confined({{"/no/such/program"}, {}, "/"}, {}),
                    ContainsSubstring("cannot run /no/such/program"));
}

TEST_CASE("time, memory and files have limits") {
  const Limits limits{.seconds = 1, .memory_mib = 256, .file_mib = 1};
  CHECK_THAT(shell("while :; do :; done", limits).why_ended(limits), ContainsSubstring("used up its 1 s"));
  const warpwise::text::TemporaryFolder folder;
  const ConfinedResult large =
      shell("exec head -c 3000000 /dev/zero > " + (folder.path() / "file").string(), limits);
  CHECK_THAT(large.why_ended(limits), ContainsSubstring("more than 1 MiB"));
  CHECK(fs::file_size(folder.path() / "file") <= 1 << 20);
#if !defined(__SANITIZE_ADDRESS__)
  CHECK(shell("head -c 1000000000 /dev/zero | tail -c 900000000 | wc -c", limits).output.find("900000000") ==
        std::string::npos);
#endif
}

TEST_CASE("a program that closes its output and sleeps is stopped at the limit by the clock") {
  const Limits limits{.seconds = 1, .spare_seconds = 0};
  const auto start = std::chrono::steady_clock::now();
  const ConfinedResult result = shell("exec >/dev/null 2>&1; sleep 30", limits);
  CHECK(result.is_stopped);
  CHECK(result.signal == SIGKILL);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("what a program leaves running ends with it") {
  const warpwise::text::TemporaryFolder folder;
  const fs::path late = folder.path() / "late";
  CHECK(shell("(sleep 1; echo > " + late.string() + ") >/dev/null 2>&1 & exit 3").status == 3);
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  CHECK_FALSE(fs::exists(late));
}

TEST_CASE("what is left behind with the output open is not waited for") {
  const auto start = std::chrono::steady_clock::now();
  const ConfinedResult result = shell("echo judged; sleep 1000 & exit 3");
  CHECK(result.status == 3);
  CHECK_FALSE(result.is_stopped);
  CHECK(result.output == "judged\n");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("of a flood of output the beginning is kept") {
  const ConfinedResult result = shell("exec head -c 10000000 /dev/zero");
  CHECK(result.status == 0);
  CHECK(result.output.size() == 256 * 1024);
}

TEST_CASE("behind the fence there is what was put there, read only, and no network") {
  const warpwise::text::TemporaryFolder folder;
  const fs::path secret = folder.path() / "secret";
  write_file(secret, "secret");
  const SandboxFolders sandbox{folder.path() / "course", folder.path() / "out", folder.path() / "tmp"};
  for (const fs::path& path : {sandbox.course, sandbox.out, sandbox.tmp}) fs::create_directories(path);
  write_file(sandbox.course / "a.cu", "a");
  const Fence fence(find_bubblewrap(), {}, {});
  if (find_bubblewrap().empty() || !fence.problem("/bin/sh").empty())
    WARPWISE_NOT_CHECKED("bubblewrap cannot make a fence here");
  const auto inside = [&](const std::string& script) {
    return run_confined(fence.around({"/bin/sh", "-c", script}, sandbox), {});
  };
  CHECK(inside("cat a.cu").output == "a");
  CHECK(inside("cat " + secret.string()).status != 0);
  CHECK(inside("echo b > a.cu").status != 0);
  CHECK(inside("echo b > /usr/b").status != 0);
  CHECK(inside("ls / | tr '\\n' ' '; ls /etc | wc -l").output.find("home") == std::string::npos);
  CHECK(inside("echo b > /out/b && cat /out/b").output == "b\n");
  CHECK(fs::exists(sandbox.out / "b"));
  CHECK(inside("ls /proc /sys /dev/tcp /root").status != 0);
  CHECK(fence.on(sandbox, sandbox.out / "x") == "/out/x");
  CHECK(Fence().on(sandbox, sandbox.out / "x") == (sandbox.out / "x").string());
}

TEST_CASE("parts of a class") {
  CHECK(shard_from("3/16").part == 3);
  CHECK(shard_from("3/16").of == 16);
  for (const char* wrong : {"", "3", "0/4", "5/4", "3/16x", "a/b", "-1/2"})
    CHECK_THROWS_WITH(shard_from(wrong), ContainsSubstring("--shard is PART/OF"));
}

TEST_CASE("results of different runs are not put together") {
  const CourseExample example;
  const fs::path a = example.folder.path() / "a", b = example.folder.path() / "b",
                 out = example.folder.path() / "out";
  CHECK_THROWS_WITH(merge({a}, out), ContainsSubstring("holds no results"));
  const auto part = [](const fs::path& folder, const std::string& identity, const std::string& shard,
                       const std::string& name) {
    write_file(folder / "grading.json", identity);
    write_file(folder / "shards" / shard, "\"" + name + "\"\n");
    write_file(folder / "results" / (name + ".json"), json_of({name, "", {}}));
  };
  part(a, "{}\n", "1-of-2", "ada");
  CHECK_THROWS_WITH(merge({a}, out), ContainsSubstring("these are missing: 2"));
  part(b, "{ }\n", "2-of-2", "bob");
  CHECK_THROWS_WITH(merge({a, b}, out), ContainsSubstring("was graded differently"));
  part(b, "{}\n", "2-of-2", "bob");
  fs::remove(b / "results/bob.json");
  CHECK_THROWS_WITH(merge({a, b}, out), ContainsSubstring("part 2 of 2 is not complete"));
  part(b, "{}\n", "2-of-2", "bob");
  CHECK(merge({a, b}, out).size() == 2);
  write_file(b / "shards/2-of-2", "");  // nobody
  fs::remove_all(b / "results");
  CHECK(merge({a, b}, out).size() == 1);
  write_file(example.folder.path() / "full/something", "");
  CHECK_THROWS_WITH(merge({a, b}, example.folder.path() / "full"),
                    ContainsSubstring("holds no results: name another folder"));
}
