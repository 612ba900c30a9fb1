#include "../attempts.hpp"

#include <sstream>

#include "../failure.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using namespace warpwise::cli;
using warpwise::print::Paint;
using warpwise::testing::ContainsSubstring;
using warpwise::testing::TemporaryFolder;

namespace {

std::string attempt(const std::string& heading, const std::string& block) {
  return "\n## " + heading + "\n\n- rejected by: result: out[0]\n- why: because\n\n" + block;
}

/// A chapter with two pages and three attempts.
Chapter chapter_in(const TemporaryFolder& folder) {
  folder.write("ch01_naive/attempts/sum.md",
               "# Attempts at `sum`\n" + attempt("no_guard", "```diff\n a\n-b\n@@\n-c\n+d\n\n+e\n```\n") +
                   attempt("atomics", "```cuda\nvoid sum() {}\n```\n"));
  folder.write("ch01_naive/attempts/add.md", attempt("late", "```diff\n-x\n```\n"));
  folder.write("ch01_naive/attempts/notes.txt", "");
  return {"ch01_naive", "A tree", folder.path() / "ch01_naive", "/build/ch01_naive"};
}

std::string printed(const std::string& name, bool is_coloured = false) {
  const TemporaryFolder folder;
  std::ostringstream out;
  print_attempt(out, attempt_named(name, chapter_in(folder)), "build/x.cu", Paint(is_coloured));
  return out.str();
}

}  // namespace

TEST_CASE("attempts are the paragraphs of the pages below attempts") {
  const TemporaryFolder folder;
  std::vector<std::string> names;
  for (const auto& found : attempts_of(chapter_in(folder))) names.push_back(found.name);
  CHECK(names == std::vector<std::string>{"add_late", "sum_atomics", "sum_no_guard"});
  CHECK(attempts_of({"ch02", "", folder.path() / "ch02", ""}).empty());
}

TEST_CASE("an unknown attempt is wrong usage, with a suggestion") {
  const TemporaryFolder folder;
  const Chapter chapter = chapter_in(folder);
  CHECK_THROWS_WITH(
      attempt_named("sum_no_gard", chapter),
      ContainsSubstring("there is no attempt 'sum_no_gard' in ch01_naive; did you mean sum_no_guard?"));
  folder.write("ch01_naive/attempts/bad.md", "## x\n");
  CHECK_THROWS_WITH(attempt_named("sum_no_guard", chapter), ContainsSubstring("bad.md:1: bad_x lacks"));
}

TEST_CASE("an attempt is shown by what differs") {
  CHECK(printed("sum_no_guard") ==
        "build/x.cu differs from the solution in this:\n\n   a\n  -b\n    ...\n  -c\n  +d\n\n  +e\n\n");
  CHECK(printed("sum_atomics") == "build/x.cu has this in place of the solution's:\n\n  void sum() {}\n\n");
  CHECK_THAT(printed("sum_no_guard", true),
             ContainsSubstring("\033[31m-b\033[0m\n") && ContainsSubstring("\033[32m+d\033[0m\n"));
}
