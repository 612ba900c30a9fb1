#include "common/grade/sandbox.hpp"

#include "common/grade/assignment.hpp"
#include "common/grade/grading.hpp"
#include "common/testing/catch.hpp"
#include "course_example.hpp"

using namespace warpwise::grade;
using warpwise::testing::ContainsSubstring;
namespace fs = std::filesystem;

TEST_CASE("in the sandbox there is what was put there, read only, and no network") {
  const warpwise::text::TemporaryFolder folder;
  const fs::path secret = folder.path() / "secret";
  write_file(secret, "secret");
  const SandboxFolders folders{folder.path() / "course", folder.path() / "out", folder.path() / "tmp"};
  for (const fs::path& path : {folders.course, folders.out, folders.tmp}) fs::create_directories(path);
  write_file(folders.course / "a.cu", "a");
  const Sandbox sandbox(find_bubblewrap(), {}, {});
  if (find_bubblewrap().empty() || !sandbox.problem("/bin/sh").empty())
    WARPWISE_NOT_CHECKED("bubblewrap cannot make a sandbox here");
  const auto inside = [&](const std::string& script) {
    return run_confined(sandbox.around({"/bin/sh", "-c", script}, folders), {});
  };
  CHECK(inside("cat a.cu").output == "a");
  CHECK(inside("cat " + secret.string()).status != 0);
  CHECK(inside("echo b > a.cu").status != 0);
  CHECK(inside("echo b > /usr/b").status != 0);
  CHECK(inside("ls / | tr '\\n' ' '; ls /etc | wc -l").output.find("home") == std::string::npos);
  CHECK(inside("echo b > /out/b && cat /out/b").output == "b\n");
  CHECK(fs::exists(folders.out / "b"));
  CHECK(inside("ls /proc /sys /dev/tcp /root").status != 0);
  CHECK(sandbox.on(folders, folders.out / "x") == "/out/x");
  CHECK(Sandbox().on(folders, folders.out / "x") == (folders.out / "x").string());
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
  write_file(a / "shards/1-of-2.part-4000-0", "\"a");  // of a run that was killed
  write_file(a / "results/ada.json.part-4000-1", "{");
  CHECK(merge({a, b}, out).size() == 2);
  write_file(b / "shards/2-of-2", "");  // nobody
  fs::remove_all(b / "results");
  CHECK(merge({a, b}, out).size() == 1);
  write_file(example.folder.path() / "full/something", "");
  CHECK_THROWS_WITH(merge({a, b}, example.folder.path() / "full"),
                    ContainsSubstring("holds no results: name another folder"));
}
